package wfv

import "aqueduct/roc/compiler/llvm"

// elemAlign is what is known of a lane's address: at most the element's size, since lanes are elements apart.
func (g *gen) elemAlign(v *Value, t *typ) int {
	a := v.h.Align()
	if s := int(t.size); s > 0 && a > s {
		a = s
	}
	return max(a&-a, 1)
}

// safeAddress is the address, or that of some zeros when no lane is on.
func (g *gen) safeAddress(b *Block, p llvm.Value, t *typ) llvm.Value {
	if !g.mayBeEmpty(b) {
		return p
	}
	return g.b.Select(g.any(g.mask(b)), p, g.zeros(p.Type()))
}

const zerosSize = 256

// zeros is the address of constant zeros in an address space.
func (g *gen) zeros(t llvm.Type) llvm.Value {
	if g.zero == 0 {
		name := "aqueduct.zeros"
		if g.zero = g.m.Global(name); g.zero == 0 {
			z := g.i64.Array(zerosSize / 8)
			g.zero = g.m.AddGlobal(name, z, 0)
			g.zero.SetInitializer(z.Null())
			g.zero.SetLinkage(llvm.Internal)
			g.zero.SetAlign(64)
		}
	}
	return g.inSpace(g.zero, t)
}

// inSpace casts a pointer to the address space of t.
func (g *gen) inSpace(p llvm.Value, t llvm.Type) llvm.Value {
	if p.Type() == t {
		return p
	}
	return g.b.Cast(llvm.OpAddrSpaceCast, p, t)
}

func (g *gen) plus(p llvm.Value, offset int64) llvm.Value {
	if offset == 0 {
		return p
	}
	return g.b.GEP(g.i8, p, g.num(g.i64, offset))
}

// access describes one load or store of the kernel.
type access struct {
	b     *Block
	v     *Value // the instruction
	p     *Value // its address
	t     *typ   // what it moves
	elem  *typ   // its component
	n     int    // components
	align int    // of a lane's element
}

func (g *gen) access(b *Block, v, p *Value, t *typ) access {
	if t.isAggregate() {
		fail("an aggregate in memory as one value")
	}
	x := access{b: b, v: v, p: p, t: t, elem: t.leaf(), n: t.n}
	if x.elem.isInt() && (x.elem.bits < 8 || x.elem.bits&(x.elem.bits-1) != 0) {
		fail("an integer of %d bits in memory", x.elem.bits)
	}
	x.align = g.elemAlign(v, x.elem)
	return x
}

func (g *gen) load(b *Block, v *Value) {
	x := g.access(b, v, v.args[0], v.t)
	s := g.a.of(x.p)
	switch p := g.a.private[x.p]; {
	case p != nil:
		g.define(v, g.loadPrivate(x, p)...)
	case g.a.of(v).scalar():
		c := v.h.Clone()
		if x.t.size > zerosSize {
			fail("a load of %d bytes", x.t.size)
		}
		c.SetOperand(0, g.safeAddress(b, g.scalar(x.p), x.t))
		g.b.Insert(c)
		g.notes.load(uniformAccess)
		g.defineScalar(v, c)
	case v.h.IsVolatile() || v.h.Ordering() != llvm.NotAtomic:
		g.define(v, g.loadEach(x)...)
	case s.kind == affine && s.stride == x.t.size && x.n == 1:
		g.notes.load(contiguousAccess)
		g.define(v, g.loadRun(x, g.scalar(x.p)))
	case s.kind == affine && s.stride == x.t.size && g.allOn(b):
		g.notes.load(interleavedAccess)
		g.defineLong(x, g.loadLong(x, g.scalar(x.p)))
	case g.groups[v] != nil && g.movesRegisters(x):
		if g.wides[g.key(v)] == nil {
			g.loadStrided(x, g.groups[v])
		}
	case s.kind == affine && s.stride == x.t.size && g.movesRegisters(x):
		g.notes.load(interleavedAccess)
		g.define(v, g.loadShortVectors(x, g.scalar(x.p))...)
	case s.kind == affine && s.stride == -x.t.size && x.n == 1 && g.allOn(b) && g.movesRegisters(x):
		g.notes.load(stridedAccess)
		g.define(v, g.loadBackwards(x, g.scalar(x.p)))
	default:
		if g.loadChecked(x) {
			return
		}
		g.notes.load(gatheredAccess)
		g.define(v, g.gather(x)...)
	}
}

