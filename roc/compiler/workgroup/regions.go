package workgroup

import "aqueduct/roc/compiler/llvm"

// regions runs a group of a resumable kernel with a loop over its work-items for each state: since the state is a constant
// in each, inlining leaves of the kernel what runs between two barriers, and LLVM can vectorise it. Work-items have to
// meet the same barrier then. Where control flow does not prove it, each loop compares what they reached, and if they
// differ, as when some return early, hands the group over to others: the native kernel made by rounds.
func (r *resumable) regions(w *Wrapper, others llvm.Value) {
	b, i32, p := w.B, w.c.I32(), w.parallel
	n := w.frameItems()
	all, any := w.Variable(i32), w.Variable(i32) // the states reached, and-ed and or-ed
	done, differ := w.Block("group.done"), w.Block("differ")
	blocks := make([]llvm.Block, r.barriers+1)
	for k := range blocks {
		blocks[k] = w.Block("region")
	}
	next := func(state int) llvm.Block {
		if state == 0 {
			return done
		}
		return blocks[state]
	}
	b.Br(blocks[0])
	for k, block := range blocks {
		b.AtEnd(block)
		if only, ok := r.exits[k].only(r.barriers + 1); ok {
			w.Items(func(lid [3]llvm.Value, index llvm.Value) {
				r.call(w, lid, w.Frame, n, index, i32.ConstInt(int64(k)))
			})
			b.Br(next(only))
			continue
		}
		b.Store(i32.ConstInt(-1), all)
		b.Store(i32.ConstInt(0), any)
		w.Items(func(lid [3]llvm.Value, index llvm.Value) {
			reached := r.call(w, lid, w.Frame, n, index, i32.ConstInt(int64(k)))
			p.accesses(b.Store(reached, r.states.address(b, w.c, w.Frame, n, index)))
			b.Store(b.And(b.Load(i32, all), reached), all)
			b.Store(b.Or(b.Load(i32, any), reached), any)
		})
		state, agree := b.Load(i32, all), w.Block("agree")
		b.CondBr(b.ICmp(llvm.IntEQ, state, b.Load(i32, any)), agree, differ)
		b.AtEnd(agree)
		to := b.Switch(state, done, r.barriers)
		for e := 1; e <= r.barriers; e++ {
			if r.exits[k].has(e) {
				to.AddCase(i32.ConstInt(int64(e)), blocks[e])
			}
		}
	}
	b.AtEnd(differ)
	w.callNative(others, w.Index, b.Add(w.Index, w.C(1)), w.c.I1().ConstInt(1))
	b.Br(done)
	b.AtEnd(done)
}

// only is the one element below n that a set has, if it has just one.
func (s set) only(n int) (element int, ok bool) {
	for i := range n {
		if s.has(i) {
			if ok {
				return 0, false
			}
			element, ok = i, true
		}
	}
	return element, ok
}
