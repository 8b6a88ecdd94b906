package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// Between barriers, what is stored under `if (lid < o)` is soon loaded again, by other lanes. Processors hand a store on to a load that comes
// before it has reached the cache, but not one under a mask, nor to a load that goes beyond it; the load waits. So such a
// block is there several times: for all lanes, the first half of them, a quarter and so on, without masks; and under a mask for other numbers.

// prefix is the limit that the lanes which run b are within, if b is to be there several times.
func (g *gen) prefix(b *Block) (limit, bool) {
	if g.region == nil || !g.full || g.w == 1 || len(b.preds) != 1 || len(b.succs) != 1 || len(b.phis()) > 0 {
		return limit{}, false
	}
	from := b.preds[0]
	if !g.p.allLanes(from) || from.loop != b.loop || !g.movesPrefix(b) {
		return limit{}, false
	}
	x, ok := g.limitOf(from, slices.Index(from.succs, b))
	return x, ok && x.is != llvm.IntEQ
}

// movesPrefix says whether b loads from and stores to consecutive memory, and leaves nothing but that.
func (g *gen) movesPrefix(b *Block) bool {
	stores := false
	for _, v := range b.instrs[:len(b.instrs)-1] {
		var p *Value
		t := v.t
		switch v.op {
		case llvm.OpLoad:
			p = v.args[0]
		case llvm.OpStore:
			p, t, stores = v.args[1], v.args[0].t, true
		case llvm.OpAlloca, llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg, llvm.OpFence:
			return false
		case llvm.OpCall:
			if !g.a.computes(v) {
				return false
			}
		}
		if p != nil {
			s := g.a.of(p)
			consecutive := s.scalar() && s.stride == t.size && t.n == 1
			if !plainAccess(v) || g.a.private[p] != nil || !consecutive && (v.op == llvm.OpStore || !s.isUniform()) {
				return false
			}
		}
		if g.escape[v] && !g.a.of(v).scalar() || slices.ContainsFunc(v.args, func(x *Value) bool { return x.isInstr() && x.block != b && !g.a.of(x).scalar() }) {
			return false
		}
	}
	return stores
}

// inPrefixes emits b for numbers of lanes.
func (g *gen) inPrefixes(b *Block, x limit) {
	masked, done := g.newBlock("masked"), g.newBlock("done")
	n := g.within(x)
	choose := g.b.Switch(n, masked, 0)
	for w := g.w; w > 0; w /= 2 {
		all := g.newBlock("first")
		choose.AddCase(g.num(n.Type(), int64(w)), all)
		g.b.AtEnd(all)
		g.inFirst(b, w)
		g.b.Br(done)
	}
	g.b.AtEnd(masked)
	g.scope(func() { g.body(b) })
	g.b.Br(done)
	done.MoveAfter(g.b.Block())
	g.b.AtEnd(done)
}

// inFirst emits b for its first w lanes, all on.
func (g *gen) inFirst(b *Block, w int) {
	width, entry, rep, notes := g.w, g.entry, g.p.rep[b], g.notes
	g.w, g.p.rep[b], g.notes = w, g.f.order[0], &Notes{}
	g.entry = g.all()
	g.scope(func() {
		g.wides, g.dense, g.masks = map[key][]llvm.Value{}, map[key]llvm.Value{}, map[*Block]llvm.Value{}
		g.body(b)
	})
	g.w, g.entry, g.p.rep[b], g.notes = width, entry, rep, notes
}
