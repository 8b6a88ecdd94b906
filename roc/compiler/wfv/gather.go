package wfv

import "aqueduct/roc/compiler/llvm"

// gather loads each lane's value from its own address.
func (g *gen) gather(x access) []llvm.Value {
	p := g.wide(x.p)[0]
	r := make([]llvm.Value, x.n)
	if g.hardwareGather(x.elem) {
		for k := range r {
			vt := g.vec(x.elem.h)
			f := g.intrinsic("llvm.masked.gather", vt, p.Type())
			r[k] = g.call(f, g.plus(p, int64(k)*x.elem.size), g.num(g.i32, int64(x.align)), g.mask(x.b), vt.Poison())
		}
		return r
	}
	// Lane by lane; lanes that are off read zeros, which costs no branch.
	at := g.laneAddresses(x, g.zeros)
	for k := range r {
		r[k] = g.vec(x.elem.h).Poison()
	}
	for l := range g.w {
		lane := g.num(g.i32, int64(l))
		q := at(l)
		if x.n > 1 {
			y := g.b.Load(x.t.h, q)
			y.SetAlign(x.align)
			for k, z := range g.split(y, x.t) {
				r[k] = g.b.InsertElement(r[k], z, lane)
			}
			continue
		}
		y := g.b.Load(x.elem.h, q)
		y.SetAlign(x.align)
		r[0] = g.b.InsertElement(r[0], y, lane)
	}
	return r
}

// gatherLoop and scatterLoop are for the rare case: little code, a loop over the lanes.

func (g *gen) gatherLoop(x access) llvm.Value {
	if g.hardwareGather(x.elem) || g.w < 4 {
		return g.gather(x)[0]
	}
	from, result := g.addressBuffer(x, g.zeros), g.variable(g.vec(x.elem.h))
	g.lanesLoop(func(lane llvm.Value) {
		p := g.b.Load(x.p.t.h, g.b.GEP(x.p.t.h, from, lane))
		y := g.b.Load(x.elem.h, p)
		y.SetAlign(x.align)
		g.b.Store(y, g.b.GEP(x.elem.h, result, lane))
	})
	return g.b.Load(g.vec(x.elem.h), result)
}

func (g *gen) scatterLoop(x access, y llvm.Value) {
	if g.target.AVX512 || g.w < 4 {
		g.scatter(x, []llvm.Value{y})
		return
	}
	to, values := g.addressBuffer(x, g.spareMemory), g.variable(y.Type())
	g.b.Store(y, values)
	g.lanesLoop(func(lane llvm.Value) {
		p := g.b.Load(x.p.t.h, g.b.GEP(x.p.t.h, to, lane))
		g.b.Store(g.b.Load(x.elem.h, g.b.GEP(x.elem.h, values, lane)), p).SetAlign(x.align)
	})
}

// gatherLong and scatterLong are that for short vectors, which are then in packed form.

func (g *gen) gatherLong(x access) llvm.Value {
	t := x.elem.h.Vec(g.w * x.slots())
	from, result := g.addressBuffer(x, g.zeros), g.variable(t)
	g.lanesLoop(func(lane llvm.Value) {
		y := g.b.Load(x.t.h, g.b.Load(x.p.t.h, g.b.GEP(x.p.t.h, from, lane)))
		y.SetAlign(x.align)
		g.b.Store(y, g.b.GEP(x.t.h, result, lane)).SetAlign(x.align)
	})
	return g.b.Load(t, result)
}

func (g *gen) scatterLong(x access, long llvm.Value) {
	to, values := g.addressBuffer(x, g.spareMemory), g.variable(long.Type())
	g.b.Store(long, values)
	g.lanesLoop(func(lane llvm.Value) {
		y := g.b.Load(x.t.h, g.b.GEP(x.t.h, values, lane))
		y.SetAlign(x.align)
		g.b.Store(y, g.b.Load(x.p.t.h, g.b.GEP(x.p.t.h, to, lane))).SetAlign(x.align)
	})
}

// addressBuffer puts the lanes' addresses in memory; those of lanes that are off are spare's.
func (g *gen) addressBuffer(x access, spare func(llvm.Type) llvm.Value) llvm.Value {
	p := g.wide(x.p)[0]
	if !g.allOn(x.b) {
		p = g.b.Select(g.mask(x.b), p, g.splat(spare(x.p.t.h), g.w))
	}
	buffer := g.variable(p.Type())
	g.b.Store(p, buffer)
	return buffer
}

// lanesLoop builds a loop over the numbers of the lanes.
func (g *gen) lanesLoop(body func(lane llvm.Value)) {
	before := g.b.Block()
	loop, done := g.newBlock("lane"), g.newBlock("lanes")
	done.MoveAfter(loop)
	g.b.Br(loop)
	g.b.AtEnd(loop)
	lane := g.b.Phi(g.i64)
	lane.AddIncoming(g.num(g.i64, 0), before)
	body(lane)
	next := g.b.Add(lane, g.num(g.i64, 1))
	lane.AddIncoming(next, loop)
	last := g.b.CondBr(g.b.ICmp(llvm.IntULT, next, g.num(g.i64, int64(g.w))), loop, done)
	g.keepRolled(last)
	g.b.AtEnd(done)
}

// keepRolled forbids to unroll the loop of a branch back.
func (g *gen) keepRolled(back llvm.Value) {
	off := g.c.MDNode(g.c.MDString("llvm.loop.unroll.disable"))
	back.SetMetadata(g.c, g.c.MDKind("llvm.loop"), g.c.DistinctMDNode(off))
}

