package spirv

import "slices"

// What the translator lacks of SPIR-V 1.4 to 1.6, and integer arithmetic with two results, in terms of instructions that it knows.

const (
	opUndef                  = 1
	opExecutionMode          = 16
	opExecutionModeID        = 331
	opCopyMemory             = 63
	opCopyMemorySized        = 64
	opPtrAccessChain         = 67
	opMemberDecorateString   = 5633
	opDecorateString         = 5632
	opDecorateID             = 332
	opCompositeConstruct     = 80
	opCompositeExtract       = 81
	opCompositeInsert        = 82
	opImageSampleExplicitLod = 88
	opImageFetch             = 95
	opImageRead              = 98
	opImageWrite             = 99
	opConvertPtrToU          = 117
	opConvertUToPtr          = 120
	opBitcast                = 124
	opUConvert               = 113
	opISub                   = 130
	opSDiv                   = 135
	opIEqual                 = 170
	opINotEqual              = 171
	opSizeOf                 = 321
	opCopyLogical            = 400
	opPtrEqual               = 401
	opPtrNotEqual            = 402
	opPtrDiff                = 403
	opTypeArray              = 28
	opTypeStruct             = 30

	modeLocalSize       = 17
	modeLocalSizeHint   = 18
	modeSubGroups       = 36 // SubgroupsPerWorkgroup
	modeSubGroupsID     = 37
	modeLocalSizeID     = 38
	modeLocalSizeHintID = 39

	decorationUniform   = 26
	decorationUniformID = 27

	memoryAligned     = 2
	imageNonTemporal  = 0x4000
	translatorVersion = 1<<16 | 4<<8 // the newest it takes
)

// older rewrites words, which are those of a module that Parse accepted.
type older struct {
	bound        uint32
	types        map[uint32]instruction // declarations of types
	values       map[uint32]uint32      // types of values
	constants    map[uint32]uint32      // values of constants, as far as they fit a word
	set          uint32                 // OpenCL.std
	declarations []uint32               // more types and constants, for the end of the module's own
	known        map[declaration]uint32 // the ids of both
}

// declaration is an instruction that makes a type or a constant; zeros stand behind its last operand.
type declaration struct {
	op, of   uint32
	operands [16]uint32
	n        int
}

func rewriteNewer(words []uint32) []uint32 {
	o := older{bound: words[3], types: map[uint32]instruction{}, values: map[uint32]uint32{}, constants: map[uint32]uint32{}, known: map[declaration]uint32{}}
	imports, multiplies := 0, false // where instruction sets are imported, and whether one is needed
	dots, extended := false, false  // integer dot products, with the extension they were until version 1.6
	for i := range instructions(words) {
		o.see(i)
		if i.op == opCapability || i.op == opExtension {
			imports = i.at + 1 + len(i.args)
		}
		dots = dots || i.op == opCapability && len(i.args) > 0 && i.args[0] >= CapabilityDotProductInputAll && i.args[0] <= CapabilityDotProduct
		if i.op == opExtension {
			name, _, _ := literal(i.args)
			extended = extended || name == ExtensionDotProduct
		}
		multiplies = multiplies || i.op == opUMulExtended || i.op == opSMulExtended
	}
	if o.set == 0 && multiplies && imports > 0 {
		o.set = take(&o.bound)
		words = slices.Insert(slices.Clone(words), imports, emit(nil, opExtInstImport, append([]uint32{o.set}, encode(SetOpenCL)...)...)...)
	}
	if dots && !extended {
		capabilities := headerWords
		for i := range instructions(words) {
			if i.op == opCapability {
				capabilities = i.at + 1 + len(i.args)
			}
		}
		words = slices.Insert(slices.Clone(words), capabilities, emit(nil, opExtension, encode(ExtensionDotProduct)...)...)
	}
	head := append([]uint32(nil), words[:headerWords]...)
	var body []uint32
	inBody := false
	for i := range instructions(words) {
		if inBody = inBody || i.op == opFunction; inBody {
			body = o.rewrite(body, i)
		} else {
			head = o.rewrite(head, i)
		}
	}
	head[1], head[3] = min(head[1], translatorVersion), o.bound
	return append(append(head, o.declarations...), body...)
}

// see takes note of an instruction; they come in the module's order.
func (o *older) see(i instruction) {
	switch {
	case i.op == opExtInstImport && len(i.args) > 1:
		if name, _, _ := literal(i.args[1:]); name == SetOpenCL {
			o.set = i.args[0]
		}
	case i.op >= opTypeVoid && i.op <= opTypeFunction:
		if len(i.args) > 0 {
			o.types[i.args[0]] = i
			if d := describe(i.op, 0, i.args[1:]); o.known[d] == 0 {
				o.known[d] = i.args[0]
			}
		}
	case len(i.args) >= 2 && !annotations[i.op]:
		if _, ok := o.types[i.args[0]]; ok {
			o.values[i.args[1]] = i.args[0]
		}
		if (i.op == opConstant || i.op == opSpecConstant) && len(i.args) > 2 {
			o.constants[i.args[1]] = i.args[2]
		}
	}
}

