package spirv

// The translator expects of every NDRange that its only use is a store to a variable, as in modules made of OpenCL C. So each is
// stored to a variable of its own, and what uses it uses what is loaded from there.

const (
	opTypePointer  = 32
	opVariable     = 59
	opStore        = 62
	opLabel        = 248
	opBuildNDRange = 304

	storageFunction = 7
)

// ranges are the NDRanges of a module.
type ranges struct {
	pointers  map[uint32]uint32 // types of NDRanges, and of their addresses
	types     []uint32          // of NDRanges, in the module's order
	functions [][]uint32        // for each function that is yet to come, the types of its NDRanges
	wanted    []uint32          // those of the function at hand, until its first block
	variables []uint32          // its variables that are not in use yet
}

// see takes note of an instruction; they come in the module's order.
func (r *ranges) see(i instruction) {
	switch {
	case i.op == opFunction:
		r.functions = append(r.functions, nil)
	case i.op == opBuildNDRange && len(i.args) == 5 && len(r.functions) > 0:
		t := i.args[0]
		if _, known := r.pointers[t]; !known {
			r.pointers[t] = 0
			r.types = append(r.types, t)
		}
		last := len(r.functions) - 1
		r.functions[last] = append(r.functions[last], t)
	}
}

// declare emits the types of addresses.
func (r *ranges) declare(out []uint32, bound *uint32) []uint32 {
	for _, t := range r.types {
		r.pointers[t] = take(bound)
		out = emit(out, opTypePointer, r.pointers[t], storageFunction, t)
	}
	return out
}

// rewrite emits i, and says whether it did.
func (r *ranges) rewrite(out []uint32, i instruction, bound *uint32) ([]uint32, bool) {
	switch {
	case i.op == opFunction:
		r.wanted, r.functions, r.variables = r.functions[0], r.functions[1:], nil
	case i.op == opLabel && len(r.wanted) > 0:
		out = emit(out, i.op, i.args...)
		for _, t := range r.wanted {
			v := take(bound)
			out = emit(out, opVariable, r.pointers[t], v, storageFunction)
			r.variables = append(r.variables, v)
		}
		r.wanted = nil
		return out, true
	case i.op == opBuildNDRange && len(r.variables) > 0:
		value, v := take(bound), r.variables[0]
		r.variables = r.variables[1:]
		out = emit(out, i.op, append([]uint32{i.args[0], value}, i.args[2:]...)...)
		out = emit(out, opStore, v, value)
		return emit(out, opLoad, i.args[0], i.args[1], v), true
	}
	return out, false
}

// take is a new id.
func take(bound *uint32) uint32 {
	*bound++
	return *bound - 1
}
