package gcn

import (
	"math"
	mathbits "math/bits"
)

// ldexp is x times two to e, for any e.
func ldexp(x float64, e int64) float64 { return math.Ldexp(x, int(max(-5000, min(5000, e)))) }

// middle is the median of three floats; if one is a NaN, the least.
func middle(a, b, c float64) float64 {
	if a != a || b != b || c != c {
		return minimum(minimum(a, b), c)
	}
	return math.Max(math.Min(a, b), math.Min(math.Max(a, b), c))
}

// ordered is what three-operand minima, maxima and medians share.
func three(name string, fn func(a, b, c float64) float64) {
	lanewise("v_"+name+"_f32", "ffff", func(m *mathMode, a, b, c uint64) uint64 { return m.toF(fn(m.f(a), m.f(b), m.f(c))) })
	lanewise("v_"+name+"_f16", "hhhh", func(m *mathMode, a, b, c uint64) uint64 { return m.toH(fn(m.h(a), m.h(b), m.h(c))) })
	signed := func(a, b, c int64) uint64 { return uint64(int64(fn(float64(a), float64(b), float64(c)))) }
	lanewise("v_"+name+"_i32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 {
		return signed(int64(int32(a)), int64(int32(b)), int64(int32(c)))
	})
	lanewise("v_"+name+"_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 {
		return signed(int64(uint32(a)), int64(uint32(b)), int64(uint32(c)))
	})
	lanewise("v_"+name+"_i16", "ssss", func(_ *mathMode, a, b, c uint64) uint64 {
		return signed(int64(int16(a)), int64(int16(b)), int64(int16(c)))
	})
	lanewise("v_"+name+"_u16", "ssss", func(_ *mathMode, a, b, c uint64) uint64 {
		return signed(int64(uint16(a)), int64(uint16(b)), int64(uint16(c)))
	})
	for _, typ := range []string{"f16", "i16", "u16"} {
		laneOps["v_"+name+"_"+typ].keep = true
	}
}

func absDiff(a, b uint64) uint64 {
	if a > b {
		return a - b
	}
	return b - a
}

// differences sums the absolute differences of four bytes. masked leaves out bytes where the reference is zero.
func differences(a, b uint64, masked bool) uint64 {
	var sum uint64
	for k := 0; k < 32; k += 8 {
		if x, y := a>>k&255, b>>k&255; !masked || y != 0 {
			sum += absDiff(x, y)
		}
	}
	return sum
}

// permute makes each byte of the result one of the eight of a and b, or zeros, ones or a sign, as the bytes of sel say.
func permute(a, b, sel uint64) uint64 {
	all := a<<32 | b&0xffffffff
	var r uint64
	for k := 0; k < 32; k += 8 {
		var x uint64
		switch s := sel >> k & 255; {
		case s < 8:
			x = all >> (8 * s) & 255
		case s < 12: // the sign of one of the four halves
			x = 255 * (all >> (16*(s-8) + 15) & 1)
		case s > 12:
			x = 255
		}
		r |= x << k
	}
	return r
}