func (g *gen) store(b *Block, v *Value) {
	val := v.args[0]
	x := g.access(b, v, v.args[1], val.t)
	s := g.a.of(x.p)
	switch p := g.a.private[x.p]; {
	case p != nil:
		g.storePrivate(x, p, g.wide(val))
	case s.isUniform():
		g.storeUniform(x, val)
	case v.h.IsVolatile() || v.h.Ordering() != llvm.NotAtomic:
		g.storeEach(x, g.wide(val))
	case s.kind == affine && s.stride == x.t.size && x.n == 1:
		g.notes.store(contiguousAccess)
		g.storeRun(x, g.wide(val)[0], g.scalar(x.p))
	case s.kind == affine && s.stride == x.t.size && g.storesLong(x):
		g.notes.store(interleavedAccess)
		g.storeWhole(x, g.long(x, val), g.scalar(x.p))
	case g.groups[v] != nil && g.groups[v].complete() && g.allOn(b) && g.movesRegisters(x):
		if v == g.groups[v].last() {
			g.storeStrided(x, g.groups[v])
		}
	case s.kind == affine && s.stride == -x.t.size && x.n == 1 && g.allOn(b) && g.movesRegisters(x):
		g.notes.store(stridedAccess)
		g.storeBackwards(x, g.wide(val)[0])
	default:
		if g.storeChecked(x, val) {
			return
		}
		g.notes.store(gatheredAccess)
		g.scatter(x, g.wide(val))
	}
}

// storeUniform: every lane writes the same place, so one lane's value is what remains.
func (g *gen) storeUniform(x access, val *Value) {
	g.notes.store(uniformAccess)
	m := g.mask(x.b)
	write := func() {
		y := llvm.Value(0)
		if g.a.of(val).isUniform() {
			y = g.scalar(val)
		} else {
			lane := g.num(g.i32, int64(g.w-1))
			if !g.allOn(x.b) {
				lane = g.lastLane(m)
			}
			y = g.gatherLane(g.wide(val), val.t, lane)
		}
		c := x.v.h.Clone()
		c.SetOperand(0, y)
		c.SetOperand(1, g.scalar(x.p))
		g.b.Insert(c)
	}
	g.whenAny(x.b, write)
}

// when builds `if (c) body()`.
func (g *gen) when(c llvm.Value, body func()) {
	do, done := g.newBlock("do"), g.newBlock("done")
	do.MoveAfter(g.b.Block())
	g.b.CondBr(c, do, done)
	g.b.AtEnd(do)
	g.scope(body)
	done.MoveAfter(g.b.Block())
	g.b.Br(done)
	g.b.AtEnd(done)
}

// whenAny builds body() for a block in which lanes are on; where there may be none, `if (any) body()`.
func (g *gen) whenAny(b *Block, body func()) {
	if g.mayBeEmpty(b) {
		g.when(g.any(g.mask(b)), body)
	} else {
		body()
	}
}

// lastLane is the number of the highest lane of a mask that is not empty, as an i32.
func (g *gen) lastLane(m llvm.Value) llvm.Value {
	n := max(g.w, 8)
	bits := g.b.Cast(llvm.OpBitCast, m, g.c.Int(g.w))
	bits = g.resizeFrom(bits, g.w, n)
	lead := g.call(g.intrinsic("llvm.ctlz", g.c.Int(n)), bits, g.i1.ConstInt(0))
	last := g.b.Sub(g.num(g.i32, int64(n-1)), g.resizeFrom(lead, n, 32))
	return g.b.And(last, g.num(g.i32, int64(g.w-1)))
}

// gatherLane puts the components of one lane together as a scalar of type t.
func (g *gen) gatherLane(w []llvm.Value, t *typ, lane llvm.Value) llvm.Value {
	k := 0
	var build func(t *typ) llvm.Value
	build = func(t *typ) llvm.Value {
		r := t.h.Poison()
		switch t.kind {
		case llvm.VectorKind:
			for i := range t.n {
				r = g.b.InsertElement(r, build(t.elem), g.num(g.i32, int64(i)))
			}
		case llvm.ArrayKind:
			for i := range int(t.h.ArrayLen()) {
				r = g.b.InsertValue(r, build(t.elem), i)
			}
		case llvm.StructKind:
			for i := range t.h.Fields() {
				r = g.b.InsertValue(r, build(g.f.typ(t.h.Field(i))), i)
			}
		default:
			r = g.b.ExtractElement(w[k], lane)
			k++
		}
		return r
	}
	return build(t)
}

