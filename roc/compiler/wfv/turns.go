package wfv

import "aqueduct/roc/compiler/llvm"

// inTurn is eachLane for what is long in itself, and for results of any type: a loop over the lanes that are on, instead of a
// copy for each. It returns the components of t, none if that is void.
func (g *gen) inTurn(b *Block, t *typ, body func(lane llvm.Value) llvm.Value) []llvm.Value {
	r := g.turnResults(t)
	r.turns(b, body)
	return r.values()
}

// turnResults are what lanes return in their turns: vectors in memory.
type turnResults struct {
	g    *gen
	t    *typ
	ts   []*typ
	vars []llvm.Value
}

func (g *gen) turnResults(t *typ) turnResults {
	r := turnResults{g: g, t: t}
	if t.kind != llvm.VoidKind {
		r.ts = g.components(t)
	}
	for _, t := range r.ts {
		x := g.variable(g.vec(t.h))
		g.b.Store(g.vec(t.h).Undef(), x)
		r.vars = append(r.vars, x)
	}
	return r
}

// turns runs body for each lane that is on.
func (r turnResults) turns(b *Block, body func(lane llvm.Value) llvm.Value) {
	g := r.g
	once := func(lane llvm.Value) {
		y := body(lane)
		if len(r.ts) == 0 {
			return
		}
		for i, x := range g.split(y, r.t) {
			if packedBits(r.ts[i]) {
				x = g.b.InsertElement(g.b.Load(g.vec(r.ts[i].h), r.vars[i]), x, lane)
				g.b.Store(x, r.vars[i])
			} else {
				g.b.Store(x, g.b.GEP(r.ts[i].h, r.vars[i], lane))
			}
		}
	}
	if g.w == 1 {
		g.when(g.any(g.mask(b)), func() { once(g.num(g.i32, 0)) })
	} else {
		g.eachOn(g.mask(b), once)
	}
}

func (r turnResults) values() []llvm.Value {
	var w []llvm.Value
	for i, t := range r.ts {
		w = append(w, r.g.b.Load(r.g.vec(t.h), r.vars[i]))
	}
	return w
}

// onCell is inTurn for a loop that works on a cell in place of p; body takes it.
func (g *gen) onCell(b *Block, t *typ, c cell, p llvm.Value, body func(cell, lane llvm.Value) llvm.Value) []llvm.Value {
	r := g.turnResults(t)
	at := g.variable(c.t)
	do := func() {
		first := g.b.Load(c.t, p)
		first.SetOrdering(llvm.Monotonic)
		before := g.b.Block()
		again := g.newBlock("again")
		g.b.Br(again)
		g.b.AtEnd(again)
		was := g.b.Phi(c.t)
		was.AddIncoming(first, before)
		g.b.Store(was, at)
		r.turns(b, func(lane llvm.Value) llvm.Value { return body(at, lane) })
		now := g.b.Load(c.t, at)
		try := g.newBlock("try")
		done := g.newBlock("done")
		done.MoveAfter(try)
		g.b.CondBr(g.b.ICmp(llvm.IntNE, now, was), try, done)
		g.b.AtEnd(try)
		found := g.b.CmpXchg(p, was, now, c.order, llvm.Monotonic)
		was.AddIncoming(g.b.ExtractValue(found, 0), try)
		g.b.CondBr(g.b.ExtractValue(found, 1), done, again)
		g.b.AtEnd(done)
	}
	g.whenAny(b, do)
	return r.values()
}

// eachOn is a loop over the lanes of a mask.
func (g *gen) eachOn(m llvm.Value, body func(lane llvm.Value)) {
	n := max(g.w, 8)
	all := g.c.Int(n)
	bits := g.resizeFrom(g.b.Cast(llvm.OpBitCast, m, g.c.Int(g.w)), g.w, n)
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
		body(g.resizeFrom(g.call(g.intrinsic("llvm.cttz", all), left, g.i1.ConstInt(0)), n, 32))
	})
	left.AddIncoming(g.b.And(left, g.b.Sub(left, all.ConstInt(1))), g.b.Block())
	g.keepRolled(g.b.Br(test))
	done.MoveAfter(g.b.Block())
	g.b.AtEnd(done)
}

// inMemory is ofLane for a lane whose number is not known: vectors are put in memory, once.
func (g *gen) inMemory(v *Value) func(lane llvm.Value) llvm.Value {
	ts := g.components(v.t)
	if g.w == 1 || v.constant || g.a.of(v).scalar() || len(ts) > 1 || v.t.kind == llvm.VectorKind || packedBits(ts[0]) {
		return g.ofLane(v)
	}
	p := g.variable(g.vec(v.t.h))
	g.b.Store(g.wide(v)[0], p)
	return func(lane llvm.Value) llvm.Value { return g.b.Load(v.t.h, g.b.GEP(v.t.h, p, lane)) }
}

// packedBits: elements of vectors of this type do not lie one after the other in memory.
func packedBits(t *typ) bool { return t.isInt() && t.bits < 8 }

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
