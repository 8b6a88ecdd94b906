package workgroup

import (
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Wrapper builds a native kernel: the function of package codeobject's convention that unpacks arguments and loops over
// work-groups. The form that runs a group's work-items fills the loop's body (Groups).
type Wrapper struct {
	Func    llvm.Value
	B       llvm.Builder
	Args    []llvm.Value // the kernel's arguments
	Context llvm.Value   // *codeobject.Context
	Local   llvm.Value   // its fields; Local in address space 3
	Frame   llvm.Value   // behind what Exchange takes of it

	// The NDRange, i64 each.
	Offset, Enqueued, NumGroups, GlobalSize [3]llvm.Value
	WorkDim                                 llvm.Value // i32
	blocks, remainder                       [3]llvm.Value

	// The group at hand, valid in the body of Groups, i64 each: its id, its size, the global id of its first work-item, and
	// its linear index in the NDRange.
	Group, Size, Origin [3]llvm.Value
	Index               llvm.Value

	// Last, if any, builds what the native kernel does when all its groups have run.
	Last func()

	// Exchange is how many bytes for each work-item the kernel's collective functions take at the start of the frame.
	Exchange  uint32
	exchanges [numKinds]llvm.Value

	m        llvm.Module
	c        llvm.Context
	i64      llvm.Type
	small    bool      // global ids are below smallGrid
	parallel *parallel // the work-items of a loop are independent; nil: not said
}

// NewWrapper declares the native kernel under the name symbol and unpacks its arguments. args says where each parameter
// of the kernel lies. The builder stands at the end of the entry block, in front of the loop over groups. An internal
// variant may have parameters more behind those of the convention.
func NewWrapper(m llvm.Module, kernel llvm.Value, symbol string, args []codeobject.ArgInfo, hiddenOffset uint32, more ...llvm.Type) *Wrapper {
	c := m.Context()
	w := &Wrapper{m: m, c: c, i64: c.I64(), B: c.NewBuilder()}
	ptr := c.Ptr(0)
	w.Func = m.AddFunction(symbol, llvm.Function(c.Void(), append([]llvm.Type{ptr, ptr, w.i64, w.i64}, more...)...))
	copyAttributes(kernel, w.Func)
	w.Func.RemoveAttribute(llvm.FunctionIndex, "alwaysinline")
	for i := range llvm.Index(2) {
		for _, a := range []string{"noalias", "readonly"} {
			w.Func.AddAttribute(i+1, c.EnumAttribute(a, 0))
		}
	}
	w.B.AtEnd(c.AppendBlock(w.Func, "entry"))
	kernarg := w.Func.Param(0)
	w.Context = w.Func.Param(1)
	w.Local = w.B.Cast(llvm.OpAddrSpaceCast, w.load(ptr, w.Context, int64(unsafe.Offsetof(codeobject.Context{}.Local)), 8), c.Ptr(spaceLocal))
	w.Frame = w.load(ptr, w.Context, int64(unsafe.Offsetof(codeobject.Context{}.Frame)), 8)
	for i, t := range kernel.ValueType().Params() {
		w.Args = append(w.Args, w.argument(kernel, i, t, kernarg, args[i]))
	}
	w.hidden(w.at(kernarg, int64(hiddenOffset)))
	w.placeExchange(kernel)
	return w
}

// argument unpacks one kernel argument. The kernarg segment is only known to be aligned to 8 bytes.
func (w *Wrapper) argument(kernel llvm.Value, i int, t llvm.Type, kernarg llvm.Value, a codeobject.ArgInfo) llvm.Value {
	offset := int64(a.Offset)
	switch {
	case a.Kind == codeobject.ArgLocal:
		return w.B.GEP(w.c.I8(), w.Local, w.B.Cast(llvm.OpZExt, w.load(w.c.I32(), kernarg, offset, 4), w.i64))
	case a.Kind == codeobject.ArgValue && t.Kind() == llvm.PointerKind: // a structure by value, see ownByval
		return w.at(kernarg, offset)
	}
	o := a.Offset | 8
	return w.load(t, kernarg, offset, int(o&-o))
}

// hidden decodes codeobject.HiddenArgs.
func (w *Wrapper) hidden(p llvm.Value) {
	var h codeobject.HiddenArgs
	i16, i32 := w.c.I16(), w.c.I32()
	wide := func(t llvm.Type, offset uintptr, d, size int) llvm.Value {
		return w.B.Cast(llvm.OpZExt, w.load(t, p, int64(offset)+int64(d*size), size), w.i64)
	}
	for d := range 3 {
		w.blocks[d] = wide(i32, unsafe.Offsetof(h.BlockCount), d, 4)
		w.Enqueued[d] = wide(i16, unsafe.Offsetof(h.GroupSize), d, 2)
		w.remainder[d] = wide(i16, unsafe.Offsetof(h.Remainder), d, 2)
		w.Offset[d] = w.load(w.i64, p, int64(unsafe.Offsetof(h.GlobalOffset))+int64(8*d), 8)
		partial := w.B.Cast(llvm.OpZExt, w.B.ICmp(llvm.IntNE, w.remainder[d], w.C(0)), w.i64)
		w.NumGroups[d] = w.B.Add(w.blocks[d], partial)
		w.GlobalSize[d] = w.B.Add(w.B.Mul(w.blocks[d], w.Enqueued[d]), w.remainder[d])
	}
	w.WorkDim = w.B.Cast(llvm.OpZExt, w.load(i16, p, int64(unsafe.Offsetof(h.GridDims)), 2), i32)
}

func (w *Wrapper) at(p llvm.Value, offset int64) llvm.Value {
	return w.B.InBoundsGEP(w.c.I8(), p, w.C(offset))
}

func (w *Wrapper) load(t llvm.Type, p llvm.Value, offset int64, align int) llvm.Value {
	l := w.B.Load(t, w.at(p, offset))
	l.SetAlign(align)
	return l
}

// Dispose frees the builder; the function stays.
func (w *Wrapper) Dispose() { w.B.Dispose() }

// C is an i64 constant.
func (w *Wrapper) C(v int64) llvm.Value { return w.i64.ConstInt(v) }

// Block appends a basic block to the native kernel.
func (w *Wrapper) Block(name string) llvm.Block { return w.c.AppendBlock(w.Func, name) }

// Variable makes a stack variable in the entry block.
func (w *Wrapper) Variable(t llvm.Type) llvm.Value {
	b := w.c.NewBuilder()
	defer b.Dispose()
	b.Before(w.Func.Entry().First())
	return b.Alloca(t)
}

// Groups builds the loop over the groups first to last and finishes the function. body builds what a group does, from
// the builder's place on; it may add blocks and must leave the builder where the group ends.
func (w *Wrapper) Groups(body func()) {
	b := w.B
	setup, group, exit := w.Block("setup"), w.Block("group"), w.Block("exit")
	first, last := w.Func.Param(2), w.Func.Param(3)
	b.CondBr(b.ICmp(llvm.IntULT, first, last), setup, exit)

	b.AtEnd(setup)
	y := b.BinOp(llvm.OpUDiv, first, w.NumGroups[0])
	start := [3]llvm.Value{b.BinOp(llvm.OpURem, first, w.NumGroups[0]), b.BinOp(llvm.OpURem, y, w.NumGroups[1]), b.BinOp(llvm.OpUDiv, y, w.NumGroups[1])}
	b.Br(group)

	b.AtEnd(group)
	w.Index = b.Phi(w.i64)
	index := w.Index
	index.AddIncoming(first, setup)
	var at [3]llvm.Value
	for d := range 3 {
		at[d] = b.Phi(w.i64)
		at[d].AddIncoming(start[d], setup)
	}
	for d := range 3 {
		w.Size[d] = b.Select(b.ICmp(llvm.IntEQ, at[d], w.blocks[d]), w.remainder[d], w.Enqueued[d])
		w.Group[d] = at[d]
		w.Origin[d] = b.Add(b.Mul(w.Group[d], w.Enqueued[d]), w.Offset[d])
	}
	body()
	end := b.Block()
	next := b.Add(index, w.C(1))
	index.AddIncoming(next, end)
	carry := w.C(1)
	for d := range 3 {
		sum := b.Add(at[d], carry)
		if d < 2 {
			wrap := b.ICmp(llvm.IntEQ, sum, w.NumGroups[d])
			sum = b.Select(wrap, w.C(0), sum)
			carry = b.Cast(llvm.OpZExt, wrap, w.i64)
		}
		at[d].AddIncoming(sum, end)
	}
	b.CondBr(b.ICmp(llvm.IntULT, next, last), group, exit)
	b.AtEnd(exit)
	w.end()
}

// end finishes the native kernel.
func (w *Wrapper) end() {
	if w.Last != nil {
		w.Last()
	}
	w.B.RetVoid()
}

// Loop builds `iv = 0; do body(iv) while ((iv += step) < n)`: n must not be zero. It returns the branch back, for
// metadata of the loop.
func (w *Wrapper) Loop(n llvm.Value, step int64, body func(iv llvm.Value)) llvm.Value {
	b, before := w.B, w.B.Block()
	head, exit := w.Block("loop"), w.Block("done")
	b.Br(head)
	b.AtEnd(head)
	iv := b.Phi(w.i64)
	iv.AddIncoming(w.C(0), before)
	body(iv)
	next := b.Add(iv, w.C(step))
	next.SetNSW(true)
	next.SetNUW(true)
	iv.AddIncoming(next, b.Block())
	back := b.CondBr(b.ICmp(llvm.IntULT, next, n), head, exit)
	exit.MoveAfter(b.Block())
	b.AtEnd(exit)
	return back
}

// Answer is the value of a query for the work-item with local id lid of the group at hand.
func (w *Wrapper) Answer(q Query, lid [3]llvm.Value) llvm.Value {
	switch q.Kind {
	case GlobalID:
		id := w.B.Add(w.Origin[q.Dim], lid[q.Dim])
		if w.small {
			f := w.m.Intrinsic("llvm.assume")
			// to LLVM an assumption is an access to memory
			w.parallel.accesses(w.B.Call(f.ValueType(), f, w.B.ICmp(llvm.IntULT, id, w.C(smallGrid))))
		}
		return id
	case LocalID:
		return lid[q.Dim]
	case GroupID:
		return w.Group[q.Dim]
	case GlobalSize:
		return w.GlobalSize[q.Dim]
	case LocalSize:
		return w.Size[q.Dim]
	case EnqueuedLocalSize:
		return w.Enqueued[q.Dim]
	case NumGroups:
		return w.NumGroups[q.Dim]
	case GlobalOffset:
		return w.Offset[q.Dim]
	case WorkDim:
		return w.WorkDim
	case Exchange, SubGroupExchange:
		return w.exchanges[q.Kind]
	case SubGroupID, SubGroupLocalID, SubGroupSize, MaxSubGroupSize, NumSubGroups, EnqueuedNumSubGroups:
		return w.subGroupAnswer(q.Kind, lid)
	case Lent:
		return w.Context
	case PrintBuffer:
		return w.load(w.c.Ptr(0), w.Context, int64(unsafe.Offsetof(codeobject.Context{}.Print)), 8)
	case Services:
		return w.load(w.c.Ptr(0), w.Context, int64(unsafe.Offsetof(codeobject.Context{}.Services)), 8)
	}
	return w.Local // GroupSegment
}

// Turned is the wrapper, in the body of Groups, with dimensions 0 and 1 in each other's places.
func (w *Wrapper) Turned() *Wrapper {
	t := *w
	for _, v := range []*[3]llvm.Value{&t.Offset, &t.Enqueued, &t.NumGroups, &t.GlobalSize, &t.Group, &t.Size, &t.Origin} {
		v[0], v[1] = v[1], v[0]
	}
	return &t
}

// copyAttributes gives a function what another has as a function: processor and its features above all, without which
// nothing is inlined into it.
func copyAttributes(from, to llvm.Value) {
	for _, a := range from.Attributes(llvm.FunctionIndex) {
		to.AddAttribute(llvm.FunctionIndex, a)
	}
}
