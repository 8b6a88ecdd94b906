package wfv

import "aqueduct/roc/compiler/llvm"

// instruction emits one instruction of the kernel, for the row at hand.
func (g *gen) instruction(b *Block, v *Value) {
	if g.lines {
		g.b.Locate(v.h)
	}
	g.note(v)
	switch v.op {
	case llvm.OpAlloca:
		g.alloca(b, v)
		return
	case llvm.OpStore:
		g.store(b, v)
		return
	case llvm.OpLoad:
		g.load(b, v)
		return
	case llvm.OpCall:
		g.callInstruction(b, v)
		return
	case llvm.OpAtomicRMW:
		g.atomicRMW(b, v)
		return
	case llvm.OpAtomicCmpXchg:
		g.cmpXchg(b, v)
		return
	case llvm.OpFence:
		g.b.Insert(v.h.Clone())
		return
	case llvm.OpGetElementPtr:
		if p := g.a.private[v]; p != nil {
			g.privateAddress(v, p)
			return
		}
	}
	s := g.a.of(v)
	if s.scalar() {
		if s.stride != 0 && (v.op == llvm.OpSExt || v.op == llvm.OpZExt) {
			g.defineScalar(v, g.extend(b, v))
		} else {
			g.defineScalar(v, g.clone(b, v))
		}
		g.notes.Scalar++
		return
	}
	if g.late[v] || g.packedOperation(v) {
		return
	}
	g.notes.Wide++
	g.define(v, g.widen(b, v)...)
}

// note says which instruction the notes are about.
func (g *gen) note(v *Value) {
	if g.lines {
		_, g.notes.line = v.h.DebugLine()
	}
}

// widen emits the vector form of an instruction without side effects.
func (g *gen) widen(b *Block, v *Value) []llvm.Value {
	ts := g.components(v.t)
	r := make([]llvm.Value, 0, len(ts))
	arg := func(i int) []llvm.Value { return g.wide(v.args[i]) }
	switch op := v.op; {
	case op == llvm.OpFNeg:
		for _, x := range arg(0) {
			r = append(r, g.flags(v, g.b.FNeg(x)))
		}
	case op >= llvm.OpAdd && op <= llvm.OpXor:
		if root := g.reciprocalRoot(v); root != nil {
			for _, x := range g.wide(root) {
				r = append(r, g.rsqrt(x))
			}
			break
		}
		x, y := arg(0), arg(1)
		for k, t := range ts {
			if g.divides(v, t) {
				r = append(r, g.division(b, v, t, k))
				continue
			}
			d := y[k]
			if isDivision(op) && !g.allOn(b) && !(v.args[1].constant) { // lanes that are off must not trap
				d = g.b.Select(g.mask(b), d, g.splat(g.num(t.h, 1), g.w))
			}
			r = append(r, g.flags(v, g.b.BinOp(op, x[k], d)))
		}
	case op == llvm.OpICmp:
		x, y, p := arg(0), arg(1), v.h.ICmpPredicate()
		for k := range ts {
			r = append(r, g.b.ICmp(p, x[k], y[k]))
		}
	case op == llvm.OpFCmp:
		x, y, p := arg(0), arg(1), v.h.FCmpPredicate()
		for k := range ts {
			r = append(r, g.flags(v, g.b.FCmp(p, x[k], y[k])))
		}
	case op == llvm.OpBitCast && len(ts) != len(g.components(v.args[0].t)):
		r = g.recut(arg(0), ts)
	case op >= llvm.OpTrunc && op <= llvm.OpBitCast || op == llvm.OpAddrSpaceCast:
		x := arg(0)
		for k, t := range ts {
			y := g.b.Cast(op, x[k], g.vec(t.h))
			if (op == llvm.OpZExt || op == llvm.OpUIToFP) && y.IsInstruction() {
				y.SetNNeg(v.h.NNeg())
			}
			r = append(r, y)
		}
	case op == llvm.OpSelect:
		r = g.selectWide(v, ts)
	case op == llvm.OpFreeze:
		for _, x := range arg(0) {
			r = append(r, g.b.Freeze(x))
		}
	case op == llvm.OpGetElementPtr:
		r = g.address(v)
	case op == llvm.OpExtractElement:
		r = []llvm.Value{g.extract(arg(0), v.args[1])}
	case op == llvm.OpInsertElement:
		r = g.insert(arg(0), arg(1)[0], v.args[2])
	case op == llvm.OpShuffleVector:
		x := append(append([]llvm.Value{}, arg(0)...), arg(1)...)
		for k, t := range ts {
			if m := v.h.MaskElement(k); m >= 0 {
				r = append(r, x[m])
			} else {
				r = append(r, g.vec(t.h).Poison())
			}
		}
	case op == llvm.OpExtractValue:
		from, n := g.member(v.args[0].t, v.h.Indices())
		r = append(r, arg(0)[from:from+n]...)
	case op == llvm.OpInsertValue:
		from, n := g.member(v.t, v.h.Indices())
		r = append(r, arg(0)...)
		copy(r[from:from+n], arg(1))
	default:
		fail("cannot vectorise %v", v.h)
	}
	return r
}

