package spirv

// What the translator does not know is taken out of a module before it sees it: declarations that change nothing for it, and
// instructions that become calls of builtin functions.

const (
	opTypeVoid      = 19
	opTypeVector    = 23
	opConstantFalse = 42
	opConstant      = 43
	opConstantNull  = 46
	opTypeFunction  = 33
	opFunction      = 54
	opFunctionEnd   = 56
	opFunctionCall  = 57

	decorationLinkage = 41
	linkageImport     = 1
)

// unknown are the declarations.
var (
	unknownCapabilities = map[uint32]bool{CapabilityShaderClock: true, CapabilityAtomicFloat16Add: true, CapabilityUniformDecoration: true}
	unknownExtensions   = map[string]bool{ExtensionShaderClock: true, ExtensionAtomicFloat16Add: true}
)

// lacking rewrites words, which are those of a module that Parse accepted.
func lacking(words []uint32) []uint32 {
	l := lowering{scalars: map[uint32]uint32{}}
	c := newCalls()
	r := ranges{pointers: map[uint32]uint32{}}
	s := shuffles{types: map[uint32]vector{}, values: map[uint32]vector{}}
	for i := range instructions(words) {
		s.see(i)
		c.see(i)
		r.see(i)
		switch {
		case i.op == opTypeBool && len(i.args) > 0:
			l.scalars[i.args[0]] = 0
		case (i.op == opTypeInt || i.op == opTypeFloat) && len(i.args) > 1:
			l.scalars[i.args[0]] = (i.args[1] + 31) / 32
		}
	}
	s.bound = c.number(words[3])
	out := append([]uint32(nil), words[:headerWords]...)
	decorated, declared := false, false
	for i := range instructions(words) {
		if i.op >= opTypeVoid && i.op <= opTypeFunction && !decorated { // annotations precede types
			out, decorated = c.decorate(out), true
		}
		if i.op == opFunction && !declared {
			out, declared = r.declare(c.declare(out), &s.bound), true
		}
		if with, ok := r.rewrite(out, i, &s.bound); ok {
			out = with
			continue
		}
		if f, args, ok := c.before(i); ok {
			out = emit(out, opFunctionCall, append([]uint32{f.result, take(&s.bound), c.ids[f]}, args...)...)
		}
		if f, own, ok := c.subGroups(i); ok {
			size := take(&s.bound)
			out = emit(out, opGetWorkGroupSize, append([]uint32{i.args[0], size}, i.args[2+own:]...)...)
			out = emit(out, opFunctionCall, append([]uint32{i.args[0], i.args[1], c.ids[f], size}, i.args[2:2+own]...)...)
			continue
		}
		if f, ok := c.of(i); ok {
			out = emit(out, opFunctionCall, append([]uint32{i.args[0], i.args[1], c.ids[f]}, f.arguments(i)...)...)
			continue
		}
		switch {
		case i.op == opCapability && len(i.args) > 0 && unknownCapabilities[i.args[0]]:
		case i.op == opExtension && unknownExtension(i.args):
		case i.op == opConstantNull && len(i.args) == 2 && l.isScalar(i.args[0]):
			out = l.zero(out, i.args)
		case i.op == opVectorShuffle && len(i.args) >= 4:
			out = s.rewrite(out, i.args)
		default:
			out = append(out, words[i.at:i.at+1+len(i.args)]...)
		}
	}
	out[3] = s.bound
	return out
}

func unknownExtension(args []uint32) bool {
	name, _, ok := literal(args)
	return ok && unknownExtensions[name]
}

type lowering struct {
	scalars map[uint32]uint32 // types, and how many words their literals have, 0 for booleans
}

func (l *lowering) isScalar(t uint32) bool {
	_, ok := l.scalars[t]
	return ok
}

// zero is an OpConstantNull of a scalar: the translator knows those of other types only.
func (l *lowering) zero(out []uint32, typeAndID []uint32) []uint32 {
	n := l.scalars[typeAndID[0]]
	if n == 0 {
		return emit(out, opConstantFalse, typeAndID...)
	}
	return emit(out, opConstant, append(append([]uint32(nil), typeAndID...), make([]uint32, min(n, 2))...)...)
}

// emit appends an instruction.
func emit(out []uint32, op uint32, args ...uint32) []uint32 {
	return append(append(out, uint32(len(args)+1)<<16|op), args...)
}

// encode is the words of a string.
func encode(s string) []uint32 {
	words := make([]uint32, len(s)/4+1)
	for i := range len(s) {
		words[i/4] |= uint32(s[i]) << (8 * (i % 4))
	}
	return words
}

// instructions are those of a module whose words Parse accepted.
func instructions(words []uint32) func(yield func(instruction) bool) {
	return func(yield func(instruction) bool) {
		for at := headerWords; at < len(words); {
			n := int(words[at] >> 16)
			if !yield(instruction{words[at] & 0xffff, at, words[at+1 : at+n]}) {
				return
			}
			at += n
		}
	}
}
