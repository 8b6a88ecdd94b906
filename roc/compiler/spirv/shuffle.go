package spirv

const opVectorShuffle = 79

// annotations are the instructions whose first word may be a type although they make no value of it.
var annotations = map[uint32]bool{5: true, 6: true, 71: true, 72: true, 332: true, 5632: true, 5633: true}

// vector is a vector type.
type vector struct{ id, length uint32 }

// shuffles rewrites OpVectorShuffle of vectors of different lengths, of which the translator takes those of one length only: the
// shorter vector is made as long as the other one first.
type shuffles struct {
	types  map[uint32]vector // by id of the type
	values map[uint32]vector // what vectors are of, by id
	bound  uint32            // the next free id
}

func (s *shuffles) see(i instruction) {
	switch {
	case i.op == opTypeVector && len(i.args) == 3:
		s.types[i.args[0]] = vector{i.args[0], i.args[2]}
	case len(i.args) >= 2 && !annotations[i.op]:
		if v, ok := s.types[i.args[0]]; ok {
			s.values[i.args[1]] = v
		}
	}
}

// rewrite appends the shuffle whose arguments are args.
func (s *shuffles) rewrite(out, args []uint32) []uint32 {
	a, b := s.values[args[2]], s.values[args[3]]
	if a.length == b.length || a.length == 0 || b.length == 0 {
		return emit(out, opVectorShuffle, args...)
	}
	args = append([]uint32(nil), args...)
	short, long, operand := b, a, &args[3]
	if a.length < b.length {
		short, long, operand = a, b, &args[2]
		for n := range args[4:] {
			if at := &args[4+n]; *at >= short.length && *at != undefinedComponent {
				*at += long.length - short.length
			}
		}
	}
	widened := []uint32{long.id, s.bound, *operand, *operand}
	for n := range long.length {
		widened = append(widened, min(n, short.length-1))
	}
	out = emit(out, opVectorShuffle, widened...)
	*operand = s.bound
	s.bound++
	return emit(out, opVectorShuffle, args...)
}

const undefinedComponent = 0xFFFFFFFF