func isDivision(op llvm.Opcode) bool {
	return op == llvm.OpUDiv || op == llvm.OpSDiv || op == llvm.OpURem || op == llvm.OpSRem
}

// member finds the components of an aggregate that an index path names.
func (g *gen) member(t *typ, path []uint32) (from, n int) {
	for _, i := range path {
		if t.kind == llvm.ArrayKind {
			t = t.elem
			from += int(i) * len(g.components(t))
			continue
		}
		for k := range i {
			from += len(g.components(g.f.typ(t.h.Field(int(k)))))
		}
		t = g.f.typ(t.h.Field(int(i)))
	}
	return from, len(g.components(t))
}

func (g *gen) selectWide(v *Value, ts []*typ) []llvm.Value {
	c := v.args[0]
	x, y := g.wide(v.args[1]), g.wide(v.args[2])
	r := make([]llvm.Value, len(ts))
	for k := range ts {
		var cc llvm.Value
		switch {
		case c.t.kind == llvm.VectorKind:
			cc = g.wide(c)[k]
		case g.a.of(c).isUniform():
			cc = g.scalar(c)
		default:
			cc = g.wide(c)[0]
		}
		r[k] = g.flags(v, g.b.Select(cc, x[k], y[k]))
	}
	return r
}

// extract reads a component by an index; one that lanes disagree about is searched for.
func (g *gen) extract(x []llvm.Value, index *Value) llvm.Value {
	if index.isInt {
		if index.num < 0 || index.num >= int64(len(x)) {
			return x[0].Type().Poison()
		}
		return x[index.num]
	}
	i := g.wide(index)[0]
	r := x[0]
	for k := 1; k < len(x); k++ {
		r = g.b.Select(g.b.ICmp(llvm.IntEQ, i, g.splat(g.num(index.t.h, int64(k)), g.w)), x[k], r)
	}
	return r
}

func (g *gen) insert(x []llvm.Value, e llvm.Value, index *Value) []llvm.Value {
	r := append([]llvm.Value{}, x...)
	if index.isInt {
		if index.num >= 0 && index.num < int64(len(x)) {
			r[index.num] = e
		}
		return r
	}
	i := g.wide(index)[0]
	for k := range r {
		r[k] = g.b.Select(g.b.ICmp(llvm.IntEQ, i, g.splat(g.num(index.t.h, int64(k)), g.w)), e, r[k])
	}
	return r
}

