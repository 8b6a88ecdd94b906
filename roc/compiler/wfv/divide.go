package wfv

import (
	"math/bits"

	"aqueduct/roc/compiler/llvm"
)

// Processors divide no vectors of integers, and LLVM does it lane by lane, which is slower than not to vectorise. Here it is done in floating
// point. The numerator gets a half more, away from zero: then no quotient is near the next integer, and small errors do not matter,
// such as those of a product with the reciprocal, which is the same for a whole loop if the divisor is.

// divides says whether that is done for components of a type.
func (g *gen) divides(v *Value, t *typ) bool {
	if !isDivision(v.op) || g.w < 4 {
		return false
	}
	d := v.args[1]
	switch t.bits {
	case 8, 16, 32:
		return g.target.AVX2 && !d.constant // of a constant LLVM makes a multiplication
	case 64: // where that has no instruction
		shifts := d.constant && (!d.isInt || bits.OnesCount64(uint64(d.num)) == 1 || bits.OnesCount64(-uint64(d.num)) == 1)
		return g.target.AVX512 && !shifts // which converts such integers
	}
	return false
}

// division emits component k of v.
func (g *gen) division(b *Block, v *Value, t *typ, k int) llvm.Value {
	x, y := g.wide(v.args[0])[k], v.args[1]
	var trap llvm.Value // lanes with the least number, divided by -1
	if y.op == llvm.OpSelect && y.args[0].t.n == y.t.n && y.args[1].h == ones(y.t) && g.a.of(y.args[2]).isUniform() {
		trap, y = g.wide(y.args[0])[k], y.args[2] // undoes workgroup's guard, with which the divisor is not uniform
	}
	d, same := g.wide(y)[k], g.a.of(y).isUniform()
	if !same && !g.allOn(b) {
		d = g.b.Select(g.mask(b), d, g.splat(g.num(t.h, 1), g.w)) // of a zero LLVM makes poison, even in a lane that is off
	}
	signed := v.op == llvm.OpSDiv || v.op == llvm.OpSRem
	var quotient, rest llvm.Value
	if t.bits == 64 {
		quotient, rest = g.divide64(x, d, signed)
	} else {
		quotient, rest = g.divide32(x, d, signed, same, t)
	}
	remainder := v.op == llvm.OpURem || v.op == llvm.OpSRem
	if remainder {
		quotient = rest
	}
	if trap != 0 {
		if remainder {
			x = x.Type().Null()
		}
		quotient = g.b.Select(trap, x, quotient)
	}
	return quotient
}

// divide32 divides integers of up to 32 bits: in single precision those of up to 16. Their quotient is further from the next integer than
// 0.5/d, which is more than 2^-17 of it, or 2^-33.
func (g *gen) divide32(x, d llvm.Value, signed, same bool, t *typ) (quotient, rest llvm.Value) {
	b, float := g.b, g.c.F64()
	extend, toFloat, toInt := llvm.OpZExt, llvm.OpUIToFP, llvm.OpFPToUI
	if signed {
		extend, toFloat, toInt = llvm.OpSExt, llvm.OpSIToFP, llvm.OpFPToSI
	}
	if t.bits < 32 {
		x, d = b.Cast(extend, x, g.vec(g.i32)), b.Cast(extend, d, g.vec(g.i32))
		float, toFloat, toInt = g.f32, llvm.OpSIToFP, llvm.OpFPToSI
	}
	fx, fd := b.Cast(toFloat, x, g.vec(float)), b.Cast(toFloat, d, g.vec(float))
	half := g.splat(float.ConstFloat(0.5), g.w)
	if signed {
		half = g.call(g.intrinsic("llvm.copysign", g.vec(float)), half, fx)
	}
	fx = b.BinOp(llvm.OpFAdd, fx, half)
	if same {
		fx = b.BinOp(llvm.OpFMul, fx, b.BinOp(llvm.OpFDiv, g.splat(float.ConstFloat(1), g.w), fd))
	} else {
		fx = b.BinOp(llvm.OpFDiv, fx, fd)
	}
	quotient = b.Cast(toInt, fx, g.vec(g.i32))
	rest = b.Sub(x, b.Mul(quotient, d))
	if t.bits < 32 {
		quotient, rest = b.Cast(llvm.OpTrunc, quotient, g.vec(t.h)), b.Cast(llvm.OpTrunc, rest, g.vec(t.h))
	}
	return quotient, rest
}

// divide64 divides 64-bit integers, of which doubles have the upper 53 bits. The reciprocal is less by more than what rounding adds, so
// that no product is above the quotient: the first is below by 2^15 at most, and that of what is left by 1.
func (g *gen) divide64(x, d llvm.Value, signed bool) (quotient, rest llvm.Value) {
	b := g.b
	var sign, other llvm.Value
	if signed {
		sign, other = b.BinOp(llvm.OpAShr, x, g.splat(g.num(g.i64, 63), g.w)), b.BinOp(llvm.OpAShr, d, g.splat(g.num(g.i64, 63), g.w))
		x, d = g.negateIf(sign, x), g.negateIf(other, d)
	}
	doubles, ints := g.vec(g.c.F64()), g.vec(g.i64)
	inverse := b.BinOp(llvm.OpFDiv, g.splat(g.c.F64().ConstFloat(1-0x1p-50), g.w), b.Cast(llvm.OpUIToFP, d, doubles))
	part := func(x llvm.Value) llvm.Value {
		return b.Cast(llvm.OpFPToUI, b.BinOp(llvm.OpFMul, b.Cast(llvm.OpUIToFP, x, doubles), inverse), ints)
	}
	first := part(x)
	x = b.Sub(x, b.Mul(first, d))
	second := part(x)
	x = b.Sub(x, b.Mul(second, d))
	more := b.ICmp(llvm.IntUGE, x, d)
	quotient = b.Add(b.Add(first, second), b.Cast(llvm.OpZExt, more, ints))
	rest = b.Select(more, b.Sub(x, d), x)
	if signed {
		quotient, rest = g.negateIf(b.BinOp(llvm.OpXor, sign, other), quotient), g.negateIf(sign, rest)
	}
	return quotient, rest
}

// negateIf negates x where sign is -1, and not where it is 0.
func (g *gen) negateIf(sign, x llvm.Value) llvm.Value {
	return g.b.Sub(g.b.BinOp(llvm.OpXor, x, sign), sign)
}
