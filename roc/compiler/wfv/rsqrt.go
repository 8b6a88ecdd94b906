package wfv

import "aqueduct/roc/compiler/llvm"

// 1/sqrt(x) in single precision by the estimate of AVX-512 and one step of iteration: 1.04 ulp at worst, where rsqrt may have 2
// (OpenCL C 3.0 section 7.4), for every x including denormals, zeros and infinities. It replaces a division whose fpmath
// metadata grants that error; without the metadata the build asked for correct rounding. The estimate of older processors
// takes denormals for zeros and needs a longer step, and their square root and division are as fast.

// reciprocalRoot recognises 1/sqrt(x), and returns x.
func (g *gen) reciprocalRoot(v *Value) *Value {
	if v.op != llvm.OpFDiv || v.t.leaf().h != g.f32 || !g.target.AVX512 || g.w < 8 {
		return nil
	}
	root := v.args[1]
	if root.op != llvm.OpCall || root.intrinsic() != "sqrt" || !together(root, v) || root.t != v.t {
		return nil
	}
	one := v.args[0]
	if !one.constant || v.h.Metadata(g.c.MDKind("fpmath")) == 0 {
		return nil
	}
	h := one.h
	if v.t.kind == llvm.VectorKind {
		for i := range v.t.n {
			if h.Element(i) != g.f32.ConstFloat(1) {
				return nil
			}
		}
	} else if h != g.f32.ConstFloat(1) {
		return nil
	}
	return root.args[0]
}

// rsqrt emits it for a vector of floats.
func (g *gen) rsqrt(x llvm.Value) llvm.Value {
	b, n := g.b, x.Type().VecLen()
	k := func(v float64) llvm.Value { return g.splat(g.f32.ConstFloat(v), n) }
	fma := func(x, y, z llvm.Value) llvm.Value { return g.call(g.intrinsic("llvm.fma", x.Type()), x, y, z) }
	y := g.rsqrtEstimate(x)
	// In correction form: with t = x*y, near sqrt(x), nothing overflows, and e is what y*y*x lacks to 1.
	t := b.BinOp(llvm.OpFMul, x, y)
	e := fma(b.FNeg(t), y, k(1))
	z := fma(b.BinOp(llvm.OpFMul, y, k(0.5)), e, y)
	return b.Select(b.FCmp(llvm.FloatUNO, z, z), y, z) // of zeros and infinities the estimate is exact
}

// rsqrtEstimate is the instruction vrsqrt14ps.
func (g *gen) rsqrtEstimate(x llvm.Value) llvm.Value {
	n := x.Type().VecLen()
	if n > 16 {
		return g.concat([]llvm.Value{g.rsqrtEstimate(g.part(x, 0, n/2)), g.rsqrtEstimate(g.part(x, n/2, n/2))})
	}
	name := "llvm.x86.avx512.rsqrt14.ps.512"
	if n == 8 {
		name = "llvm.x86.avx512.rsqrt14.ps.256"
	}
	return g.call(g.intrinsic(name), x, x.Type().Null(), g.c.Int(n).AllOnes())
}
