package wfv

import "aqueduct/roc/compiler/llvm"

// eachInTurn is eachLane for what is long in itself: a loop over the lanes that are on, instead of a copy for each.
func (g *gen) eachInTurn(b *Block, t *typ, body func(lane llvm.Value) llvm.Value) llvm.Value {
	if g.w == 1 {
		return g.eachLane(b, t, body)
	}
	var result llvm.Value
	if t != nil {
		result = g.variable(g.vec(t.h))
		g.b.Store(g.vec(t.h).Undef(), result)
	}
	n := max(g.w, 8)
	all := g.c.Int(n)
	bits := g.resizeFrom(g.b.Cast(llvm.OpBitCast, g.mask(b), g.c.Int(g.w)), g.w, n)
	before := g.b.Block()
	test, turn, done := g.newBlock("turns"), g.newBlock("turn"), g.newBlock("turned")
	turn.MoveAfter(test)
	done.MoveAfter(turn)
	g.b.Br(test)
	g.b.AtEnd(test)
	left := g.b.Phi(all)
	left.AddIncoming(bits, before)
	g.b.CondBr(g.b.ICmp(llvm.IntNE, left, all.Null()), turn, done)
	g.b.AtEnd(turn)
	g.scope(func() {
		lane := g.resizeFrom(g.call(g.intrinsic("llvm.cttz", all), left, g.i1.ConstInt(0)), n, 32)
		if y := body(lane); t != nil {
			g.b.Store(g.b.InsertElement(g.b.Load(g.vec(t.h), result), y, lane), result)
		}
	})
	left.AddIncoming(g.b.And(left, g.b.Sub(left, all.ConstInt(1))), g.b.Block())
	g.keepRolled(g.b.Br(test))
	done.MoveAfter(g.b.Block())
	g.b.AtEnd(done)
	if t == nil {
		return 0
	}
	return g.b.Load(g.vec(t.h), result)
}

// ofLane gives a lane's value of v.
func (g *gen) ofLane(v *Value) func(lane llvm.Value) llvm.Value {
	s := g.a.of(v)
	switch {
	case v.constant:
		return func(llvm.Value) llvm.Value { return v.h }
	case s.isUniform():
		x := g.scalar(v)
		return func(llvm.Value) llvm.Value { return x }
	case s.scalar() && v.t.isPtr():
		x := g.scalar(v)
		return func(lane llvm.Value) llvm.Value {
			return g.b.GEP(g.i8, x, g.b.Mul(g.resizeFrom(lane, 32, 64), g.num(g.i64, s.stride)))
		}
	}
	w := g.wide(v)
	return func(lane llvm.Value) llvm.Value { return g.gatherLane(w, v.t, lane) }
}
