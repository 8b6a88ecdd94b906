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

// hardwareGather: worth using for elements of 4 and 8 bytes.
func (g *gen) hardwareGather(t *typ) bool {
	return (g.target.AVX512 || g.target.Gather) && (t.size == 4 || t.size == 8)
}

// laneAddresses gives the address of each lane's element; for lanes that may be off, spare's memory.
func (g *gen) laneAddresses(x access, spare func(llvm.Type) llvm.Value) func(lane int) llvm.Value {
	var m llvm.Value
	if !g.allOn(x.b) {
		m = g.mask(x.b)
	}
	choose := func(l int, q llvm.Value) llvm.Value {
		if m == 0 {
			return q
		}
		return g.b.Select(g.b.ExtractElement(m, g.num(g.i32, int64(l))), q, spare(q.Type()))
	}
	// A uniform base and one varying index: extract indices, which are cheaper to make than vectors of addresses.
	if v := x.p; g.a.private[v] == nil && v.op == llvm.OpGetElementPtr && len(v.args) == 2 && v.block == x.b && g.a.of(v.args[0]).isUniform() && g.a.of(v.args[1]).kind == varying {
		base, index, elem := g.scalar(v.args[0]), g.wide(v.args[1])[0], v.h.GEPElementType()
		return func(l int) llvm.Value {
			i := g.b.ExtractElement(index, g.num(g.i32, int64(l)))
			return choose(l, g.b.GEP(elem, base, i))
		}
	}
	p := g.wide(x.p)[0]
	return func(l int) llvm.Value { return choose(l, g.b.ExtractElement(p, g.num(g.i32, int64(l)))) }
}

// scatter stores each lane's value to its own address, in lane order, so that the last of several to one place stays.
func (g *gen) scatter(x access, w []llvm.Value) {
	if g.target.AVX512 && (x.elem.size == 4 || x.elem.size == 8) {
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