// rewrite appends i, or what does the same.
func (o *older) rewrite(out []uint32, i instruction) []uint32 {
	a := append([]uint32(nil), i.args...)
	switch n := len(a); {
	case i.op == opDecorateString || i.op == opMemberDecorateString: // they tell nothing that matters
		return out
	case (i.op == opDecorate || i.op == opDecorateID) && n > 1 && (a[1] == decorationUniform || a[1] == decorationUniformID):
		return out
	case i.op == opExecutionModeID && n > 1:
		return o.executionMode(out, a)
	case i.op == opCopyMemory && n > 1:
		if with, ok := o.copyMemory(out, a); ok {
			return with
		}
	case i.op == opCopyMemorySized && n > 3:
		a = mergeOperands(a, 3)
	case (i.op == opImageSampleExplicitLod || i.op == opImageFetch || i.op == opImageRead) && n > 4:
		a[4] &^= imageNonTemporal
	case i.op == opImageWrite && n > 3:
		a[3] &^= imageNonTemporal
	case i.op == opCopyLogical && n == 3:
		return o.copyLogical(out, a[0], a[1], a[2], o.values[a[2]])
	case i.op == opCompositeConstruct && n > 2:
		return o.construct(out, a)
	case i.op == opBitcast && n == 3:
		return o.bitcast(out, a)
	case (i.op == opPtrEqual || i.op == opPtrNotEqual) && n == 4:
		out, x := o.address(out, a[2])
		out, y := o.address(out, a[3])
		op := uint32(opIEqual)
		if i.op == opPtrNotEqual {
			op = opINotEqual
		}
		return emit(out, op, a[0], a[1], x, y)
	case i.op == opPtrDiff && n == 4:
		return o.difference(out, a)
	case i.op == opSizeOf && n == 3:
		out, size := o.sizeOf(out, a[2])
		return emit(out, opUConvert, a[0], a[1], size)
	case i.op >= opIAddCarry && i.op <= opSMulExtended && n == 4:
		if with, ok := o.twoResults(out, i.op, a); ok {
			return with
		}
	}
	return emit(out, i.op, a...)
}

// executionMode emits OpExecutionModeId as OpExecutionMode, with the values of the constants.
func (o *older) executionMode(out, a []uint32) []uint32 {
	mode, ok := map[uint32]uint32{modeLocalSizeID: modeLocalSize, modeLocalSizeHintID: modeLocalSizeHint, modeSubGroupsID: modeSubGroups}[a[1]]
	if !ok {
		return emit(out, opExecutionModeID, a...)
	}
	literals := []uint32{a[0], mode}
	for _, id := range a[2:] {
		literals = append(literals, o.constants[id])
	}
	return emit(out, opExecutionMode, literals...)
}

// operandWords is how many words of memory operands begin with mask.
func operandWords(mask uint32) int {
	if mask&memoryAligned != 0 {
		return 2
	}
	return 1
}

// copyMemory emits OpCopyMemory as a load and a store.
func (o *older) copyMemory(out, a []uint32) ([]uint32, bool) {
	pointer := o.types[o.values[a[1]]]
	if pointer.op != opTypePointer || len(pointer.args) != 3 {
		return out, false
	}
	target, source := a[2:], a[2:]
	if len(a) > 2 {
		if n := operandWords(a[2]); n < len(target) {
			target, source = target[:n], target[n:]
		}
	}
	value := take(&o.bound)
	out = emit(out, opLoad, append([]uint32{pointer.args[2], value, a[1]}, source...)...)
	return emit(out, opStore, append([]uint32{a[0], value}, target...)...), true
}

// bitcast emits OpBitcast, by way of an integer of 64 bits where one side only is a pointer.
func (o *older) bitcast(out, a []uint32) []uint32 {
	to, from := o.types[a[0]].op == opTypePointer, o.types[o.values[a[2]]].op == opTypePointer
	if to == from {
		return emit(out, opBitcast, a...)
	}
	long, other, integer := o.declare(opTypeInt, 0, 64, 0), a[0], take(&o.bound)
	if to {
		if other = o.values[a[2]]; other == long {
			return emit(out, opConvertUToPtr, a...)
		}
		out = emit(out, opBitcast, long, integer, a[2])
		return emit(out, opConvertUToPtr, a[0], a[1], integer)
	}
	if other == long {
		return emit(out, opConvertPtrToU, a...)
	}
	out = emit(out, opConvertPtrToU, long, integer, a[2])
	return emit(out, opBitcast, a[0], a[1], integer)
}

