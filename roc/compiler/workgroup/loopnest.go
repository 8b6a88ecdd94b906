package workgroup

import "slices"

// nest is the natural loops of a function, and an order of its blocks. Blocks that cannot be reached are left out, cycles with
// more than one entry are no loops.
type nest struct {
	f     *flow
	preds [][]*block // by index of the block
	idom  []*block   // immediate dominators, likewise; the entry's is the entry
	order []*block   // topological but for branches back, each loop's blocks together
	loops []*loop    // inner ones before those they are in
	inner []*loop    // the innermost loop of each block, nil if it is in none

	reverse []*block // reverse postorder
	number  []int    // position in it, -1: not reached
}

type loop struct {
	header  *block
	latches []*block // where the branches back are
	blocks  []*block
}

func readNest(f *flow) *nest {
	n := &nest{f: f, preds: make([][]*block, len(f.blocks)), idom: make([]*block, len(f.blocks)), inner: make([]*loop, len(f.blocks)),
		number: make([]int, len(f.blocks))}
	n.enumerate()
	for _, b := range n.reverse {
		for _, s := range b.succs {
			n.preds[s.index] = append(n.preds[s.index], b)
		}
	}
	n.dominators()
	n.findLoops()
	n.order = n.arrange(n.reverse, nil, newSet(len(f.blocks)))
	return n
}

// enumerate finds the blocks that are reached, in reverse postorder.
func (n *nest) enumerate() {
	seen := newSet(len(n.f.blocks))
	type step struct {
		b    *block
		next int
	}
	entry := n.f.blocks[0]
	seen.add(entry.index)
	for stack := []step{{entry, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.succs) {
			n.reverse = append(n.reverse, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := top.b.succs[top.next]
		top.next++
		if !seen.has(s.index) {
			seen.add(s.index)
			stack = append(stack, step{s, 0})
		}
	}
	slices.Reverse(n.reverse)
	for i := range n.number {
		n.number[i] = -1
	}
	for i, b := range n.reverse {
		n.number[b.index] = i
	}
}

// dominators is the iteration of Cooper, Harvey and Kennedy.
func (n *nest) dominators() {
	entry := n.reverse[0]
	n.idom[entry.index] = entry
	for changed := true; changed; {
		changed = false
		for _, b := range n.reverse[1:] {
			var d *block
			for _, p := range n.preds[b.index] {
				if n.idom[p.index] == nil {
					continue
				}
				if d == nil {
					d = p
					continue
				}
				for e := p; d != e; {
					for n.number[d.index] > n.number[e.index] {
						d = n.idom[d.index]
					}
					for n.number[e.index] > n.number[d.index] {
						e = n.idom[e.index]
					}
				}
			}
			if n.idom[b.index] != d {
				n.idom[b.index], changed = d, true
			}
		}
	}
}

func (n *nest) dominates(a, b *block) bool {
	for n.number[b.index] > n.number[a.index] {
		b = n.idom[b.index]
	}
	return a == b
}

// findLoops goes through the headers from the last, so that a loop comes after those inside it.
func (n *nest) findLoops() {
	for _, h := range slices.Backward(n.reverse) {
		var l *loop
		for _, p := range n.preds[h.index] {
			if n.dominates(h, p) {
				if l == nil {
					l = &loop{header: h}
				}
				l.latches = append(l.latches, p)
			}
		}
		if l == nil {
			continue
		}
		in := newSet(len(n.f.blocks))
		in.add(h.index)
		l.blocks = []*block{h}
		work := slices.Clone(l.latches)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !in.has(b.index) {
				in.add(b.index)
				l.blocks = append(l.blocks, b)
				work = append(work, n.preds[b.index]...)
			}
		}
		slices.SortFunc(l.blocks, func(a, b *block) int { return n.number[a.index] - n.number[b.index] })
		for _, b := range l.blocks {
			if n.inner[b.index] == nil {
				n.inner[b.index] = l
			}
		}
		n.loops = append(n.loops, l)
	}
}

// arrange puts the blocks of each loop, which are given in reverse postorder, behind its header.
func (n *nest) arrange(blocks []*block, within *loop, done set) (order []*block) {
	for _, b := range blocks {
		if done.has(b.index) {
			continue
		}
		if l := n.headed(b); l != nil && l != within {
			order = append(order, n.arrange(l.blocks, l, done)...)
			continue
		}
		done.add(b.index)
		order = append(order, b)
	}
	return order
}

// headed is the loop that a block is the header of.
func (n *nest) headed(b *block) *loop {
	for _, l := range n.loops {
		if l.header == b {
			return l
		}
	}
	return nil
}