// recut is a bitcast between vectors of different lengths, such as char4 to int: the pieces are put together or cut apart as
// integers, the first component lowest. One that is undefined, as the fourth of three shorts that are passed as a double, leaves the
// others as they are.
func (g *gen) recut(x []llvm.Value, ts []*typ) []llvm.Value {
	n := len(ts)
	from, to := g.f.typ(x[0].Type().Elem()), ts[0]
	if len(x)%n != 0 && n%len(x) != 0 {
		fail("a bitcast of %d components to %d", len(x), n)
	}
	fromInt, toInt := g.c.Int(int(from.size*8)), g.c.Int(int(to.size*8))
	r := make([]llvm.Value, n)
	for k := range r {
		if n < len(x) {
			per := len(x) / n
			var sum llvm.Value
			for i := range per {
				y := g.b.Cast(llvm.OpBitCast, x[k*per+i], g.vec(fromInt))
				y = g.b.Cast(llvm.OpZExt, g.b.Freeze(y), g.vec(toInt))
				y = g.b.BinOp(llvm.OpShl, y, g.splat(toInt.ConstInt(int64(i)*from.size*8), g.w))
				if i == 0 {
					sum = y
				} else {
					sum = g.b.Or(sum, y)
				}
			}
			r[k] = g.b.Cast(llvm.OpBitCast, sum, g.vec(to.h))
			continue
		}
		per := n / len(x)
		y := g.b.Cast(llvm.OpBitCast, x[k/per], g.vec(fromInt))
		y = g.b.BinOp(llvm.OpLShr, y, g.splat(fromInt.ConstInt(int64(k%per)*to.size*8), g.w))
		r[k] = g.b.Cast(llvm.OpBitCast, g.b.Cast(llvm.OpTrunc, y, g.vec(toInt)), g.vec(to.h))
	}
	return r
}

// address is a getelementptr of varying operands.
func (g *gen) address(v *Value) []llvm.Value {
	if v.t.kind == llvm.VectorKind {
		fail("a vector of pointers")
	}
	operand := func(x *Value) llvm.Value {
		if g.a.of(x).isUniform() {
			return g.scalar(x)
		}
		return g.wide(x)[0]
	}
	idx := make([]llvm.Value, len(v.args)-1)
	for k, x := range v.args[1:] {
		idx[k] = operand(x)
	}
	return []llvm.Value{g.b.GEP(v.h.GEPElementType(), operand(v.args[0]), idx...)}
}

// clone emits a scalar instruction on the scalars of its operands: the value of lane 0.
func (g *gen) clone(b *Block, v *Value) llvm.Value {
	if isSum(v, g.a.of(v)) {
		return g.b.Add(g.scalar(v.args[0]), g.scalar(v.args[1]))
	}
	x := v.h.Clone()
	for k, o := range v.args {
		y := g.scalar(o)
		if k == 1 && isDivision(v.op) && !o.constant && g.mayBeEmpty(b) {
			y = g.b.Select(g.any(g.mask(b)), y, ones(o.t))
		}
		x.SetOperand(k, y)
	}
	g.b.Insert(x)
	if g.a.of(v).stride != 0 { // lane 0 may be off, where the kernel would not have computed this
		dropPromises(v, x)
	}
	return x
}

// isSum: an or whose operands share no bits where the kernel computes it, and whose lanes count from lane 0's. If that is off they may
// share some, and the others count from the sum.
func isSum(v *Value, s Shape) bool { return v.op == llvm.OpOr && s.stride != 0 }

// ones is the integer 1, in each element of a vector.
func ones(t *typ) llvm.Value {
	one := t.leaf().h.ConstInt(1)
	if t.kind != llvm.VectorKind {
		return one
	}
	e := make([]llvm.Value, t.n)
	for i := range e {
		e[i] = one
	}
	return llvm.ConstVector(e)
}

// dropPromises takes from a copy what holds only where the kernel itself computes it.
func dropPromises(v *Value, x llvm.Value) {
	switch v.op {
	case llvm.OpAdd, llvm.OpSub, llvm.OpMul, llvm.OpShl, llvm.OpTrunc:
		x.SetNSW(false)
		x.SetNUW(false)
	case llvm.OpGetElementPtr:
		x.SetInBounds(false)
	case llvm.OpOr: // of uniform operands
		x.SetDisjoint(false)
	case llvm.OpZExt, llvm.OpUIToFP:
		x.SetNNeg(false)
	case llvm.OpLShr, llvm.OpAShr:
		x.SetExact(false)
	}
}

// extend is the sign or zero extension of an affine value whose lanes are exact. Lane 0's own value, extended, is not what
// the other lanes count from if lane 0 is off and its value wrapped; so the arithmetic is done again in the wider type.
func (g *gen) extend(b *Block, v *Value) llvm.Value {
	op := v.op
	if op == llvm.OpZExt && !g.a.of(v.args[0]).nuw { // marked nneg: the sign is zero
		op = llvm.OpSExt
	}
	return g.exact(op, v.args[0], v.t.h, b)
}

