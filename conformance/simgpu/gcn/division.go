package gcn

import (
	"math"
	"math/big"
)

// Division is a sequence of instructions: v_div_scale brings numerator and denominator into a range in which nothing overflows and
// nothing is denormal, Newton's steps follow, v_div_fmas takes the scale out again, v_div_fixup puts in the special cases.

// divFormat is what division must know of a format.
type divFormat struct {
	mantissa, bias, scale int
	far                   int // exponents of numerator and denominator so far apart that the quotient nearly overflows
	value                 func(m *mathMode, x uint64) float64
	bits                  func(x float64) uint64
}

var div32 = divFormat{23, 127, 64, 96, func(_ *mathMode, x uint64) float64 { return float64(math.Float32frombits(uint32(x))) },
	func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }}

var div64 = divFormat{52, 1023, 128, 768, func(_ *mathMode, x uint64) float64 { return math.Float64frombits(x) }, math.Float64bits}

func (f *divFormat) exponent(x uint64) int { return int(x >> f.mantissa & uint64(2*f.bias+1)) }

// scaled says what v_div_scale makes of s0, which is the denominator s1 or the numerator s2, and whether v_div_fmas has to scale back.
func (f *divFormat) scaled(m *mathMode, s0, s1, s2 uint64) (uint64, bool) {
	d, n := f.value(m, s1), f.value(m, s2)
	ed, en := f.exponent(s1), f.exponent(s2)
	scale := func(e int) uint64 { return f.bits(math.Ldexp(f.value(m, s0), e)) }
	tiny := en-ed <= -(f.bias - 1) // the quotient is denormal
	switch {
	case n == 0 || d == 0:
		return f.bits(math.NaN()), false
	case en-ed >= f.far: // make the quotient smaller by a larger denominator
		if s0 == s1 {
			return scale(f.scale), true
		}
		return s0, true
	case ed == 0: // a denormal denominator: both become larger
		return scale(f.scale), false
	case ed >= 2*f.bias-1 && ed < 2*f.bias+1: // its reciprocal is denormal
		if !tiny {
			return scale(-f.scale), false
		}
		if s0 == s1 { // and so is the quotient: a smaller denominator makes that larger
			return scale(-f.scale), true
		}
		return s0, true
	case tiny: // make the quotient larger by a larger numerator
		if s0 == s2 {
			return scale(f.scale), true
		}
		return s0, true
	case en <= f.mantissa: // a tiny numerator: both become larger
		return scale(f.scale), false
	}
	return s0, false
}

// fixup is the quotient q with the special cases of numerator n and denominator d put in.
func fixup(q, d, n float64) float64 {
	sign := 1.0
	if math.Signbit(d) != math.Signbit(n) {
		sign = -1
	}
	switch {
	case n != n:
		return n
	case d != d:
		return d
	case d == 0 && n == 0, math.IsInf(d, 0) && math.IsInf(n, 0):
		return math.NaN()
	case d == 0, math.IsInf(n, 0):
		return math.Inf(int(sign))
	case math.IsInf(d, 0), n == 0:
		return math.Copysign(0, sign)
	}
	if q != q { // it overflowed on the way
		return math.Inf(int(sign))
	}
	return math.Copysign(q, sign)
}

// backScale is the power of two that v_div_fmas multiplies with: the quotient was made larger or smaller, as the third operand shows.
func (f *divFormat) backScale(s2 uint64) int {
	if f.exponent(s2) > f.bias {
		return f.scale
	}
	return -f.scale
}

func init() {
	carrying("v_div_scale_f32", "ffff", div32.scaled)
	carrying("v_div_scale_f64", "dddd", div64.scaled)
	lanewise("v_div_fixup_f32", "ffff", func(m *mathMode, q, d, n uint64) uint64 { return m.toF(fixup(m.f(q), m.f(d), m.f(n))) })
	lanewise("v_div_fixup_f64", "dddd", func(m *mathMode, q, d, n uint64) uint64 { return m.toD(fixup(m.d(q), m.d(d), m.d(n))) })
	lanewise("v_div_fixup_f16 v_div_fixup_legacy_f16", "hhhh", func(m *mathMode, q, d, n uint64) uint64 {
		return m.toH(fixup(m.h(q), m.h(d), m.h(n)))
	})
	laneOps["v_div_fixup_f16"].keep = true

	// The mask is VCC, whatever the operands: bit 63 of no operand can hold it, so these read it themselves.
	waveOps["v_div_fmas_f32"] = divFmas("ffff", func(m *mathMode, a, b, c uint64) uint64 {
		p, s := m.f(a)*m.f(b), m.f(c)
		return m.toF(math.Ldexp(addOdd(p, s), div32.backScale(c)))
	})
	waveOps["v_div_fmas_f64"] = divFmas("dddd", func(m *mathMode, a, b, c uint64) uint64 {
		x, y, z, e := m.d(a), m.d(b), m.d(c), div64.backScale(c)
		r := math.Ldexp(math.FMA(x, y, z), e)
		if r != 0 && math.Abs(r) < 0x1p-1022 { // a denormal would have been rounded twice
			p := new(big.Float).Mul(exact(x), exact(y))
			p.Add(p, exact(z))
			r, _ = p.SetMantExp(p, e).Float64()
		}
		return m.toD(r)
	})
}

// divFmas is a fused multiply-add that is scaled in the lanes of VCC.
func divFmas(sig string, scaled func(m *mathMode, a, b, c uint64) uint64) func(w *Wave, in *Instruction) {
	plain := fma32
	if sig[0] == 'd' {
		plain = fma64
	}
	op := &laneOp{sig: sig}
	return func(w *Wave, in *Instruction) {
		mask, scale := w.loadSources(in, sig), w.s64(vcc)
		for l := range Lanes {
			fn := plain
			if scale>>l&1 == 1 {
				fn = scaled
			}
			if mask>>l&1 == 1 {
				w.src[0][l] = fn(&w.math, w.src[0][l], w.src[1][l], w.src[2][l])
			}
		}
		w.store(in, op, mask)
	}
}
