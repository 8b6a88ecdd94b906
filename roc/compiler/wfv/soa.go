package wfv

import "aqueduct/roc/compiler/llvm"

// alloca makes a private variable: an array of structures or a structure of arrays (Private). With barriers it lies in the
// frame, see scalar.
func (g *gen) alloca(b *Block, v *Value) {
	if b != g.f.order[0] || len(v.args) > 0 && !(v.args[0].isInt && v.args[0].num == 1) {
		fail("a variable of variable size")
	}
	if g.region != nil {
		return
	}
	var x llvm.Value
	if p := g.a.private[v]; p != nil {
		x = g.variable(g.vec(p.elem.h).Array(uint64(p.n)))
		g.notes.PrivateSoA++
	} else {
		t := v.h.AllocatedType()
		x = g.variable(t.Array(uint64(g.w)))
		x.SetAlign(max(v.h.Align(), 1))
		g.notes.PrivateAoS++
	}
	x = g.inSpace(x, v.t.h)
	g.scalars[g.key(v)] = x
	g.sVars[g.key(v)] = g.variable(v.t.h)
	g.b.Store(x, g.sVars[g.key(v)])
}

// privateAddress is a step into an array: element offsets count all lanes. The lane's own offset is added at the access.
func (g *gen) privateAddress(v *Value, p *Private) {
	uniform := g.a.of(v).isUniform()
	operand := func(x *Value) llvm.Value {
		if uniform || g.a.of(x).isUniform() {
			return g.scalar(x)
		}
		return g.wide(x)[0]
	}
	t := g.i64
	if !uniform {
		t = g.vec(g.i64)
	}
	offset := t.Null()
	g.f.steps(v, func(x *Value, size int64) {
		if x == nil {
			offset = g.b.Add(offset, g.lanes(g.num(g.i64, size*int64(g.w)), t))
			return
		}
		y := operand(x)
		if y.Type() != t {
			if y.Type().Kind() == llvm.VectorKind {
				y = g.b.Cast(llvm.OpSExt, y, t)
			} else if y.Type() != g.i64 {
				y = g.b.Cast(llvm.OpSExt, y, g.i64)
			}
		}
		offset = g.b.Add(offset, g.b.Mul(g.lanes(y, t), g.lanes(g.num(g.i64, size*int64(g.w)), t)))
	})
	r := g.b.GEP(g.i8, operand(v.args[0]), offset)
	if uniform {
		g.defineScalar(v, r)
	} else {
		g.define(v, r)
	}
}

// lanes splats x if t is a vector and x is not.
func (g *gen) lanes(x llvm.Value, t llvm.Type) llvm.Value {
	if t.Kind() == llvm.VectorKind && x.Type().Kind() != llvm.VectorKind {
		return g.splat(x, g.w)
	}
	return x
}

// componentOf is the address of component k in all lanes, by a uniform address.
func (g *gen) componentOf(x access, k int) llvm.Value {
	return g.plus(g.scalar(x.p), int64(k*g.w)*x.elem.size)
}

// perLane makes the access to component k an ordinary access by each lane's own address.
func (g *gen) perLane(x access, k int) access {
	x.align = int(x.elem.size)
	x.t, x.n = x.elem, 1
	lanes := g.b.GEP(g.i8, g.wide(x.p)[0], g.series(g.i64, x.elem.size))
	x.p = &Value{op: llvm.OpFreeze, t: x.p.t, id: -1}
	g.wides[g.key(x.p)] = []llvm.Value{g.plus(lanes, int64(k*g.w)*x.elem.size)}
	return x
}

func (g *gen) loadPrivate(x access, p *Private) []llvm.Value {
	g.notes.load(privateAccess)
	r := make([]llvm.Value, x.n)
	for k := range r {
		if g.a.of(x.p).isUniform() {
			r[k] = g.b.Load(g.vec(x.elem.h), g.componentOf(x, k))
			r[k].SetAlign(int(x.elem.size))
			continue
		}
		r[k] = g.gather(g.perLane(x, k))[0]
	}
	return r
}

func (g *gen) storePrivate(x access, p *Private, w []llvm.Value) {
	g.notes.store(privateAccess)
	for k, y := range w {
		if !g.a.of(x.p).isUniform() {
			g.scatter(g.perLane(x, k), []llvm.Value{y})
			continue
		}
		q := g.componentOf(x, k)
		if !g.allOn(x.b) {
			old := g.b.Load(y.Type(), q)
			old.SetAlign(int(x.elem.size))
			y = g.b.Select(g.mask(x.b), y, old)
		}
		g.b.Store(y, q).SetAlign(int(x.elem.size))
	}
}
