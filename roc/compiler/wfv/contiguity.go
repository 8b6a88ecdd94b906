package wfv

import (
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// Checked contiguity: clamp(x+i, 0, n-1), or 32-bit index arithmetic that might wrap, gives consecutive addresses unless the
// clamp bites or the index wraps. Whether it does is a scalar question about the first and the last lane, asked at run time.

// contiguityDepth bounds the chain of instructions looked through.
const contiguityDepth = 8

// chain is a varying value as an affine one under a condition.
type chain struct {
	base   llvm.Value // lane 0's value
	cond   llvm.Value // i1; zero: always
	stride int64
	nsw    bool       // exact, signed, under the condition
	flip   llvm.Value // i32 below W: lane l has what lane l^flip would (exchange.go); zero: 0
}

func (g *gen) and(a, b llvm.Value) llvm.Value {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return g.b.And(a, b)
}

// last is what the last lane is away from lane 0.
func (g *gen) last(stride int64) int64 { return int64(g.w-1) * stride }

// chain follows a value to its affine leaves.
func (g *gen) chain(v *Value, depth int) (chain, bool) {
	s := g.a.of(v)
	if s.scalar() {
		return chain{base: g.scalar(v), stride: s.stride, nsw: s.nsw}, true
	}
	if depth == 0 || !v.isInstr() || v.t.kind == llvm.VectorKind {
		return chain{}, false
	}
	switch v.op {
	case llvm.OpCall:
		return g.clampChain(v, depth)
	case llvm.OpSExt, llvm.OpZExt:
		return g.extendChain(v, depth)
	case llvm.OpAdd, llvm.OpSub:
		x, ok := g.chain(v.args[0], depth-1)
		if !ok {
			return x, false
		}
		y, ok := g.chain(v.args[1], depth-1)
		if !ok {
			return y, false
		}
		flip, ok := oneOrder(x, y)
		if !ok {
			return x, false
		}
		stride := x.stride + y.stride
		if v.op == llvm.OpSub {
			stride = x.stride - y.stride
		}
		return chain{g.b.BinOp(v.op, x.base, y.base), g.and(x.cond, y.cond), stride, v.h.NSW() && x.nsw && y.nsw, flip}, true
	case llvm.OpAnd, llvm.OpOr, llvm.OpXor:
		return g.bitChain(v, depth)
	case llvm.OpMul, llvm.OpShl:
		k := v.args[1]
		if !k.isInt || k.num <= 0 || k.num >= 1<<16 || v.op == llvm.OpShl && k.num > 16 {
			return chain{}, false
		}
		x, ok := g.chain(v.args[0], depth-1)
		if !ok {
			return x, false
		}
		by := k.num
		if v.op == llvm.OpShl {
			by = 1 << k.num
		}
		return chain{g.b.BinOp(v.op, x.base, k.h), x.cond, x.stride * by, v.h.NSW() && x.nsw, x.flip}, true
	case llvm.OpGetElementPtr:
		if len(v.args) != 2 || g.a.private[v] != nil {
			return chain{}, false
		}
		x, ok := g.chain(v.args[0], depth-1)
		if !ok {
			return x, false
		}
		i, ok := g.chain(v.args[1], depth-1)
		if !ok || v.args[1].t.bits < 64 && !i.nsw {
			return i, false
		}
		flip, ok := oneOrder(x, i)
		if !ok {
			return x, false
		}
		t := g.f.typ(v.h.GEPElementType())
		return chain{g.b.GEP(t.h, x.base, i.base), g.and(x.cond, i.cond), x.stride + i.stride*t.size, true, flip}, true
	}
	return chain{}, false
}

// oneOrder is the flip of a sum of two chains. Lanes in different orders do not add up to an affine value.
func oneOrder(x, y chain) (flip llvm.Value, ok bool) {
	switch {
	case x.flip == 0 || x.stride == 0:
		return y.flip, y.flip == 0 || x.stride == 0
	case y.flip == 0 || y.stride == 0:
		return x.flip, y.stride == 0
	}
	return 0, false
}

// clampChain: max(x, u) is x where lane 0's x is not below u, min(x, u) where the last lane's is not above.
func (g *gen) clampChain(v *Value, depth int) (chain, bool) {
	upper := strings.HasPrefix(v.callee, "llvm.smin.")
	if !upper && !strings.HasPrefix(v.callee, "llvm.smax.") || !v.t.isInt() || v.t.bits > 64 {
		return chain{}, false
	}
	x, u := v.args[0], v.args[1]
	if g.a.of(x).isUniform() {
		x, u = u, x
	}
	if !g.a.of(u).isUniform() {
		return chain{}, false
	}
	c, ok := g.chain(x, depth-1)
	if !ok || c.stride <= 0 || !c.nsw || c.flip != 0 {
		return chain{}, false
	}
	wide := func(y llvm.Value) llvm.Value {
		if v.t.bits < 64 {
			return g.b.Cast(llvm.OpSExt, y, g.i64)
		}
		return y
	}
	base, bound := wide(c.base), wide(g.scalar(u))
	var in llvm.Value
	if upper {
		in = g.b.ICmp(llvm.IntSLE, g.b.Add(base, g.num(g.i64, g.last(c.stride))), bound)
	} else {
		in = g.b.ICmp(llvm.IntSGE, base, bound)
	}
	return chain{c.base, g.and(c.cond, in), c.stride, true, 0}, true
}

// bitChain: where lane 0's value is a multiple of W, the lanes' values differ only in the low bits. So x & u counts on from
// lane to lane if those bits of u are ones, and x | u if they are zeros. x ^ u, the partner of a butterfly exchange, is the
// same numbers in another order.
func (g *gen) bitChain(v *Value, depth int) (chain, bool) {
	x, u := v.args[0], v.args[1]
	if g.a.of(x).isUniform() {
		x, u = u, x
	}
	if !v.t.isInt() || !g.a.of(u).isUniform() {
		return chain{}, false
	}
	c, ok := g.chain(x, depth-1)
	if !ok || c.stride != 1 || c.flip != 0 && v.op != llvm.OpXor {
		return chain{}, false
	}
	low, zero := v.t.h.ConstInt(int64(g.w-1)), v.t.h.Null()
	bits := g.scalar(u)
	if v.op == llvm.OpXor {
		flip := g.resizeFrom(g.b.And(bits, low), v.t.bits, 32)
		if c.flip != 0 {
			flip = g.b.BinOp(llvm.OpXor, flip, c.flip)
		}
		base := g.b.BinOp(llvm.OpXor, c.base, g.b.And(bits, g.b.Not(low)))
		return chain{base, g.and(c.cond, g.b.ICmp(llvm.IntEQ, g.b.And(c.base, low), zero)), 1, false, flip}, true
	}
	base := g.b.BinOp(v.op, c.base, bits)
	if v.op == llvm.OpAnd {
		bits = g.b.Not(bits)
	}
	in := g.b.ICmp(llvm.IntEQ, g.b.And(g.b.Or(c.base, bits), low), zero)
	return chain{base, g.and(c.cond, in), 1, false, 0}, true
}

// extendChain: a narrow value that may wrap between lanes does not if the last lane's stays within the bounds of the type.
func (g *gen) extendChain(v *Value, depth int) (chain, bool) {
	x := v.args[0]
	if !x.t.isInt() || x.t.bits > 32 {
		return chain{}, false
	}
	c, ok := g.chain(x, depth-1)
	if !ok || c.stride == 0 {
		return chain{}, false
	}
	// Lane 0 may be off, and its value have wrapped, unless all lanes are on.
	if c.nsw && g.p.allLanes(v.block) && (v.op == llvm.OpSExt || v.h.NNeg()) {
		return chain{g.b.Cast(llvm.OpSExt, c.base, v.t.h), c.cond, c.stride, true, c.flip}, true
	}
	half := int64(1) << (x.t.bits - 1)
	least, most, below, above := -half, half-1, llvm.IntSLE, llvm.IntSGE
	if v.op == llvm.OpZExt {
		least, most, below, above = 0, 2*half-1, llvm.IntULE, llvm.IntUGE
	}
	room := most - g.last(c.stride)
	if c.stride < 0 {
		room, below = least-g.last(c.stride), above
	}
	if room < least || room > most {
		return chain{}, false
	}
	in := g.b.ICmp(below, c.base, x.t.h.ConstInt(room))
	return chain{g.b.Cast(v.op, c.base, v.t.h), g.and(c.cond, in), c.stride, true, c.flip}, true
}

// inReach says whether lanes of a chain's stride are loaded together.
func (g *gen) inReach(x access, c chain) bool {
	switch step := c.stride / x.t.size; {
	case c.stride%x.t.size != 0:
		return false
	case x.n > 1:
		return step == 1 && c.flip == 0 && g.movesRegisters(x)
	case step == 1:
		return true
	case c.flip != 0 || !g.movesRegisters(x):
		return false
	default:
		return step == -1 && g.allOn(x.b) || step > 1 && step <= maxStep
	}
}

// loadChecked loads contiguously where the condition holds and gathers otherwise, if the address is such a chain. It says whether.
func (g *gen) loadChecked(x access) bool {
	c, ok := g.chain(x.p, contiguityDepth)
	if !ok || c.cond == 0 || !g.inReach(x, c) {
		return false
	}
	g.mask(x.b) // known on both paths
	switch {
	case x.n == 1:
		g.define(x.v, g.checked(c, func() []llvm.Value { return []llvm.Value{g.loadInOrder(x, c)} }, func() []llvm.Value { return []llvm.Value{g.gatherLoop(x)} })...)
	case g.allOn(x.b):
		long := g.checked(c, func() []llvm.Value { return []llvm.Value{g.loadLong(x, c.base)} }, func() []llvm.Value { return []llvm.Value{g.gatherLong(x)} })
		g.defineLong(x, long[0])
	default:
		g.define(x.v, g.checked(c, func() []llvm.Value { return g.loadShortVectors(x, c.base) }, func() []llvm.Value { return g.apart(x, g.gatherLong(x)) })...)
	}
	g.notes.load(checkedAccess)
	return true
}

// storeChecked is the same for a store.
func (g *gen) storeChecked(x access, val *Value) bool {
	c, ok := g.chain(x.p, contiguityDepth)
	if !ok || c.stride != x.t.size || c.cond == 0 {
		return false
	}
	g.mask(x.b)
	switch {
	case x.n == 1:
		y := g.wide(val)[0]
		g.checked(c, func() []llvm.Value { g.storeInOrder(x, y, c); return nil }, func() []llvm.Value { g.scatterLoop(x, y); return nil })
	case c.flip == 0 && g.storesLong(x) && g.movesRegisters(x):
		long := g.long(x, val)
		g.checked(c, func() []llvm.Value { g.storeWhole(x, long, c.base); return nil }, func() []llvm.Value { g.scatterLong(x, long); return nil })
	default:
		return false
	}
	g.notes.store(checkedAccess)
	return true
}

// checked builds `c.cond ? inRow() : each()`.
func (g *gen) checked(c chain, inRow, each func() []llvm.Value) []llvm.Value {
	run, apart, done := g.newBlock("run"), g.newBlock("each"), g.newBlock("checked")
	g.b.CondBr(c.cond, run, apart)
	g.b.AtEnd(run)
	y := inRow()
	ran := g.b.Block()
	g.b.Br(done)
	apart.MoveAfter(ran)
	g.b.AtEnd(apart)
	var z []llvm.Value
	g.scope(func() { z = each() })
	from := g.b.Block()
	g.b.Br(done)
	done.MoveAfter(from)
	g.b.AtEnd(done)
	for k := range y {
		r := g.b.Phi(y[k].Type())
		r.AddIncoming(y[k], ran)
		r.AddIncoming(z[k], from)
		y[k] = r
	}
	return y
}

// leaves calls f with the scalars at the leaves of an address chain, which the test at run time asks for wherever it stands.
func (g *gen) leaves(v *Value, depth int, f func(*Value)) {
	if !v.isInstr() || depth == 0 {
		return
	}
	if g.a.of(v).scalar() {
		f(v)
		return
	}
	switch v.op {
	case llvm.OpCall, llvm.OpSExt, llvm.OpZExt, llvm.OpAdd, llvm.OpSub, llvm.OpMul, llvm.OpShl, llvm.OpAnd, llvm.OpOr, llvm.OpXor, llvm.OpGetElementPtr:
		for _, x := range v.args {
			g.leaves(x, depth-1, f)
		}
	}
}

// ofAddress calls f with the leaves of the address that a load or a store goes to.
func (g *gen) ofAddress(v *Value, f func(*Value)) {
	switch v.op {
	case llvm.OpLoad:
		g.leaves(v.args[0], contiguityDepth+2, f)
	case llvm.OpStore:
		g.leaves(v.args[1], contiguityDepth+2, f)
	}
}
