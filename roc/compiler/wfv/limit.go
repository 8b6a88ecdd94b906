package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// limit is a condition that only the first local ids of a row meet, or one of them: `lid < o`, `lid == 0`.
type limit struct {
	id, bound *Value
	is        llvm.Predicate // what id is to bound: less, less or equal, equal
}

// limitOf takes what decides that lanes leave b for its successor number slot for a limit. The bound is the same in all lanes.
func (g *gen) limitOf(b *Block, slot int) (limit, bool) {
	if !g.a.div[b] || len(b.succs) != 2 {
		return limit{}, false
	}
	c := b.term.args[0]
	if c.op != llvm.OpICmp || c.block != b || slices.ContainsFunc(b.instrs[c.index:], isBarrier) { // what is compared may not be known any more
		return limit{}, false
	}
	x, y, p := c.args[0], c.args[1], c.h.ICmpPredicate()
	if !g.isLocalID(x) {
		x, y, p = y, x, swapped(p)
	}
	if slot == 1 {
		p = inverse(p)
	}
	switch p {
	case llvm.IntEQ, llvm.IntULT, llvm.IntULE, llvm.IntSLT, llvm.IntSLE:
		return limit{x, y, p}, g.isLocalID(x) && g.a.of(y).isUniform()
	}
	return limit{}, false
}

// isLocalID: get_local_id(0), which fits 32 bits (smallGroup).
func (g *gen) isLocalID(v *Value) bool {
	for v.op == llvm.OpZExt || v.op == llvm.OpSExt || v.op == llvm.OpTrunc {
		if v.t.bits < 32 {
			return false
		}
		v = v.args[0]
	}
	q, ok := g.a.queries[v]
	return ok && q == workgroup.Query{Kind: workgroup.LocalID} && g.a.of(v).scalar()
}

// past: lane 0 is past the limit, and with it every lane of this vector and of those behind it.
func (g *gen) past(x limit) llvm.Value {
	p := x.is
	if p == llvm.IntEQ {
		p = llvm.IntULE
	}
	return g.b.ICmp(inverse(p), g.scalar(x.id), g.scalar(x.bound))
}

// within is how many lanes, from lane 0 on, are within a limit, no more than there are.
func (g *gen) within(x limit) llvm.Value {
	t := x.id.t.h
	n := g.b.Sub(g.scalar(x.bound), g.scalar(x.id))
	if x.is == llvm.IntULE || x.is == llvm.IntSLE {
		n = g.b.Add(n, g.num(t, 1))
	}
	most := g.num(t, int64(g.w))
	n = g.b.Select(g.b.ICmp(llvm.IntULT, n, most), n, most)
	return g.b.Select(g.past(x), t.Null(), n)
}
