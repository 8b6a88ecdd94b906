package workgroup

import "aqueduct/roc/compiler/llvm"

// rounds runs a group of a resumable kernel in rounds: in each, every item that has not returned runs to its next barrier,
// whichever that is. Work-items that disagree about barriers, which OpenCL C forbids, still come to their end. With
// resumed, an i1, the first round goes on from the states in the frame.
func (r *resumable) rounds(w *Wrapper, resumed llvm.Value) {
	b, i32 := w.B, w.c.I32()
	n := w.frameItems()
	pending := w.Variable(i32) // the states that items reached, or-ed
	start := b.Not(resumed)
	before, round, done := b.Block(), w.Block("round"), w.Block("group.done")
	b.Br(round)
	b.AtEnd(round)
	fresh := b.Phi(w.c.I1())
	fresh.AddIncoming(start, before)
	b.Store(i32.ConstInt(0), pending)
	w.Items(func(lid [3]llvm.Value, index llvm.Value) {
		at := r.states.address(b, w.c, w.Frame, n, index)
		state := b.Select(fresh, i32.ConstInt(0), b.Load(i32, at))
		run, next := w.Block("run"), w.Block("next")
		b.CondBr(b.Or(fresh, b.ICmp(llvm.IntNE, state, i32.ConstInt(0))), run, next)
		b.AtEnd(run)
		reached := r.call(w, lid, w.Frame, n, index, state)
		b.Store(reached, at)
		b.Store(b.Or(b.Load(i32, pending), reached), pending)
		b.Br(next)
		b.AtEnd(next)
	})
	fresh.AddIncoming(w.c.I1().ConstInt(0), b.Block())
	b.CondBr(b.ICmp(llvm.IntNE, b.Load(i32, pending), i32.ConstInt(0)), round, done)
	b.AtEnd(done)
}

// frameItems is the N of the frame's layout for the group at hand.
func (w *Wrapper) frameItems() llvm.Value {
	return w.padded(w.items(w.Size))
}

// padded rounds a number of work-items up as frames do.
func (w *Wrapper) padded(items llvm.Value) llvm.Value {
	return w.B.And(w.B.Add(items, w.C(63)), w.C(^63))
}
