package wfv

import (
	"maps"
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// emit fills the wide function: a block of variables, the dispatch over continuations, then the kernel's blocks in linear order.
func (g *gen) emit() {
	declare := g.c.AppendBlock(g.fn, "variables")
	g.vars.AtEnd(declare)
	for _, b := range g.f.order {
		g.blocks[b] = g.c.AppendBlock(g.fn, "b")
	}
	g.findEscapes()
	g.findGroups()
	g.declarePhis()
	start := g.c.AppendBlock(g.fn, "start")
	start.MoveAfter(declare)
	g.b.AtEnd(start)
	g.forget()
	g.entry = g.all()
	if !g.full {
		active := g.b.Cast(llvm.OpTrunc, g.fn.Param(g.active), g.i32)
		g.entry = g.b.ICmp(llvm.IntULT, g.series(g.i32, 1), g.splat(active, g.w))
	}
	g.reset(nil)
	first := g.blocks[g.f.order[0]]
	if g.region != nil {
		g.state = g.b.Switch(g.fn.Param(g.active+2), first, len(g.region.barriers))
	} else {
		g.b.Br(first)
	}
	for _, b := range g.f.order {
		g.b.AtEnd(g.blocks[b])
		g.forget()
		g.emitBlock(b)
	}
	g.vars.Br(start)
}

// declarePhis makes the variables of phis and masks.
func (g *gen) declarePhis() {
	for _, b := range g.f.order {
		for _, v := range b.phis() {
			for g.row = range g.rowsOf(v) {
				k := g.key(v)
				if g.a.of(v).scalar() {
					g.sVars[k] = g.variable(v.t.h)
					continue
				}
				for _, t := range g.components(v.t) {
					g.wVars[k] = append(g.wVars[k], g.variable(g.vec(t.h)))
				}
			}
			g.row = 0
		}
		if g.p.rep[b] != b || b == g.f.order[0] {
			continue
		}
		g.maskVar[b] = g.variable(g.maskSlot())
		if b.loop == nil || b.loop.header != b {
			for _, e := range g.p.in[b] {
				g.edgeVar[e] = g.variable(g.maskSlot())
			}
		}
	}
}

// reset clears the masks of loop l's own blocks (nil: of those outside loops): at its header, and again where a continuation
// starts inside it. Lanes that have not come by a block must not be on there.
func (g *gen) reset(l *Loop) {
	for _, b := range g.f.order[1:] {
		if b.loop != l || l != nil && b == l.header {
			continue
		}
		if v := g.maskVar[b]; v != 0 {
			g.b.Store(g.maskSlot().Null(), v)
			for _, e := range g.p.in[b] {
				g.b.Store(g.maskSlot().Null(), g.edgeVar[e])
			}
		}
		for _, v := range b.phis() {
			for g.row = range g.rowsOf(v) {
				for i, x := range g.wVars[g.key(v)] {
					g.b.Store(g.vec(g.components(v.t)[i].h).Undef(), x)
				}
			}
			g.row = 0
		}
	}
}

func (g *gen) emitBlock(b *Block) {
	if g.p.dead(b) {
		g.b.Unreachable()
		return
	}
	header := b.loop != nil && b.loop.header == b
	if header {
		g.reset(b.loop)
	}
	if g.p.rep[b] == b && b != g.f.order[0] && !header {
		var m llvm.Value
		for _, e := range g.p.in[b] {
			x := g.loadMask(g.edgeVar[e])
			if m == 0 {
				m = x
			} else {
				m = g.b.Or(m, x)
			}
		}
		g.saveMask(m, g.maskVar[b])
		g.masks[b] = m
		if t := g.p.guard[b]; t != nil {
			body := g.newBlock("some")
			g.b.CondBr(g.any(m), body, g.blocks[t])
			g.b.AtEnd(body)
			g.notes.Guards++
		}
	}
	if x, ok := g.prefix(b); ok {
		g.inPrefixes(b, x)
	} else {
		g.body(b)
	}
	g.terminator(b)
}

// body emits what b does before it branches.
func (g *gen) body(b *Block) {
	for instrs := b.instrs[len(b.phis()) : len(b.instrs)-1]; len(instrs) > 0; {
		if n := g.run(instrs); n > 0 {
			g.inChunks(b, instrs[:n])
			instrs = instrs[n:]
			continue
		}
		v := instrs[0]
		for g.row = range g.rowsOf(v) {
			g.instruction(b, v)
		}
		g.row = 0
		instrs = instrs[1:]
	}
}

// follow performs what belongs to an edge: masks and phis. m are the lanes that take it.
func (g *gen) follow(e *Edge, m llvm.Value) {
	s := e.to
	header := s.loop != nil && s.loop.header == s
	if v := g.edgeVar[e]; v != 0 {
		x := m
		if e.from.loop != s.loop { // leaving a loop, lanes add up over the iterations
			x = g.b.Or(g.loadMask(v), m)
		}
		g.saveMask(x, v)
	}
	if header && s.loop.div {
		g.saveMask(m, g.maskVar[s])
	}
	// A blend is not needed where all lanes of the target come by this edge, nor at the header of a loop: lanes that left
	// have delivered their values to the exits.
	plain := header || e.uniform && g.p.rep[e.from] == g.p.rep[s]
	type store struct{ value, variable llvm.Value }
	var stores []store
	for _, v := range s.phis() {
		x := v.args[slices.Index(v.from, e.from)]
		if x.undef {
			continue
		}
		for g.row = range g.rowsOf(v) {
			k := g.key(v)
			if g.a.of(v).scalar() {
				stores = append(stores, store{g.scalar(x), g.sVars[k]})
				continue
			}
			for i, y := range g.wide(x) {
				if !plain {
					y = g.b.Select(m, y, g.b.Load(y.Type(), g.wVars[k][i]))
				}
				stores = append(stores, store{y, g.wVars[k][i]})
			}
		}
		g.row = 0
	}
	for _, x := range stores {
		g.b.Store(x.value, x.variable)
	}
}

func (g *gen) terminator(b *Block) {
	edges := g.p.out[b]
	m := g.mask(b)
	switch len(edges) {
	case 0:
		if g.region != nil {
			g.b.Ret(g.num(g.i32, 0))
		} else {
			g.b.RetVoid()
		}
		return
	case 1:
		g.follow(edges[0], m)
		g.proceed(edges[0], m)
		return
	case 2:
	default:
		fail("a switch")
	}
	if only, ok := g.a.assume[b]; ok {
		g.follow(edges[only], m)
		g.proceed(edges[only], m)
		return
	}
	if !g.a.div[b] {
		c := g.scalar(b.term.args[0])
		if g.mayBeEmpty(b) { // computed for no lane it may be undefined, which a branch must not be
			c = g.b.Freeze(c)
		}
		yes, no := g.newBlock("yes"), g.newBlock("no")
		g.b.CondBr(c, yes, no)
		s, w, d := g.scalars, g.wides, g.dense
		for i, x := range []llvm.Block{yes, no} {
			g.b.AtEnd(x)
			g.scalars, g.wides, g.dense = maps.Clone(s), maps.Clone(w), maps.Clone(d)
			g.follow(edges[i], m)
			g.proceed(edges[i], m)
		}
		g.notes.UniformBranches++
		return
	}
	g.notes.DivergentBranches++
	if g.region != nil {
		if x, ok := g.region.idle[b]; ok {
			g.leaveIdle(x)
		}
	}
	c := g.wide(b.term.args[0])[0]
	taken := [2]llvm.Value{g.both(m, c), g.both(m, g.b.Not(c))}
	back := -1
	for i, e := range edges {
		if e.back {
			back = i
			continue
		}
		g.follow(e, taken[i])
	}
	if back < 0 {
		g.b.Br(g.blocks[g.p.next[b]])
		return
	}
	g.follow(edges[back], taken[back])
	g.b.CondBr(g.any(taken[back]), g.blocks[edges[back].to], g.blocks[g.p.next[b]])
}

// proceed goes on after a uniform edge.
func (g *gen) proceed(e *Edge, m llvm.Value) {
	switch {
	case !e.back:
		g.b.Br(g.blocks[e.next])
	case e.to.loop.div:
		g.b.CondBr(g.any(m), g.blocks[e.to], g.blocks[e.next])
	default:
		g.b.Br(g.blocks[e.to])
	}
}