// hardwareGather: worth using for elements of 4 and 8 bytes. Of one address LLVM's instcombine makes no vector any more.
func (g *gen) hardwareGather(t *typ) bool {
	return g.w > 1 && (g.target.AVX512 || g.target.Gather) && (t.size == 4 || t.size == 8)
}

// laneAddresses gives the address of each lane's element; for lanes that are off, spare's memory. The choice is made on the
// vector: choices lane by lane would become branches.
func (g *gen) laneAddresses(x access, spare func(llvm.Type) llvm.Value) func(lane int) llvm.Value {
	lane := func(v llvm.Value, l int) llvm.Value { return g.b.ExtractElement(v, g.num(g.i32, int64(l))) }
	if !g.allOn(x.b) {
		p := g.wide(x.p)[0]
		p = g.b.Select(g.mask(x.b), p, g.splat(spare(p.Type().Elem()), g.w))
		return func(l int) llvm.Value { return lane(p, l) }
	}
	// A uniform base and one varying index: extract indices, which are cheaper to make than vectors of addresses.
	if v := x.p; g.a.private[v] == nil && v.op == llvm.OpGetElementPtr && len(v.args) == 2 && together(v, x.v) && g.a.of(v.args[0]).isUniform() && g.a.of(v.args[1]).kind == varying {
		base, elem, by := g.scalar(v.args[0]), v.h.GEPElementType(), v.args[1]
		if extend := by.op; (extend == llvm.OpZExt || extend == llvm.OpSExt) && together(by, x.v) && g.a.of(by.args[0]).kind == varying {
			index := g.wide(by.args[0])[0]
			return func(l int) llvm.Value { return g.b.GEP(elem, base, g.b.Cast(extend, lane(index, l), by.t.h)) }
		}
		index := g.wide(by)[0]
		return func(l int) llvm.Value { return g.b.GEP(elem, base, lane(index, l)) }
	}
	p := g.wide(x.p)[0]
	return func(l int) llvm.Value { return lane(p, l) }
}

// scatter stores each lane's value to its own address, in lane order, so that the last of several to one place stays.
func (g *gen) scatter(x access, w []llvm.Value) {
	if g.w > 1 && g.target.AVX512 && (x.elem.size == 4 || x.elem.size == 8) {
		p := g.wide(x.p)[0]
		for k, y := range w {
			f := g.intrinsic("llvm.masked.scatter", y.Type(), p.Type())
			g.call(f, y, g.plus(p, int64(k)*x.elem.size), g.num(g.i32, int64(x.align)), g.mask(x.b))
		}
		return
	}
	at := g.laneAddresses(x, g.spareMemory)
	for l := range g.w {
		q := at(l)
		lane := g.num(g.i32, int64(l))
		y := w[0]
		if x.n > 1 {
			y = g.gatherLane(w, x.t, lane)
		} else {
			y = g.b.ExtractElement(y, lane)
		}
		g.b.Store(y, q).SetAlign(x.align)
	}
}

// spareMemory is stack memory for the stores of lanes that are off.
func (g *gen) spareMemory(t llvm.Type) llvm.Value {
	if g.sink == 0 {
		g.sink = g.variable(g.i64.Array(zerosSize / 8))
		g.sink.SetAlign(64)
	}
	return g.inSpace(g.sink, t)
}

// loadEach and storeEach access memory exactly once for each lane that is on, in lane order: for volatile and atomic accesses.
func (g *gen) loadEach(x access) []llvm.Value {
	if x.n != 1 {
		fail("a volatile load of a vector")
	}
	p := g.wide(x.p)[0]
	g.notes.load(serialAccess)
	return []llvm.Value{g.eachLane(x.b, x.v.t, func(lane llvm.Value) llvm.Value {
		c := x.v.h.Clone()
		c.SetOperand(0, g.b.ExtractElement(p, lane))
		g.b.Insert(c)
		return c
	})}
}

func (g *gen) storeEach(x access, w []llvm.Value) {
	p := g.wide(x.p)[0]
	g.notes.store(serialAccess)
	g.eachLane(x.b, nil, func(lane llvm.Value) llvm.Value {
		c := x.v.h.Clone()
		c.SetOperand(0, g.gatherLane(w, x.t, lane))
		c.SetOperand(1, g.b.ExtractElement(p, lane))
		g.b.Insert(c)
		return 0
	})
}

// eachLane runs body once for each lane that is on, in lane order, and collects its results in a vector of t (nil: none).
func (g *gen) eachLane(b *Block, t *typ, body func(lane llvm.Value) llvm.Value) llvm.Value {
	var result llvm.Value
	if t != nil {
		result = g.variable(g.vec(t.h))
		g.b.Store(g.vec(t.h).Undef(), result)
	}
	m, on := g.mask(b), g.allOn(b)
	for l := range g.w {
		lane := g.num(g.i32, int64(l))
		run := func() {
			y := body(lane)
			if t != nil {
				g.b.Store(g.b.InsertElement(g.b.Load(g.vec(t.h), result), y, lane), result)
			}
		}
		if on {
			run()
		} else {
			g.when(g.b.ExtractElement(m, lane), run)
		}
	}
	if t == nil {
		return 0
	}
	return g.b.Load(g.vec(t.h), result)
}
