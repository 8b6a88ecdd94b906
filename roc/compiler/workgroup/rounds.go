package workgroup

import "aqueduct/roc/compiler/llvm"

// lowerRounds runs the work-items of a group in rounds: in each, every item that has not returned runs to its next
// barrier, whichever that is. Work-items that disagree about barriers, which OpenCL C forbids, still come to their end.
func lowerRounds(m llvm.Module, w *Wrapper, r *resumable) {
	b, i32 := w.B, m.Context().I32()
	pending := b.Alloca(i32) // some item waits at a barrier
	first := b.Alloca(m.Context().I1())
	w.Groups(func() {
		items := b.Mul(b.Mul(w.Size[0], w.Size[1]), w.Size[2])
		n := b.And(b.Add(items, w.C(63)), w.C(^63))
		b.Store(m.Context().I1().ConstInt(1), first)
		round, done := w.Block("round"), w.Block("group.done")
		b.Br(round)
		b.AtEnd(round)
		b.Store(i32.ConstInt(0), pending)
		start := b.Load(m.Context().I1(), first)
		w.Items(func(lid [3]llvm.Value, index llvm.Value) {
			at := r.states.address(b, m.Context(), w.Frame, n, index)
			state := b.Select(start, i32.ConstInt(0), b.Load(i32, at))
			run, next := w.Block("run"), w.Block("next")
			b.CondBr(b.Or(start, b.ICmp(llvm.IntNE, state, i32.ConstInt(0))), run, next)
			b.AtEnd(run)
			reached := r.call(w, lid, w.Frame, n, index, state)
			b.Store(reached, at)
			b.Store(b.Or(b.Load(i32, pending), reached), pending)
			b.Br(next)
			b.AtEnd(next)
		})
		b.Store(m.Context().I1().ConstInt(0), first)
		b.CondBr(b.ICmp(llvm.IntNE, b.Load(i32, pending), i32.ConstInt(0)), round, done)
		b.AtEnd(done)
	})
}