func (g *gen) exact(op llvm.Opcode, x *Value, t llvm.Type, b *Block) llvm.Value {
	s := g.a.of(x)
	extended := func() llvm.Value { return g.b.Cast(op, g.scalar(x), t) }
	if s.isUniform() {
		return extended()
	}
	signed := op == llvm.OpSExt
	switch x.op {
	case llvm.OpTrunc:
		if _, ok := g.a.queries[x.args[0]]; ok && t == g.i64 {
			return g.scalar(x.args[0])
		}
	case llvm.OpAdd, llvm.OpSub, llvm.OpOr, llvm.OpMul, llvm.OpShl:
		y, z := g.a.of(x.args[0]), g.a.of(x.args[1])
		if (signed && y.nsw && z.nsw || !signed && y.nuw && z.nuw) && g.atHand(x.args[0]) && g.atHand(x.args[1]) {
			how := x.op
			if how == llvm.OpOr {
				how = llvm.OpAdd
			}
			right := llvm.Value(0)
			if how == llvm.OpShl {
				right = t.ConstInt(x.args[1].num)
			} else {
				right = g.exact(op, x.args[1], t, b)
			}
			return g.b.BinOp(how, g.exact(op, x.args[0], t, b), right)
		}
	}
	if g.p.allLanes(x.block) { // lane 0 is on
		return extended()
	}
	// Count from the first lane that is on.
	first := g.firstLane(g.mask(b))
	step := g.b.Mul(g.b.Cast(llvm.OpZExt, first, t), t.ConstInt(s.stride))
	there := g.b.Add(g.scalar(x), g.b.Mul(g.resizeInt(first, x.t), x.t.h.ConstInt(s.stride)))
	return g.b.Sub(g.b.Cast(op, there, t), step)
}

// atHand says whether the scalar of what an operand was made of is known: not that of each is kept across a barrier.
func (g *gen) atHand(v *Value) bool {
	_, known := g.scalars[g.key(v)]
	return known || !v.isInstr() || g.region == nil || g.region.again[v]
}

// firstLane is the number of the lowest lane of a mask, as an i32; 0 if it is empty.
func (g *gen) firstLane(m llvm.Value) llvm.Value {
	t := g.c.Int(max(g.w, 8))
	bits := g.b.Cast(llvm.OpBitCast, m, g.c.Int(g.w))
	if g.w < 8 {
		bits = g.b.Cast(llvm.OpZExt, bits, t)
	}
	n := g.call(g.intrinsic("llvm.cttz", t), bits, g.i1.ConstInt(0))
	n = g.resizeFrom(n, max(g.w, 8), 32)
	return g.b.And(n, g.num(g.i32, int64(g.w-1)))
}

// resizeInt brings an unsigned i32 to another integer type.
func (g *gen) resizeInt(x llvm.Value, t *typ) llvm.Value {
	switch {
	case t.bits < 32:
		return g.b.Cast(llvm.OpTrunc, x, t.h)
	case t.bits > 32:
		return g.b.Cast(llvm.OpZExt, x, t.h)
	}
	return x
}

func (g *gen) resizeFrom(x llvm.Value, from, to int) llvm.Value {
	switch {
	case to < from:
		return g.b.Cast(llvm.OpTrunc, x, g.c.Int(to))
	case to > from:
		return g.b.Cast(llvm.OpZExt, x, g.c.Int(to))
	}
	return x
}

// flags copies what an instruction promises to its vector form.
func (g *gen) flags(v *Value, x llvm.Value) llvm.Value {
	if !x.IsInstruction() || x.Opcode() != v.op {
		return x
	}
	switch v.op {
	case llvm.OpAdd, llvm.OpSub, llvm.OpMul, llvm.OpShl:
		x.SetNSW(v.h.NSW())
		x.SetNUW(v.h.NUW())
	case llvm.OpUDiv, llvm.OpSDiv, llvm.OpLShr, llvm.OpAShr:
		x.SetExact(v.h.Exact())
	default:
		if v.h.CanFastMath() {
			x.SetFastMath(v.h.FastMath())
		}
	}
	return x
}
