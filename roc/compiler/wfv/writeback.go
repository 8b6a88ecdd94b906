package wfv

import (
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// A lane that has read a place may have its element written back with what is there, when another lane of its vector stores:
// no other work-item can write there meanwhile without a race, since this one neither synchronises between the read and the
// store nor anywhere else. It is for processors whose masked stores are slow.

// readBefore is a mask of lanes that have read what a store under its address is to change; zero if none are known to have.
// It includes the lanes that store.
func (g *gen) readBefore(x access) llvm.Value {
	if x.n != 1 || !g.unsynchronised() {
		return 0
	}
	for _, u := range x.p.users {
		if u.op != llvm.OpLoad || u.t.size != x.t.size || u.h.IsVolatile() || u.h.Ordering() != llvm.NotAtomic || !dominates(u.block, x.b) {
			continue
		}
		if u.block == x.b && u.index > x.v.index || u.block.loop != nil && !u.block.loop.blocks[x.b] {
			continue
		}
		if g.p.rep[u.block] == g.p.rep[x.b] {
			continue // the lanes that store, no others
		}
		return g.mask(u.block)
	}
	return 0
}

// storeOneByOne stores the elements that a mask names, in a loop over them.
func (g *gen) storeOneByOne(x access, y, p, m llvm.Value) {
	values := g.variable(y.Type())
	g.b.Store(y, values)
	n := max(g.w, 64)
	word := g.c.Int(n)
	bits := g.resizeFrom(g.b.Cast(llvm.OpBitCast, m, g.c.Int(g.w)), g.w, n)
	before, loop, done := g.b.Block(), g.newBlock("lane"), g.newBlock("lanes")
	done.MoveAfter(loop)
	zero := word.Null()
	g.b.CondBr(g.b.ICmp(llvm.IntNE, bits, zero), loop, done)
	g.b.AtEnd(loop)
	left := g.b.Phi(word)
	left.AddIncoming(bits, before)
	lane := g.resizeFrom(g.call(g.intrinsic("llvm.cttz", word), left, g.i1.ConstInt(1)), n, 64)
	g.b.Store(g.b.Load(x.elem.h, g.b.GEP(x.elem.h, values, lane)), g.b.GEP(x.elem.h, p, lane)).SetAlign(x.align)
	rest := g.b.And(left, g.b.Sub(left, g.num(word, 1)))
	left.AddIncoming(rest, loop)
	g.keepRolled(g.b.CondBr(g.b.ICmp(llvm.IntNE, rest, zero), loop, done))
	g.b.AtEnd(done)
}

// unsynchronised says whether the kernel has nothing by which work-items might order their accesses.
func (g *gen) unsynchronised() bool {
	if g.quiet == nil {
		quiet := g.region == nil
		for _, b := range g.f.order {
			for _, v := range b.instrs {
				switch v.op {
				case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg, llvm.OpFence:
					quiet = false
				case llvm.OpLoad, llvm.OpStore:
					quiet = quiet && v.h.Ordering() == llvm.NotAtomic
				case llvm.OpCall:
					_, query := g.a.queries[v]
					quiet = quiet && (query || v.intrinsic() != "" && !workgroup.IsBarrier(v.callee))
				}
			}
		}
		g.quiet = &quiet
	}
	return *g.quiet
}
