package wfv

import "aqueduct/roc/compiler/llvm"

// Lanes that access consecutive memory in the order l^flip, as in butterfly exchanges: the vector is accessed as it lies, and
// its elements change places.

// exchange is the vector whose lane l is lane l^flip of x. Where flip is zero, which is most often and known to the branch
// predictor, nothing is done; else pairs change places bit by bit of flip.
func (g *gen) exchange(x, flip llvm.Value) llvm.Value {
	result := g.variable(x.Type())
	g.b.Store(x, result)
	zero := g.num(g.i32, 0)
	g.when(g.b.ICmp(llvm.IntNE, flip, zero), func() {
		for bit := 1; bit < g.w; bit *= 2 {
			on := g.b.ICmp(llvm.IntNE, g.b.And(flip, g.num(g.i32, int64(bit))), zero)
			x = g.b.Select(on, g.pick(x, func(l int) int { return l ^ bit }, g.w), x)
		}
		g.b.Store(x, result)
	})
	return g.b.Load(x.Type(), result)
}

// exchangeMask is exchange for a mask.
func (g *gen) exchangeMask(m, flip llvm.Value) llvm.Value {
	t := g.vec(g.i32)
	return g.b.ICmp(llvm.IntNE, g.exchange(g.b.Cast(llvm.OpSExt, m, t), flip), t.Null())
}

// loadInOrder loads what a chain's lanes have, whose condition holds. Memory that no lane accesses is not touched.
func (g *gen) loadInOrder(x access, c chain) llvm.Value {
	switch step := int(c.stride / x.t.size); {
	case step == -1:
		return g.loadBackwards(x, c.base)
	case step > 1:
		wanted := make([]bool, step)
		wanted[0] = true
		return g.rearrange(g.loadParts(x, c.base, wanted), g.w, func(lane int) int { return lane * step })
	case c.flip == 0:
		return g.loadRun(x, c.base)
	}
	if g.allOn(x.b) {
		return g.exchange(g.loadRun(x, c.base), c.flip)
	}
	return g.exchange(g.loadMasked(x, c.base, g.exchangeMask(g.mask(x.b), c.flip)), c.flip)
}

func (g *gen) storeInOrder(x access, y llvm.Value, c chain) {
	switch {
	case c.flip == 0:
		g.storeRun(x, y, c.base)
	case g.allOn(x.b):
		g.storeRun(x, g.exchange(y, c.flip), c.base)
	default:
		g.storeMasked(x, g.exchange(y, c.flip), c.base, g.exchangeMask(g.mask(x.b), c.flip))
	}
}
