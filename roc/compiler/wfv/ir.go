package wfv

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// typ is what the passes ask of an LLVM type, read once.
type typ struct {
	h     llvm.Type
	kind  llvm.TypeKind
	bits  int   // integers
	elem  *typ  // element of a vector or an array
	n     int   // components: length of a vector, else 1
	size  int64 // bytes, with padding; 0 for void
	space int   // address space of a pointer
}

// leaf is the component type: the element of a short vector, else the type itself.
func (t *typ) leaf() *typ {
	if t.kind == llvm.VectorKind {
		return t.elem
	}
	return t
}

func (t *typ) isInt() bool { return t.kind == llvm.IntegerKind }
func (t *typ) isPtr() bool { return t.kind == llvm.PointerKind }
func (t *typ) isAggregate() bool {
	return t.kind == llvm.StructKind || t.kind == llvm.ArrayKind
}

// Value is an instruction of the kernel or one of its operands. Op is 0 for constants, arguments and globals.
type Value struct {
	h     llvm.Value
	op    llvm.Opcode
	t     *typ
	args  []*Value // operands; of a call the arguments only; of a branch its condition; of a phi in the order of from
	from  []*Block // of a phi
	users []*Value
	block *Block
	index int // in its block

	constant bool
	isInt    bool // a constant integer, with value num
	num      int64
	undef    bool
	callee   string
	id       int // dense number of an instruction
}

func (v *Value) isInstr() bool { return v.op != 0 }

// Block is a basic block with its place in the dominator trees, loops and the linear order.
type Block struct {
	h            llvm.Block
	id           int // index in Func.blocks
	pos          int // position in Func.order
	instrs       []*Value
	term         *Value
	preds, succs []*Block
	idom, ipdom  *Block // nil: none (entry, or the exit is next)
	loop         *Loop  // innermost
}

// phis are the leading phi nodes of a block.
func (b *Block) phis() []*Value {
	n := 0
	for n < len(b.instrs) && b.instrs[n].op == llvm.OpPHI {
		n++
	}
	return b.instrs[:n]
}

// Loop is a natural loop.
type Loop struct {
	header *Block
	parent *Loop
	blocks map[*Block]bool
	next   map[*Block]*Block // immediate post-dominators within one turn; none: a lane may leave or go round before it comes to any
	depth  int
	div    bool // lanes may leave in different iterations
}

// exits are the blocks outside the loop that it branches to, in linear order.
func (l *Loop) exits() []*Block {
	var r []*Block
	for b := range l.blocks {
		for _, s := range b.succs {
			if !l.blocks[s] && !slices.Contains(r, s) {
				r = append(r, s)
			}
		}
	}
	slices.SortFunc(r, func(a, b *Block) int { return a.pos - b.pos })
	return r
}

// Func is the kernel as Go data.
type Func struct {
	h      llvm.Value
	m      llvm.Module
	layout llvm.Layout
	params []*Value
	blocks []*Block
	order  []*Block // linear order: topological, loop-compact, dominance-compact
	loops  []*Loop  // outer before inner
	count  int      // instructions
	values map[llvm.Value]*Value
	types  map[llvm.Type]*typ

	subGroups *SubGroups // nil: it cannot tell one from another
}

// read copies a function's structure into Go. It is the only pass that walks the IR.
func read(m llvm.Module, h llvm.Value) *Func {
	f := &Func{h: h, m: m, layout: m.Layout(), values: map[llvm.Value]*Value{}, types: map[llvm.Type]*typ{}}
	for i := range h.NumParams() {
		f.params = append(f.params, f.value(h.Param(i)))
	}
	by := map[llvm.Block]*Block{}
	for _, hb := range h.Blocks() {
		b := &Block{h: hb, id: len(f.blocks)}
		by[hb] = b
		f.blocks = append(f.blocks, b)
		for _, hi := range hb.Instructions() {
			v := &Value{h: hi, op: hi.Opcode(), t: f.typ(hi.Type()), block: b, index: len(b.instrs), id: f.count}
			f.count++
			f.values[hi] = v
			b.instrs = append(b.instrs, v)
		}
		b.term = b.instrs[len(b.instrs)-1]
	}
	for _, b := range f.blocks {
		for _, v := range b.instrs {
			f.readOperands(v, by)
		}
		for i := range b.term.h.NumSuccessors() {
			s := by[b.term.h.Successor(i)]
			b.succs = append(b.succs, s)
			s.preds = append(s.preds, b)
		}
	}
	return f
}