func init() {
	lanewise("v_mad_f32", "ffff", mad32)
	lanewise("v_fma_f32", "ffff", fma32)
	lanewise("v_fma_f64", "dddd", fma64)
	lanewise("v_mad_f16", "hhhh", mad16)
	lanewise("v_mad_legacy_f16", "hhhh", mad16)
	lanewise("v_fma_f16", "hhhh", fma16)
	lanewise("v_fma_legacy_f16", "hhhh", fma16)
	lanewise("v_mad_legacy_f32", "ffff", func(m *mathMode, a, b, c uint64) uint64 {
		n := noDenormals(m)
		if n.f(a) == 0 || n.f(b) == 0 {
			return n.add32(0, n.f(c))
		}
		return mad32(m, a, b, c)
	})
	lanewise("v_add_f64", "ddd", func(m *mathMode, a, b, _ uint64) uint64 { return m.add64(m.d(a), m.d(b)) })
	lanewise("v_mul_f64", "ddd", func(m *mathMode, a, b, _ uint64) uint64 { return m.mul64(m.d(a), m.d(b)) })
	lanewise("v_min_f64", "ddd", pick('d', minimum))
	lanewise("v_max_f64", "ddd", pick('d', maximum))
	lanewise("v_ldexp_f32", "ffu", func(m *mathMode, a, b, _ uint64) uint64 { return m.toF(ldexp(m.f(a), int64(int32(b)))) })
	lanewise("v_ldexp_f64", "ddu", func(m *mathMode, a, b, _ uint64) uint64 { return m.toD(ldexp(m.d(a), int64(int32(b)))) })
	three("min3", func(a, b, c float64) float64 { return minimum(minimum(a, b), c) })
	three("max3", func(a, b, c float64) float64 { return maximum(maximum(a, b), c) })
	three("med3", middle)

	lanewise("v_mad_i32_i24", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return uint64(int24(a)*int24(b)) + c })
	lanewise("v_mad_u32_u24", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return uint24(a)*uint24(b) + c })
	lanewise("v_mad_u32_u16", "ussu", func(_ *mathMode, a, b, c uint64) uint64 { return a*b + c })
	lanewise("v_mad_i32_i16", "ussu", func(_ *mathMode, a, b, c uint64) uint64 { return uint64(int64(int16(a))*int64(int16(b))) + c })
	lanewise("v_mad_u16 v_mad_i16 v_mad_legacy_u16 v_mad_legacy_i16", "ssss", func(_ *mathMode, a, b, c uint64) uint64 { return a*b + c })
	saturating("v_mad_u16", func(_ *mathMode, a, b, c uint64) uint64 { return min(a*b+c, 0xffff) })
	saturating("v_mad_i16", func(_ *mathMode, a, b, c uint64) uint64 {
		return uint64(max(-32768, min(32767, int64(int16(a))*int64(int16(b))+int64(int16(c)))))
	})
	carrying("v_mad_u64_u32", "quuq", func(_ *mathMode, a, b, c uint64) (uint64, bool) {
		r, carry := mathbits.Add64(a*b, c, 0)
		return r, carry == 1
	})
	carrying("v_mad_i64_i32", "quuq", func(_ *mathMode, a, b, c uint64) (uint64, bool) {
		p := int64(int32(a)) * int64(int32(b))
		r := p + int64(c)
		return uint64(r), (p < 0) == (int64(c) < 0) && (r < 0) != (p < 0)
	})
	lanewise("v_mul_lo_u32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a * b })
	lanewise("v_mul_hi_u32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a * b >> 32 })
	lanewise("v_mul_hi_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(int64(int32(a)) * int64(int32(b)) >> 32) })

	lanewise("v_bfe_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a >> (b & 31) & (1<<(c&31) - 1) })
	lanewise("v_bfe_i32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 {
		return uint64(signedField(uint64(int64(int32(a))), uint32(b&31|c&31<<16), 64))
	})
	lanewise("v_bfi_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a&b | c&^a })
	lanewise("v_bfm_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return (1<<(a&31) - 1) << (b & 31) })
	lanewise("v_alignbit_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return (a<<32 | b) >> (c & 31) })
	lanewise("v_alignbyte_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return (a<<32 | b) >> (8 * (c & 3)) })
	lanewise("v_perm_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return permute(a, b, c) })
	lanewise("v_lerp_u8", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 {
		var r uint64
		for k := 0; k < 32; k += 8 {
			r |= (a>>k&255 + b>>k&255 + c>>k&1) >> 1 << k
		}
		return r
	})
	lanewise("v_sad_u8", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return differences(a, b, false) + c })
	lanewise("v_sad_hi_u8", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return differences(a, b, false)<<16 + c })
	lanewise("v_msad_u8", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return differences(a, b, true) + c })
	lanewise("v_sad_u16", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 {
		return absDiff(a&0xffff, b&0xffff) + absDiff(a>>16, b>>16) + c
	})
	lanewise("v_sad_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return absDiff(a, b) + c })

	lanewise("v_xad_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return (a ^ b) + c })
	lanewise("v_lshl_add_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a<<(b&31) + c })
	lanewise("v_add_lshl_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return (a + b) << (c & 31) })
	lanewise("v_add3_u32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a + b + c })
	lanewise("v_lshl_or_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a<<(b&31) | c })
	lanewise("v_and_or_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a&b | c })
	lanewise("v_or3_b32", "uuuu", func(_ *mathMode, a, b, c uint64) uint64 { return a | b | c })
	lanewise("v_lshlrev_b64", "quq", func(_ *mathMode, a, b, _ uint64) uint64 { return b << (a & 63) })
	lanewise("v_lshrrev_b64", "quq", func(_ *mathMode, a, b, _ uint64) uint64 { return b >> (a & 63) })
	lanewise("v_ashrrev_i64", "quq", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(int64(b) >> (a & 63)) })
	lanewise("v_bcnt_u32_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(mathbits.OnesCount32(uint32(a))) + b })

	lanewise("v_add_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a + b })
	lanewise("v_sub_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a - b })
	lanewise("v_add_i16", "sss", func(_ *mathMode, a, b, _ uint64) uint64 { return a + b })
	lanewise("v_sub_i16", "sss", func(_ *mathMode, a, b, _ uint64) uint64 { return a - b })
	saturate := func(x int64, width int) uint64 { return uint64(max(-1<<(width-1), min(1<<(width-1)-1, x))) }
	saturating("v_add_i32", func(_ *mathMode, a, b, _ uint64) uint64 { return saturate(int64(int32(a))+int64(int32(b)), 32) })
	saturating("v_sub_i32", func(_ *mathMode, a, b, _ uint64) uint64 { return saturate(int64(int32(a))-int64(int32(b)), 32) })
	saturating("v_add_i16", func(_ *mathMode, a, b, _ uint64) uint64 { return saturate(int64(int16(a))+int64(int16(b)), 16) })
	saturating("v_sub_i16", func(_ *mathMode, a, b, _ uint64) uint64 { return saturate(int64(int16(a))-int64(int16(b)), 16) })

	lanewise("v_pack_b32_f16", "uhh", func(_ *mathMode, a, b, _ uint64) uint64 { return a&0xffff | b<<16 })
	lanewise("v_cvt_pkrtz_f16_f32", "uff", func(m *mathMode, a, b, _ uint64) uint64 {
		return uint64(toHalf(m.f(a), towardZero)) | uint64(toHalf(m.f(b), towardZero))<<16
	})
	lanewise("v_cvt_pknorm_i16_f32", "uff", func(m *mathMode, a, b, _ uint64) uint64 {
		return normalised(m.f(a), -1, 32767)&0xffff | normalised(m.f(b), -1, 32767)<<16
	})
	lanewise("v_cvt_pknorm_u16_f32", "uff", func(m *mathMode, a, b, _ uint64) uint64 {
		return normalised(m.f(a), 0, 65535)&0xffff | normalised(m.f(b), 0, 65535)<<16
	})
	lanewise("v_cvt_pknorm_i16_f16", "uhh", func(m *mathMode, a, b, _ uint64) uint64 {
		return normalised(m.h(a), -1, 32767)&0xffff | normalised(m.h(b), -1, 32767)<<16
	})
	lanewise("v_cvt_pknorm_u16_f16", "uhh", func(m *mathMode, a, b, _ uint64) uint64 {
		return normalised(m.h(a), 0, 65535)&0xffff | normalised(m.h(b), 0, 65535)<<16
	})
	lanewise("v_cvt_pk_u16_u32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 {
		return uint64(min(uint32(a), 65535)) | uint64(min(uint32(b), 65535))<<16
	})
	lanewise("v_cvt_pk_i16_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 {
		return saturate(int64(int32(a)), 16)&0xffff | saturate(int64(int32(b)), 16)<<16
	})
	cvtByte := func(m *mathMode, a uint64) uint64 { return toInteger(math.RoundToEven(m.f(a)), 0, 255) }
	lanewise("v_cvt_pk_u8_f32", "ufuu", func(m *mathMode, a, b, c uint64) uint64 {
		shift := 8 * (b & 3)
		return cvtByte(m, a)<<shift | c&^(255<<shift)
	})
	for _, name := range []string{"v_mad_f16", "v_mad_u16", "v_mad_i16", "v_fma_f16", "v_add_i16", "v_sub_i16"} {
		laneOps[name].keep = true
	}
}
