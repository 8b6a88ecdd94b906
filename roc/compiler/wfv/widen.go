package wfv

import (
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Target is what the emission asks about the processor.
type Target struct {
	AVX512 bool // masks in registers, gathers and scatters worth using
	AVX2   bool
	Gather bool // gathers of AVX2 worth using
	Half   bool // arithmetic on halves

	SlowMask bool // stores under a mask take longer than those of its elements one by one
}

// key names a value of the kernel, in one row if it depends on the row (rows.go).
type key struct {
	v   *Value
	row int
}

// gen emits the wide function: one call runs W work-items, a lane each, in Rows rows of dimension 1.
//
// Values that cross a block are kept in stack variables, of which mem2reg makes SSA form afterwards; so no phis need to be
// placed here. A wide value is a list of vectors, one a component: float4 is four <W x float>.
type gen struct {
	m      llvm.Module
	c      llvm.Context
	f      *Func
	a      *Shapes
	p      *Plan
	w      int
	full   bool // all lanes are on at entry
	rows   int
	target Target
	cells  map[string]cell // functions of lock-free loops that work on one

	b, vars llvm.Builder // at the point of emission; in the block of stack variables
	fn      llvm.Value
	blocks  map[*Block]llvm.Block
	params  map[*Value]llvm.Value
	active  int // number of the parameter that says how many lanes are on
	asked   []workgroup.Query
	answers map[workgroup.Query]llvm.Value

	row    int             // at hand
	byRow  map[*Value]bool // depends on the row
	escape map[*Value]bool // used outside its block

	scalars map[key]llvm.Value   // known in this block: the value of lane 0
	wides   map[key][]llvm.Value // known in this block: components
	dense   map[key]llvm.Value   // known in this block: packed form (packed.go)
	masks   map[*Block]llvm.Value
	sVars   map[key]llvm.Value // stack variables
	wVars   map[key][]llvm.Value
	maskVar map[*Block]llvm.Value
	edgeVar map[*Edge]llvm.Value
	entry   llvm.Value // mask

	zero llvm.Value // address of constant zeros, read when no lane is on
	sink llvm.Value // stack memory that lanes which are off may write

	groups map[*Value]*group // by member
	late   map[*Value]bool   // addresses that are made only where they are needed as vectors
	quiet  *bool             // see unsynchronised; nil before it is asked

	streams   *streams
	streaming llvm.Value // i1: they do go past the caches; zero if this form has none

	images *workgroup.Images // nil before the first access to one

	region *regions // barriers, nil if there are none
	frame  llvm.Value
	state  llvm.Value // the switch over continuations

	notes                 *Notes
	lines                 bool // the kernel has line numbers
	declared              map[declaration]llvm.Value
	i1, i8, i32, i64, f32 llvm.Type
}

func (g *gen) key(v *Value) key {
	if g.rows > 1 && g.byRow[v] {
		return key{v, g.row}
	}
	return key{v, 0}
}

func (g *gen) rowsOf(v *Value) int {
	if g.rows > 1 && g.byRow[v] {
		return g.rows
	}
	return 1
}

func (g *gen) vec(t llvm.Type) llvm.Type           { return t.Vec(g.w) }
func (g *gen) num(t llvm.Type, v int64) llvm.Value { return t.ConstInt(v) }
func (g *gen) none() llvm.Value                    { return g.vec(g.i1).Null() }
func (g *gen) all() llvm.Value                     { return g.vec(g.i1).AllOnes() }

// components flattens a type into what lanes hold: scalars and pointers.
func (g *gen) components(t *typ) []*typ {
	switch t.kind {
	case llvm.VectorKind, llvm.ArrayKind:
		n := t.n
		if t.kind == llvm.ArrayKind {
			n = int(t.h.ArrayLen())
		}
		var r []*typ
		if n > 64 {
			fail("an aggregate value of %d elements", n)
		}
		for range n {
			r = append(r, g.components(t.elem)...)
		}
		return r
	case llvm.StructKind:
		var r []*typ
		for i := range t.h.Fields() {
			r = append(r, g.components(g.f.typ(t.h.Field(i)))...)
		}
		return r
	}
	return []*typ{t}
}

// splat copies a scalar to n lanes.
func (g *gen) splat(v llvm.Value, n int) llvm.Value {
	t := v.Type()
	if v.IsConstant() {
		c := make([]llvm.Value, n)
		for i := range c {
			c[i] = v
		}
		return llvm.ConstVector(c)
	}
	vt := t.Vec(n)
	x := g.b.InsertElement(vt.Poison(), v, g.num(g.i32, 0))
	return g.b.Shuffle(x, vt.Poison(), g.i32.Vec(n).Null())
}

// series is the constant vector 0, stride, 2*stride ...
func (g *gen) series(t llvm.Type, stride int64) llvm.Value {
	c := make([]llvm.Value, g.w)
	for i := range c {
		c[i] = t.ConstInt(int64(i) * stride)
	}
	return llvm.ConstVector(c)
}

// scalar is the value of a uniform or affine value in lane 0.
func (g *gen) scalar(v *Value) llvm.Value {
	if !v.isInstr() {
		if p, ok := g.params[v]; ok {
			return p
		}
		return v.h
	}
	k := g.key(v)
	if x, ok := g.scalars[k]; ok {
		return x
	}
	var x llvm.Value
	q, isQuery := g.a.queries[v]
	switch {
	case isQuery:
		x = g.answer(q)
	case g.region != nil && v.op == llvm.OpAlloca:
		x = g.inFrame(g.region.slot[v])
		if s := v.t.space; s != 0 {
			x = g.b.Cast(llvm.OpAddrSpaceCast, x, v.t.h)
		}
	case g.region != nil && g.region.again[v]:
		x = g.recompute(v)
	default:
		s, ok := g.sVars[k]
		if !ok {
			fail("internal fault: no scalar for %v", v.h)
		}
		x = g.b.Load(v.t.h, s)
	}
	g.scalars[k] = x
	return x
}

// answer is what a query gives in lane 0 of the row at hand.
func (g *gen) answer(q workgroup.Query) llvm.Value {
	if x := g.ofSubGroup(q); x != 0 {
		return x
	}
	x := g.answers[q]
	if q.PerItem() && q.Dim == 1 && g.row > 0 {
		x = g.b.Add(x, g.num(g.i64, int64(g.row)))
	}
	return x
}

// wide are the component vectors of any value.
func (g *gen) wide(v *Value) []llvm.Value {
	k := g.key(v)
	if w, ok := g.wides[k]; ok {
		return w
	}
	var w []llvm.Value
	if w = g.unpack(k, v); w != nil {
		g.wides[k] = w
		return w
	}
	s := g.a.of(v)
	ts := g.components(v.t)
	q, isQuery := g.a.queries[v]
	switch {
	case isQuery && s.kind == varying:
		w = []llvm.Value{g.wideAnswer(q)}
	case g.late[v] || v.isInstr() && s.kind == varying && g.region != nil && g.region.again[v]:
		w = g.widen(v.block, v)
	case v.isInstr() && s.kind == varying:
		vars, ok := g.wVars[k]
		if !ok {
			fail("internal fault: no vector for %v", v.h)
		}
		for i, t := range ts {
			w = append(w, g.b.Load(g.vec(t.h), vars[i]))
		}
	case v.undef:
		for _, t := range ts {
			w = append(w, g.vec(t.h).Poison())
		}
	case len(ts) == 1 && !v.t.isAggregate():
		x := g.scalar(v)
		if v.t.kind == llvm.VectorKind {
			x = g.b.ExtractElement(x, g.num(g.i32, 0))
		}
		y := g.splat(x, g.w)
		switch {
		case s.stride == 0 || g.w == 1: // of the address of one lane and a vector of its zero offset LLVM's instcombine makes no vector
		case v.t.isPtr():
			y = g.b.GEP(g.i8, x, g.series(g.i64, s.stride))
		default:
			y = g.b.Add(y, g.series(v.t.h, s.stride))
		}
		w = []llvm.Value{y}
	default:
		for _, x := range g.split(g.scalar(v), v.t) {
			w = append(w, g.splat(x, g.w))
		}
	}
	g.wides[k] = w
	return w
}

// split takes a scalar aggregate or vector apart, in the order of components.
func (g *gen) split(x llvm.Value, t *typ) []llvm.Value {
	var r []llvm.Value
	switch t.kind {
	case llvm.VectorKind:
		for i := range t.n {
			r = append(r, g.b.ExtractElement(x, g.num(g.i32, int64(i))))
		}
	case llvm.ArrayKind:
		for i := range int(t.h.ArrayLen()) {
			r = append(r, g.split(g.b.ExtractValue(x, i), t.elem)...)
		}
	case llvm.StructKind:
		for i := range t.h.Fields() {
			r = append(r, g.split(g.b.ExtractValue(x, i), g.f.typ(t.h.Field(i)))...)
		}
	default:
		r = []llvm.Value{x}
	}
	return r
}

// variable makes a stack variable.
func (g *gen) variable(t llvm.Type) llvm.Value { return g.vars.Alloca(t) }

// defineScalar records the value of lane 0 of an instruction of the kernel.
func (g *gen) defineScalar(v *Value, x llvm.Value) {
	k := g.key(v)
	g.scalars[k] = x
	if g.escape[v] {
		if g.sVars[k] == 0 {
			g.sVars[k] = g.variable(v.t.h)
		}
		g.b.Store(x, g.sVars[k])
	}
}

// define records the components of an instruction of the kernel.
func (g *gen) define(v *Value, w ...llvm.Value) {
	k := g.key(v)
	g.wides[k] = w
	if g.escape[v] {
		for i, x := range w {
			if len(g.wVars[k]) <= i {
				g.wVars[k] = append(g.wVars[k], g.variable(x.Type()))
			}
			g.b.Store(x, g.wVars[k][i])
		}
	}
}

// forget starts a block: nothing is known but what is in variables.
func (g *gen) forget() {
	g.scalars, g.wides, g.dense, g.masks = map[key]llvm.Value{}, map[key][]llvm.Value{}, map[key]llvm.Value{}, map[*Block]llvm.Value{}
}

// declaration names an intrinsic for types.
type declaration struct {
	name  string
	types [3]llvm.Type
}

// intrinsic declares an LLVM intrinsic for types.
func (g *gen) intrinsic(name string, overload ...llvm.Type) llvm.Value {
	id := declaration{name: name}
	copy(id.types[:], overload)
	f, ok := g.declared[id]
	if !ok {
		if f = g.m.Intrinsic(name, overload...); f == 0 {
			fail("no intrinsic %s", name)
		}
		g.declared[id] = f
	}
	return f
}

func (g *gen) call(f llvm.Value, args ...llvm.Value) llvm.Value {
	return g.b.Call(f.ValueType(), f, args...)
}

// newBlock adds a block after the one at hand.
func (g *gen) newBlock(name string) llvm.Block {
	b := g.c.AppendBlock(g.fn, name)
	b.MoveAfter(g.b.Block())
	return b
}

// allOn: every lane is known to be on in b.
func (g *gen) allOn(b *Block) bool { return g.full && g.p.allLanes(b) }
