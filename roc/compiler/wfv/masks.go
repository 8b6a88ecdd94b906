package wfv

import "aqueduct/roc/compiler/llvm"

// Masks are <W x i1> where they are computed and used. Between blocks, processors without mask registers keep them as
// vectors of integers as wide as the usual data: LLVM would pack a vector of bits into bytes there, and unpack it again.

// maskSlot is the type of a variable that holds a mask.
func (g *gen) maskSlot() llvm.Type {
	if g.target.AVX512 || g.w < 4 {
		return g.vec(g.i1)
	}
	return g.vec(g.i32)
}

func (g *gen) saveMask(m, variable llvm.Value) {
	if t := g.maskSlot(); t != g.vec(g.i1) {
		m = g.b.Cast(llvm.OpSExt, m, t)
	}
	g.b.Store(m, variable)
}

func (g *gen) loadMask(variable llvm.Value) llvm.Value {
	t := g.maskSlot()
	m := g.b.Load(t, variable)
	if t != g.vec(g.i1) {
		m = g.b.ICmp(llvm.IntSLT, m, t.Null())
	}
	return m
}

// mask are the lanes that run b.
func (g *gen) mask(b *Block) llvm.Value {
	r := g.p.rep[b]
	if r == g.f.order[0] {
		return g.entry
	}
	m, ok := g.masks[r]
	if !ok {
		m = g.loadMask(g.maskVar[r])
		g.masks[r] = m
	}
	return m
}

// both: a plain `and` would spread the poison of lanes that are off.
func (g *gen) both(m, c llvm.Value) llvm.Value {
	if m == g.all() {
		return c
	}
	return g.b.Select(m, c, g.none())
}

// any lane is on.
func (g *gen) any(m llvm.Value) llvm.Value {
	n := g.w
	if t := g.maskSlot(); t != g.vec(g.i1) {
		// One register's worth of integers, compared with zero whole.
		m = g.b.Cast(llvm.OpSExt, m, t)
		for ; n > 8; n /= 2 {
			m = g.b.Or(g.part(m, 0, n/2), g.part(m, n/2, n/2))
		}
		n *= 32
	}
	bits := g.b.Cast(llvm.OpBitCast, m, g.c.Int(n))
	return g.b.ICmp(llvm.IntNE, bits, g.c.Int(n).Null())
}

// mayBeEmpty: b may run when no lane is on.
func (g *gen) mayBeEmpty(b *Block) bool { return !g.p.nonEmpty[g.p.rep[b]] }
