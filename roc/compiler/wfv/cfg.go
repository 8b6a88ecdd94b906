package wfv

import (
	"maps"
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// analyse fills in dominators, post-dominators, loops and the linear order. The function must be reducible, with one header
// a loop and one latch (fix-irreducible and loop-simplify see to it); it says
// whether that holds.
func (f *Func) analyse() bool {
	n := len(f.blocks)
	idom, rpo := dominators(n, 0, func(i int) []int { return ids(f.blocks[i].succs) }, func(i int) []int { return ids(f.blocks[i].preds) })
	if len(rpo) != n { // unreachable blocks
		return false
	}
	// Post-dominators, with a virtual exit n.
	var exits []int
	for _, b := range f.blocks {
		if len(b.succs) == 0 {
			exits = append(exits, b.id)
		}
	}
	if len(exits) != 1 || f.blocks[exits[0]].term.op != llvm.OpRet {
		return false
	}
	ipdom, back := dominators(n+1, n, func(i int) []int {
		if i == n {
			return exits
		}
		return ids(f.blocks[i].preds)
	}, func(i int) []int {
		switch {
		case i == n:
			return nil
		case len(f.blocks[i].succs) == 0:
			return []int{n}
		}
		return ids(f.blocks[i].succs)
	})
	if len(back) != n+1 { // a loop without exit
		return false
	}
	for i, b := range f.blocks {
		if idom[i] >= 0 {
			b.idom = f.blocks[idom[i]]
		}
		if ipdom[i] >= 0 && ipdom[i] < n {
			b.ipdom = f.blocks[ipdom[i]]
		}
	}
	if !f.reducible(rpo) {
		return false
	}
	if !f.findLoops() {
		return false
	}
	for _, l := range f.loops {
		l.findNext()
	}
	f.order = f.linear(nil, f.blocks[0])
	for i, b := range f.order {
		b.pos = i
	}
	return true
}

func ids(bs []*Block) []int {
	r := make([]int, len(bs))
	for i, b := range bs {
		r[i] = b.id
	}
	return r
}

// dominators is the algorithm of Cooper, Harvey and Kennedy on nodes 0..n-1 with root r: immediate dominators (-1: the root
// and what cannot be reached) and the reachable nodes in reverse post-order.
func dominators(n, r int, succ, pred func(int) []int) (idom, rpo []int) {
	idom, num := make([]int, n), make([]int, n)
	for i := range idom {
		idom[i], num[i] = -1, -1
	}
	rpo = postOrder(n, r, succ)
	slices.Reverse(rpo)
	for i, v := range rpo {
		num[v] = i
	}
	idom[r] = r
	for changed := true; changed; {
		changed = false
		for _, v := range rpo[1:] {
			d := -1
			for _, p := range pred(v) {
				if num[p] < 0 || idom[p] < 0 {
					continue
				}
				if d < 0 {
					d = p
					continue
				}
				for a := p; a != d; {
					for num[a] > num[d] {
						a = idom[a]
					}
					for num[d] > num[a] {
						d = idom[d]
					}
				}
			}
			if d != idom[v] {
				idom[v], changed = d, true
			}
		}
	}
	idom[r] = -1
	return idom, rpo
}

// postOrder is a depth-first walk without recursion, since kernels may have thousands of blocks in a row.
func postOrder(n, root int, succ func(int) []int) []int {
	type frame struct {
		v    int
		rest []int
	}
	seen := make([]bool, n)
	var order []int
	stack := []frame{{root, succ(root)}}
	seen[root] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.rest) == 0 {
			order = append(order, top.v)
			stack = stack[:len(stack)-1]
			continue
		}
		s := top.rest[0]
		top.rest = top.rest[1:]
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, succ(s)})
		}
	}
	return order
}

// reducible: every edge that goes back in reverse post-order goes to a dominator.
func (f *Func) reducible(rpo []int) bool {
	num := make([]int, len(f.blocks))
	for i, v := range rpo {
		num[v] = i
	}
	for _, b := range f.blocks {
		for _, s := range b.succs {
			if num[s.id] <= num[b.id] && !dominates(s, b) {
				return false
			}
		}
	}
	return true
}