func (f *Func) readOperands(v *Value, by map[llvm.Block]*Block) {
	n := 0
	switch v.op {
	case llvm.OpPHI:
		for i := range v.h.NumIncoming() {
			x, from := v.h.Incoming(i)
			v.from = append(v.from, by[from])
			f.use(v, x)
		}
		return
	case llvm.OpBr:
		if v.h.NumSuccessors() > 1 {
			f.use(v, v.h.Condition())
		}
		return
	case llvm.OpSwitch:
		f.use(v, v.h.Operand(0))
		return
	case llvm.OpCall:
		v.callee = v.h.Callee().Name()
		n = v.h.NumArgs()
	default:
		n = v.h.NumOperands()
	}
	for i := range n {
		f.use(v, v.h.Operand(i))
	}
}

func (f *Func) use(v *Value, h llvm.Value) {
	x := f.value(h)
	v.args = append(v.args, x)
	if x.isInstr() && !slices.Contains(x.users, v) {
		x.users = append(x.users, v)
	}
}

// value finds or reads an operand.
func (f *Func) value(h llvm.Value) *Value {
	if v := f.values[h]; v != nil {
		return v
	}
	v := &Value{h: h, t: f.typ(h.Type())}
	if h.IsConstant() {
		v.constant = true
		if v.isInt = h.IsConstantInt() && v.t.bits <= 64; v.isInt {
			v.num = h.Int()
		}
		v.undef = h.IsUndef()
	}
	f.values[h] = v
	return v
}

func (f *Func) typ(h llvm.Type) *typ {
	if t := f.types[h]; t != nil {
		return t
	}
	t := &typ{h: h, kind: h.Kind(), n: 1}
	f.types[h] = t
	switch t.kind {
	case llvm.IntegerKind:
		t.bits = h.Bits()
	case llvm.PointerKind:
		t.space = h.AddressSpace()
	case llvm.VectorKind:
		t.elem, t.n = f.typ(h.Elem()), h.VecLen()
	case llvm.ArrayKind:
		t.elem = f.typ(h.Elem())
	}
	switch t.kind {
	case llvm.IntegerKind, llvm.PointerKind, llvm.VectorKind, llvm.ArrayKind, llvm.StructKind, llvm.HalfKind, llvm.FloatKind, llvm.DoubleKind:
		t.size = int64(f.layout.Size(h))
	}
	return t
}

// steps calls fn for each index of a getelementptr: the index, and the size of what it counts in bytes. For a field of a
// structure the index is nil and the size is the field's offset.
func (f *Func) steps(gep *Value, fn func(index *Value, size int64)) {
	t := f.typ(gep.h.GEPElementType())
	for k, x := range gep.args[1:] {
		if k == 0 {
			fn(x, t.size)
			continue
		}
		if t.kind == llvm.StructKind {
			fn(nil, int64(f.layout.FieldOffset(t.h, int(x.num))))
			t = f.typ(t.h.Field(int(x.num)))
			continue
		}
		t = t.elem
		fn(x, t.size)
	}
}

// intrinsic is the name of the LLVM intrinsic a call names, without "llvm." and the types: "fma", "masked.load"; else "".
func (v *Value) intrinsic() string {
	s, ok := strings.CutPrefix(v.callee, "llvm.")
	if !ok {
		return ""
	}
	for {
		k := strings.LastIndexByte(s, '.')
		if k < 0 || !typeSuffix(s[k+1:]) {
			return s
		}
		s = s[:k]
	}
}

// typeSuffix recognises i32, f32, v4f32, p0, nxv4i1.
func typeSuffix(s string) bool {
	s = strings.TrimPrefix(s, "nx")
	digits := func(s string) string { return strings.TrimLeft(s, "0123456789") }
	if v, ok := strings.CutPrefix(s, "v"); ok {
		if t := digits(v); t != v {
			s = t
		}
	}
	return len(s) > 1 && strings.IndexByte("ifp", s[0]) >= 0 && digits(s[1:]) == ""
}
