package gcn

import (
	"math"
	mathbits "math/bits"
)

// everyFloat registers an operation on one float for the three widths. The result must be exact before it is rounded, or so close that
// rounding hides it.
func everyFloat(name string, fn func(x float64) float64) {
	lanewise("v_"+name+"_f32", "ff", func(m *mathMode, a, _, _ uint64) uint64 { return m.toF(fn(m.f(a))) })
	lanewise("v_"+name+"_f16", "hh", func(m *mathMode, a, _, _ uint64) uint64 { return m.toH(fn(m.h(a))) })
	lanewise("v_"+name+"_f64", "dd", func(m *mathMode, a, _, _ uint64) uint64 { return m.toD(fn(m.d(a))) })
}

// transcendental registers an operation of the special function unit, which in 32 bits knows no denormals whatever the mode.
func transcendental(name string, fn func(x float64) float64) {
	flushing := mathMode{}
	lanewise("v_"+name+"_f32", "ff", func(m *mathMode, a, _, _ uint64) uint64 { return flushing.toF(fn(flushing.f(a))) })
	lanewise("v_"+name+"_f16", "hh", func(m *mathMode, a, _, _ uint64) uint64 { return m.toH(fn(m.h(a))) })
}

// fraction is x minus its floor, and less than one.
func fraction(below float64) func(x float64) float64 {
	return func(x float64) float64 { return math.Min(x-math.Floor(x), below) }
}

// turn makes a function of revolutions of one of radians. Beyond 256 revolutions the unit gives the value at zero.
func turn(fn func(float64) float64) func(x float64) float64 {
	return func(x float64) float64 {
		if math.Abs(x) > 256 {
			x = 0
		}
		// Quarters exactly, as the hardware's tables have them.
		switch q := math.Mod(x, 1) * 4; q {
		case math.Trunc(q):
			return math.Round(fn(q * math.Pi / 2))
		default:
			return fn(q * math.Pi / 2)
		}
	}
}

// toInteger cuts or rounds to an integer and keeps it within bounds; a NaN is zero.
func toInteger(x, low, high float64) uint64 {
	if x != x {
		return 0
	}
	return uint64(uint32(int64(math.Max(low, math.Min(high, math.Trunc(x))))))
}

func frexp(x float64) (float64, int) {
	if x == 0 || x != x || math.IsInf(x, 0) {
		return x, 0
	}
	return math.Frexp(x)
}

