package workgroup

import (
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// In scalar form, functions of sub-groups (OpenCL C 3.0 section 6.15.19, builtins/sub_group.h) come down to two that nothing defines:
//
//	void aqueduct_sub_group_meet(void);     waits for the work-items of the sub-group that are on the same path
//	uint aqueduct_sub_group_active(void);   behind it: who met, a bit for each get_sub_group_local_id()
//
// A kernel that calls them becomes resumable at each meeting, as at barriers. Work-items of a sub-group that have come to
// different meetings diverged; they go on in the order of the code, those at the first meeting first, so that they come
// together again where their paths do. Loops, where paths part by going round more or less often, have a meeting at their end
// (meetInLoops). Sub-groups take turns at every meeting, and loops that wait for memory to change have one, so each makes
// progress whatever the others do (CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS).
const (
	subGroupMeet   = "aqueduct_sub_group_meet"
	subGroupActive = "aqueduct_sub_group_active"
)

// usesSubGroups says whether a kernel, whose functions of lanes are inlined, can tell one sub-group from another.
func usesSubGroups(m llvm.Module, kernel llvm.Value) bool {
	for q := range Queries(m, kernel) {
		if q.OfSubGroup() {
			return true
		}
	}
	return calls(m, kernel, subGroupMeet)
}

const subGroupLog = 4 // of the size

var _ [codeobject.SubGroupSize]struct{} = [1 << subGroupLog]struct{}{}

// subGroupAnswer is the value of a query about sub-groups for the work-item with local id lid.
func (w *Wrapper) subGroupAnswer(k QueryKind, lid [3]llvm.Value) llvm.Value {
	b, i32 := w.B, w.c.I32()
	number := func(v int64) llvm.Value { return i32.ConstInt(v) }
	narrow := func(v llvm.Value) llvm.Value { return b.Cast(llvm.OpTrunc, v, i32) }
	count := func(size [3]llvm.Value) llvm.Value {
		return b.BinOp(llvm.OpLShr, b.Add(narrow(w.items(size)), number(codeobject.SubGroupSize-1)), number(subGroupLog))
	}
	linear := func() llvm.Value {
		return narrow(b.Add(b.Mul(b.Add(b.Mul(lid[2], w.Size[1]), lid[1]), w.Size[0]), lid[0]))
	}
	switch k {
	case SubGroupID:
		return b.BinOp(llvm.OpLShr, linear(), number(subGroupLog))
	case SubGroupLocalID:
		return b.And(linear(), number(codeobject.SubGroupSize-1))
	case SubGroupSize:
		return w.subGroupItems(narrow(w.items(w.Size)), b.And(linear(), number(-codeobject.SubGroupSize)))
	case NumSubGroups:
		return count(w.Size)
	case EnqueuedNumSubGroups:
		return count(w.Enqueued)
	}
	return number(codeobject.SubGroupSize) // MaxSubGroupSize
}

// subGroupItems is how many of items work-items are in the sub-group that starts with number first.
func (w *Wrapper) subGroupItems(items, first llvm.Value) llvm.Value {
	left, size := w.B.Sub(items, first), items.Type().ConstInt(codeobject.SubGroupSize)
	return w.B.Select(w.B.ICmp(llvm.IntULT, left, size), left, size)
}

// lowerSubGroups makes the native kernel of one whose sub-groups meet.
func lowerSubGroups(m llvm.Module, kernel llvm.Value, meets, barriers []llvm.Value, o Options, r *Report) {
	w := newWrapper(m, kernel, r.Symbol, o)
	defer w.Dispose()
	PlainAtomics(m, kernel, spaceLocal)
	re := makeResumable(m, kernel, append(meets, barriers...), nil)
	r.FramePerItem = w.Exchange + re.frame.perItem
	w.Groups(func() { re.subGroups(w, int64(len(meets))) })
}

// subGroups runs a group of a resumable kernel whose states 1 to meets are meetings of sub-groups, and those above barriers. In
// a sweep each sub-group makes one step: the work-items at the first meeting at which some are go on. When none is at a meeting
// all have come to a barrier or to their end, and the next sweep releases them.
func (r *resumable) subGroups(w *Wrapper, meets int64) {
	b, i1, i32 := w.B, w.c.I1(), w.c.I32()
	zero := i32.ConstInt(0)
	n, items := w.frameItems(), w.items(w.Size)
	count := b.BinOp(llvm.OpLShr, b.Add(items, w.C(codeobject.SubGroupSize-1)), w.C(subGroupLog))
	low, set, moved := w.Variable(i32), w.Variable(i32), w.Variable(i32)
	before, sweep, release, done := b.Block(), w.Block("sweep"), w.Block("release"), w.Block("group.done")
	b.Br(sweep)

	b.AtEnd(sweep)
	fresh, released := b.Phi(i1), b.Phi(i1) // nobody has started; all go on, whatever they wait for
	fresh.AddIncoming(i1.ConstInt(1), before)
	released.AddIncoming(i1.ConstInt(1), before)
	b.Store(zero, moved)
	state := func(index llvm.Value) llvm.Value { return r.states.address(b, w.c, w.Frame, n, index) }
	w.Loop(count, 1, func(g llvm.Value) {
		first := b.Mul(g, w.C(codeobject.SubGroupSize))
		size := w.subGroupItems(items, first)
		b.Store(i32.ConstInt(-1), low)
		w.Loop(size, 1, func(l llvm.Value) {
			s := b.Sub(b.Load(i32, state(b.Add(first, l))), i32.ConstInt(1)) // the end becomes the highest
			old := b.Load(i32, low)
			b.Store(b.Select(b.ICmp(llvm.IntULT, s, old), s, old), low)
		})
		at := b.Load(i32, low)
		meeting := b.ICmp(llvm.IntULT, at, i32.ConstInt(meets))
		b.Store(zero, set)
		w.Loop(size, 1, func(l llvm.Value) {
			s := b.Load(i32, state(b.Add(first, l)))
			live := b.Or(fresh, b.ICmp(llvm.IntNE, s, zero))
			first := b.And(meeting, b.ICmp(llvm.IntEQ, b.Sub(s, i32.ConstInt(1)), at))
			bit := b.Cast(llvm.OpZExt, b.Select(released, live, first), i32)
			bit = b.BinOp(llvm.OpShl, bit, b.Cast(llvm.OpTrunc, l, i32))
			b.Store(b.Or(b.Load(i32, set), bit), set)
		})
		active := b.Load(i32, set)
		b.Store(b.Or(b.Load(i32, moved), active), moved)
		w.Loop(size, 1, func(l llvm.Value) {
			run, next := w.Block("run"), w.Block("next")
			bit := b.BinOp(llvm.OpLShr, active, b.Cast(llvm.OpTrunc, l, i32))
			b.CondBr(b.Cast(llvm.OpTrunc, bit, i1), run, next)
			b.AtEnd(run)
			index := b.Add(first, l)
			from := b.Select(fresh, zero, b.Load(i32, state(index)))
			b.Store(r.call(w, w.localID(index), w.Frame, n, index, from, active), state(index))
			b.Br(next)
			b.AtEnd(next)
		})
	})
	more := func(from llvm.Block, all int64) {
		fresh.AddIncoming(i1.ConstInt(0), from)
		released.AddIncoming(i1.ConstInt(all), from)
	}
	more(b.Block(), 0)
	b.CondBr(b.ICmp(llvm.IntNE, b.Load(i32, moved), zero), sweep, release)

	b.AtEnd(release)
	b.Store(zero, set)
	w.Loop(items, 1, func(index llvm.Value) {
		b.Store(b.Or(b.Load(i32, set), b.Load(i32, state(index))), set)
	})
	more(b.Block(), 1)
	b.CondBr(b.ICmp(llvm.IntNE, b.Load(i32, set), zero), sweep, done)
	b.AtEnd(done)
}

// localID is the local id of the work-item with a linear one.
func (w *Wrapper) localID(index llvm.Value) (lid [3]llvm.Value) {
	b, i32 := w.B, w.c.I32()
	rest := b.Cast(llvm.OpTrunc, index, i32) // half as long to divide
	for d := range 2 {
		size := b.Cast(llvm.OpTrunc, w.Size[d], i32)
		lid[d] = b.Cast(llvm.OpZExt, b.BinOp(llvm.OpURem, rest, size), w.i64)
		rest = b.BinOp(llvm.OpUDiv, rest, size)
	}
	lid[2] = b.Cast(llvm.OpZExt, rest, w.i64)
	return lid
}