// mergeOperands makes one set of memory operands, which is for both sides, of those for the target and those for the source.
func mergeOperands(a []uint32, at int) []uint32 {
	second := at + operandWords(a[at])
	if second >= len(a) || second+operandWords(a[second]) > len(a) {
		return a
	}
	x, y := a[at:second], a[second:]
	if x[0]&y[0]&memoryAligned == 0 {
		return append(a[:at:at], (x[0]|y[0])&^memoryAligned)
	}
	return append(a[:at:at], x[0]|y[0], min(x[1], y[1]))
}

func describe(op, of uint32, operands []uint32) declaration {
	d := declaration{op: op, of: of, n: len(operands)}
	copy(d.operands[:], operands)
	return d
}

// declare is the id of a type, or of a constant of type of, that op makes; it takes the module's type if there is one.
func (o *older) declare(op, of uint32, operands ...uint32) uint32 {
	d := describe(op, of, operands)
	if id, ok := o.known[d]; ok {
		return id
	}
	id := take(&o.bound)
	o.known[d] = id
	args := append([]uint32{id}, operands...)
	if of != 0 {
		args = append([]uint32{of}, args...)
	}
	o.declarations = emit(o.declarations, op, args...)
	return id
}

// address emits the conversion of a pointer to an integer.
func (o *older) address(out []uint32, pointer uint32) ([]uint32, uint32) {
	id := take(&o.bound)
	return emit(out, opConvertPtrToU, o.declare(opTypeInt, 0, 64, 0), id, pointer), id
}

// sizeOf emits the size of what a pointer points to: how far the next one would be from it.
func (o *older) sizeOf(out []uint32, pointer uint32) ([]uint32, uint32) {
	long := o.declare(opTypeInt, 0, 64, 0)
	next, size := take(&o.bound), take(&o.bound)
	out = emit(out, opPtrAccessChain, o.values[pointer], next, pointer, o.declare(opConstant, long, 1, 0))
	out, x := o.address(out, next)
	out, y := o.address(out, pointer)
	return emit(out, opISub, long, size, x, y), size
}

// difference emits OpPtrDiff, in elements.
func (o *older) difference(out, a []uint32) []uint32 {
	long := o.declare(opTypeInt, 0, 64, 0)
	bytes := take(&o.bound)
	out, x := o.address(out, a[2])
	out, y := o.address(out, a[3])
	out, size := o.sizeOf(out, a[3])
	out = emit(out, opISub, long, bytes, x, y)
	if a[0] == long {
		return emit(out, opSDiv, long, a[1], bytes, size)
	}
	quotient := take(&o.bound)
	out = emit(out, opSDiv, long, quotient, bytes, size)
	return emit(out, opUConvert, a[0], a[1], quotient)
}

// construct emits OpCompositeConstruct, of which the translator knows that of constants only.
func (o *older) construct(out, a []uint32) []uint32 {
	parts := a[2:]
	if o.types[a[0]].op == opTypeVector {
		var scalars []uint32
		for _, p := range parts {
			t := o.types[o.values[p]]
			if t.op != opTypeVector || len(t.args) != 3 || t.args[2] > 16 {
				scalars = append(scalars, p)
				continue
			}
			for i := range t.args[2] {
				scalar := take(&o.bound)
				out = emit(out, opCompositeExtract, t.args[1], scalar, p, i)
				scalars = append(scalars, scalar)
			}
		}
		parts = scalars
	}
	value := take(&o.bound)
	out = emit(out, opUndef, a[0], value)
	for i, p := range parts {
		next := take(&o.bound)
		if i == len(parts)-1 {
			next = a[1]
		}
		out = emit(out, opCompositeInsert, a[0], next, p, value, uint32(i))
		value = next
	}
	return out
}

// maxLogical is the length of the longest array that is copied element by element.
const maxLogical = 1 << 12

// copyLogical emits OpCopyLogical: structures and arrays member by member.
func (o *older) copyLogical(out []uint32, to, id, value, from uint32) []uint32 {
	member := func(t instruction, i int) uint32 {
		if t.op == opTypeStruct {
			return t.args[1+i]
		}
		return t.args[1]
	}
	s, t := o.types[from], o.types[to]
	n := 0
	switch {
	case s.op != t.op || len(s.args) != len(t.args):
	case t.op == opTypeStruct:
		n = len(t.args) - 1
	case t.op == opTypeArray && len(t.args) == 3:
		n = int(o.constants[t.args[2]])
	}
	if n == 0 || n > maxLogical {
		return emit(out, opCopyLogical, to, id, value) // the translator refuses it
	}
	parts := []uint32{to, id}
	for i := range n {
		part := take(&o.bound)
		out = emit(out, opCompositeExtract, member(s, i), part, value, uint32(i))
		if member(s, i) != member(t, i) {
			copied := take(&o.bound)
			out = o.copyLogical(out, member(t, i), copied, part, member(s, i))
			part = copied
		}
		parts = append(parts, part)
	}
	return o.construct(out, parts)
}