// findLoops finds the natural loops, and says whether each has one latch and is entered from one block.
func (f *Func) findLoops() bool {
	byHeader := map[*Block]*Loop{}
	for _, b := range f.blocks {
		for _, s := range b.succs {
			if !dominates(s, b) {
				continue
			}
			if byHeader[s] != nil {
				return false
			}
			l := &Loop{header: s, blocks: map[*Block]bool{s: true}}
			byHeader[s] = l
			f.loops = append(f.loops, l)
			for work := []*Block{b}; len(work) > 0; {
				x := work[len(work)-1]
				work = work[:len(work)-1]
				if !l.blocks[x] {
					l.blocks[x] = true
					work = append(work, x.preds...)
				}
			}
		}
	}
	slices.SortStableFunc(f.loops, func(a, b *Loop) int { return len(b.blocks) - len(a.blocks) })
	for _, l := range f.loops { // big to small: the last writer is the innermost
		l.parent = l.header.loop
		if l.parent != nil {
			l.depth = l.parent.depth + 1
		}
		for b := range l.blocks {
			b.loop = l
		}
		if len(l.header.preds) != 2 {
			return false
		}
	}
	return true
}

// findNext fills in the loop's own post-dominators. Those of the function do not tell who passes a block together: where a loop
// has one exit, every lane passes it before it is done, but each in another turn.
func (l *Loop) findNext() {
	blocks := slices.SortedFunc(maps.Keys(l.blocks), func(a, b *Block) int { return a.id - b.id })
	n := len(blocks) // stands for what comes after the turn
	index := map[*Block]int{}
	for i, b := range blocks {
		index[b] = i
	}
	succs, preds := make([][]int, n+1), make([][]int, n+1)
	for i, b := range blocks {
		for _, s := range b.succs {
			to := n
			if l.blocks[s] && s != l.header {
				to = index[s]
			}
			succs[i] = append(succs[i], to)
			preds[to] = append(preds[to], i)
		}
	}
	next, _ := dominators(n+1, n, func(i int) []int { return preds[i] }, func(i int) []int { return succs[i] })
	l.next = map[*Block]*Block{}
	for i, b := range blocks {
		if j := next[i]; j >= 0 && j < n {
			l.next[b] = blocks[j]
		}
	}
}

// after is the immediate post-dominator of b within one turn of l, or in the function if l is nil; nil: none.
func (l *Loop) after(b *Block) *Block {
	if l == nil {
		return b.ipdom
	}
	return l.next[b]
}

// gathers says whether all lanes that come by d, in one turn of l, come by b later in it, or are there.
func (l *Loop) gathers(b, d *Block) bool {
	for ; d != nil; d = l.after(d) {
		if d == b {
			return true
		}
	}
	return false
}

func dominates(a, b *Block) bool {
	for ; b != nil; b = b.idom {
		if a == b {
			return true
		}
	}
	return false
}

func postdominates(a, b *Block) bool {
	for ; b != nil; b = b.ipdom {
		if a == b {
			return true
		}
	}
	return false
}

// linear lists the blocks of loop l (nil: of the function), inner loops contracted to one node, so that the order is
// topological, loops are contiguous, and so are the blocks dominated by one block at a level.
func (f *Func) linear(l *Loop, head *Block) []*Block {
	// child is the node at this level that holds b: itself, or the header of a loop inside l.
	child := func(b *Block) *Block {
		inner := b.loop
		if inner == l {
			return b
		}
		for inner.parent != l {
			inner = inner.parent
		}
		return inner.header
	}
	inside := func(b *Block) bool { return l == nil || l.blocks[b] }
	nodes := []*Block{head}
	index := map[*Block]int{head: 0}
	for _, b := range f.blocks {
		if !inside(b) {
			continue
		}
		c := child(b)
		if _, ok := index[c]; !ok {
			index[c] = len(nodes)
			nodes = append(nodes, c)
		}
	}
	n := len(nodes)
	succ, pred := make([][]int, n), make([][]int, n)
	for _, b := range f.blocks {
		if !inside(b) {
			continue
		}
		u := index[child(b)]
		for _, s := range b.succs {
			if !inside(s) || s == head && l != nil {
				continue
			}
			if v := index[child(s)]; u != v {
				succ[u] = append(succ[u], v)
				pred[v] = append(pred[v], u)
			}
		}
	}
	idom, rpo := dominators(n, 0, func(i int) []int { return succ[i] }, func(i int) []int { return pred[i] })
	kids := make([][]int, n)
	for _, v := range rpo {
		if idom[v] >= 0 {
			kids[idom[v]] = append(kids[idom[v]], v)
		}
	}
	var out []*Block
	var walk func(int)
	walk = func(v int) {
		if b := nodes[v]; b.loop != l {
			out = append(out, f.linear(b.loop, b)...)
		} else {
			out = append(out, b)
		}
		for _, k := range kids[v] {
			walk(k)
		}
	}
	walk(0)
	return out
}