func init() {
	lanewise("v_mov_b32", "uu", func(_ *mathMode, a, _, _ uint64) uint64 { return a })
	lanewise("v_mov_b64", "qq", func(_ *mathMode, a, _, _ uint64) uint64 { return a })
	lanewise("v_not_b32", "uu", func(_ *mathMode, a, _, _ uint64) uint64 { return ^a })
	lanewise("v_bfrev_b32", "uu", func(_ *mathMode, a, _, _ uint64) uint64 { return uint64(mathbits.Reverse32(uint32(a))) })
	lanewise("v_ffbh_u32", "uu", func(_ *mathMode, a, _, _ uint64) uint64 { return uint64(leadingZeros(uint64(uint32(a)), 32)) })
	lanewise("v_ffbl_b32", "uu", func(_ *mathMode, a, _, _ uint64) uint64 { return uint64(firstOne(uint64(uint32(a)))) })
	lanewise("v_ffbh_i32", "uu", func(_ *mathMode, a, _, _ uint64) uint64 { return uint64(signBits(int64(int32(a)), 32)) })
	lanewise("v_sat_pk_u8_i16", "uu", func(_ *mathMode, a, _, _ uint64) uint64 {
		byteOf := func(x int16) uint64 { return uint64(max(0, min(255, x))) }
		return byteOf(int16(a)) | byteOf(int16(a>>16))<<8
	})

	everyFloat("floor", math.Floor)
	everyFloat("ceil", math.Ceil)
	everyFloat("trunc", math.Trunc)
	everyFloat("rndne", math.RoundToEven)
	everyFloat("frexp_mant", func(x float64) float64 { f, _ := frexp(x); return f })
	lanewise("v_fract_f32", "ff", func(m *mathMode, a, _, _ uint64) uint64 { return m.toF(fraction(1 - 0x1p-24)(m.f(a))) })
	lanewise("v_fract_f16", "hh", func(m *mathMode, a, _, _ uint64) uint64 { return m.toH(fraction(1 - 0x1p-11)(m.h(a))) })
	lanewise("v_fract_f64", "dd", func(m *mathMode, a, _, _ uint64) uint64 { return m.toD(fraction(1 - 0x1p-53)(m.d(a))) })
	lanewise("v_frexp_exp_i32_f32", "uf", func(m *mathMode, a, _, _ uint64) uint64 { _, e := frexp(m.f(a)); return uint64(uint32(e)) })
	lanewise("v_frexp_exp_i32_f64", "ud", func(m *mathMode, a, _, _ uint64) uint64 { _, e := frexp(m.d(a)); return uint64(uint32(e)) })
	lanewise("v_frexp_exp_i16_f16", "sh", func(m *mathMode, a, _, _ uint64) uint64 { _, e := frexp(m.h(a)); return uint64(uint16(e)) })

	reciprocal := func(x float64) float64 { return 1 / x }
	inverseRoot := func(x float64) float64 { return 1 / math.Sqrt(x) }
	transcendental("rcp", reciprocal)
	transcendental("rsq", inverseRoot)
	transcendental("sqrt", math.Sqrt)
	transcendental("exp", math.Exp2)
	transcendental("log", math.Log2)
	transcendental("sin", turn(math.Sin))
	transcendental("cos", turn(math.Cos))
	laneOps["v_rcp_iflag_f32"] = laneOps["v_rcp_f32"]
	laneOps["v_exp_legacy_f32"] = laneOps["v_exp_f32"]
	laneOps["v_log_legacy_f32"] = laneOps["v_log_f32"]
	lanewise("v_rcp_f64", "dd", func(m *mathMode, a, _, _ uint64) uint64 { return m.toD(reciprocal(m.d(a))) })
	lanewise("v_rsq_f64", "dd", func(m *mathMode, a, _, _ uint64) uint64 { return m.toD(inverseRoot(m.d(a))) })
	lanewise("v_sqrt_f64", "dd", func(m *mathMode, a, _, _ uint64) uint64 { return m.toD(math.Sqrt(m.d(a))) })

	// Conversions.
	lanewise("v_cvt_f32_i32", "fu", func(m *mathMode, a, _, _ uint64) uint64 { return m.toF(float64(int32(a))) })
	lanewise("v_cvt_f32_u32", "fu", func(m *mathMode, a, _, _ uint64) uint64 { return m.toF(float64(uint32(a))) })
	lanewise("v_cvt_f64_i32", "du", func(_ *mathMode, a, _, _ uint64) uint64 { return math.Float64bits(float64(int32(a))) })
	lanewise("v_cvt_f64_u32", "du", func(_ *mathMode, a, _, _ uint64) uint64 { return math.Float64bits(float64(uint32(a))) })
	lanewise("v_cvt_f64_f32", "df", func(m *mathMode, a, _, _ uint64) uint64 { return m.toD(m.f(a)) })
	lanewise("v_cvt_f32_f64", "fd", func(m *mathMode, a, _, _ uint64) uint64 { return m.narrow64(m.d(a)) })
	lanewise("v_cvt_f16_f32", "hf", func(m *mathMode, a, _, _ uint64) uint64 { return m.toH(m.f(a)) })
	lanewise("v_cvt_f32_f16", "fh", func(m *mathMode, a, _, _ uint64) uint64 { return m.toF(m.h(a)) })
	lanewise("v_cvt_f16_u16", "hs", func(m *mathMode, a, _, _ uint64) uint64 { return m.toH(float64(uint16(a))) })
	lanewise("v_cvt_f16_i16", "hs", func(m *mathMode, a, _, _ uint64) uint64 { return m.toH(float64(int16(a))) })
	lanewise("v_cvt_u16_f16", "sh", func(m *mathMode, a, _, _ uint64) uint64 { return toInteger(m.h(a), 0, 65535) })
	lanewise("v_cvt_i16_f16", "sh", func(m *mathMode, a, _, _ uint64) uint64 { return toInteger(m.h(a), -32768, 32767) })
	lanewise("v_cvt_i32_f32", "uf", func(m *mathMode, a, _, _ uint64) uint64 { return toInteger(m.f(a), math.MinInt32, math.MaxInt32) })
	lanewise("v_cvt_u32_f32", "uf", func(m *mathMode, a, _, _ uint64) uint64 { return toInteger(m.f(a), 0, math.MaxUint32) })
	lanewise("v_cvt_i32_f64", "ud", func(m *mathMode, a, _, _ uint64) uint64 { return toInteger(m.d(a), math.MinInt32, math.MaxInt32) })
	lanewise("v_cvt_u32_f64", "ud", func(m *mathMode, a, _, _ uint64) uint64 { return toInteger(m.d(a), 0, math.MaxUint32) })
	lanewise("v_cvt_rpi_i32_f32", "uf", func(m *mathMode, a, _, _ uint64) uint64 {
		return toInteger(math.Floor(m.f(a)+.5), math.MinInt32, math.MaxInt32)
	})
	lanewise("v_cvt_flr_i32_f32", "uf", func(m *mathMode, a, _, _ uint64) uint64 {
		return toInteger(math.Floor(m.f(a)), math.MinInt32, math.MaxInt32)
	})
	lanewise("v_cvt_off_f32_i4", "fu", func(m *mathMode, a, _, _ uint64) uint64 { return m.toF(float64(int64(a<<60)>>60) / 16) })
	lanewise("v_cvt_norm_i16_f16", "sh", func(m *mathMode, a, _, _ uint64) uint64 { return normalised(m.h(a), -1, 32767) & 0xffff })
	lanewise("v_cvt_norm_u16_f16", "sh", func(m *mathMode, a, _, _ uint64) uint64 { return normalised(m.h(a), 0, 65535) & 0xffff })
	for k := range 4 {
		lanewise("v_cvt_f32_ubyte"+string(rune('0'+k)), "fu", func(m *mathMode, a, _, _ uint64) uint64 {
			return m.toF(float64(a >> (8 * k) & 255))
		})
	}

	waveOps["v_nop"] = func(*Wave, *Instruction) {}
	waveOps["v_swap_b32"] = func(w *Wave, in *Instruction) {
		a, b := &w.V[in.dst], &w.V[in.src[0]-firstV]
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			a[l], b[l] = b[l], a[l]
		}
	}
}

// normalised is x between low and one, in units of one divided by scale.
func normalised(x, low, scale float64) uint64 {
	return toInteger(math.RoundToEven(math.Max(low, math.Min(1, x))*scale), -32768, 65535)
}