// loadRun loads W consecutive elements from the address of lane 0.
func (g *gen) loadRun(x access, p llvm.Value) llvm.Value {
	if g.allOn(x.b) {
		r := g.b.Load(g.vec(x.elem.h), p)
		r.SetAlign(x.align)
		return r
	}
	return g.loadMasked(x, p, g.mask(x.b))
}

// loadMasked loads those of W consecutive elements that a mask names.
func (g *gen) loadMasked(x access, p, m llvm.Value) llvm.Value {
	vt := g.vec(x.elem.h)
	return g.call(g.intrinsic("llvm.masked.load", vt, p.Type()), p, g.num(g.i32, int64(x.align)), m, vt.Poison())
}

func (g *gen) storeRun(x access, y, p llvm.Value) {
	if g.allOn(x.b) {
		g.storeWhole(x, y, p)
		return
	}
	g.storeMasked(x, y, p, g.mask(x.b))
}

// storeMasked stores those of W consecutive elements that a mask names.
func (g *gen) storeMasked(x access, y, p, m llvm.Value) {
	masked := func() {
		if g.target.SlowMask && g.w >= 4 {
			g.storeOneByOne(x, y, p, m)
			return
		}
		f := g.intrinsic("llvm.masked.store", y.Type(), p.Type())
		g.call(f, y, p, g.num(g.i32, int64(x.align)), m)
	}
	if g.target.AVX512 || g.w == 1 {
		masked()
		return
	}
	// Masked stores are slow on many processors without mask registers. Most masks are full; and where all lanes have read
	// what is there, the rest can be written back.
	read := g.readBefore(x)
	if read == 0 {
		either(g.b, g.newBlock, g.any(g.b.Not(m)), masked, func() { g.b.Store(y, p).SetAlign(x.align) })
		return
	}
	write := func() {
		either(g.b, g.newBlock, g.any(g.b.Not(read)), masked, func() {
			old := g.b.Load(y.Type(), p)
			old.SetAlign(x.align)
			g.b.Store(g.b.Select(m, y, old), p).SetAlign(x.align)
		})
	}
	if g.mayBeEmpty(x.b) {
		g.when(g.any(m), write)
	} else {
		write()
	}
}

// slots is how many elements short vectors in memory are apart: those of three as many as those of four.
func (x access) slots() int { return int(x.t.size / x.elem.size) }

// loadLong loads dense short vectors, lane 0's from p, as one long vector.
func (g *gen) loadLong(x access, p llvm.Value) llvm.Value {
	long := g.b.Load(x.elem.h.Vec(g.w*x.slots()), p)
	long.SetAlign(x.align)
	return long
}

// defineLong records what loadLong loaded.
func (g *gen) defineLong(x access, long llvm.Value) {
	if x.slots() == x.n {
		g.definePacked(x.v, long)
		return
	}
	g.define(x.v, g.apart(x, long)...)
}

// apart is the components of the short vectors of a long one.
func (g *gen) apart(x access, long llvm.Value) []llvm.Value {
	return g.unzip(long, x.elem, x.slots())[:x.n]
}

// storesLong says whether dense short vectors are stored as one long vector, and long makes it.
func (g *gen) storesLong(x access) bool {
	return g.allOn(x.b) && x.slots() == x.n && x.n&(x.n-1) == 0
}

func (g *gen) long(x access, val *Value) llvm.Value {
	if long, ok := g.dense[g.key(val)]; ok {
		return long
	}
	return g.zip(g.wide(val), x.elem)
}

// pick is a vector of n elements of v chosen by number.
func (g *gen) pick(v llvm.Value, index func(int) int, n int) llvm.Value {
	ix := make([]llvm.Value, n)
	for i := range ix {
		ix[i] = g.num(g.i32, int64(index(i)))
	}
	return g.b.Shuffle(v, v.Type().Poison(), llvm.ConstVector(ix))
}

// part is n elements of v from a place on.
func (g *gen) part(v llvm.Value, from, n int) llvm.Value {
	return g.pick(v, func(i int) int { return from + i }, n)
}

// concat joins vectors of one length; their number is a power of two.
func (g *gen) concat(w []llvm.Value) llvm.Value {
	for len(w) > 1 {
		var next []llvm.Value
		for k := 0; k < len(w); k += 2 {
			n := w[k].Type().VecLen()
			ix := make([]llvm.Value, 2*n)
			for i := range ix {
				ix[i] = g.num(g.i32, int64(i))
			}
			next = append(next, g.b.Shuffle(w[k], w[k+1], llvm.ConstVector(ix)))
		}
		w = next
	}
	return w[0]
}
