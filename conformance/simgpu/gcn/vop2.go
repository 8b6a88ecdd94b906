package gcn

import (
	mathbits "math/bits"
	"strings"
)

// pick chooses between operands as they are, by their values. Signalling NaNs become quiet where the mode says so.
func pick(typ byte, choose func(a, b float64) float64) func(m *mathMode, a, b, _ uint64) uint64 {
	return func(m *mathMode, a, b, _ uint64) uint64 {
		if m.ieee && isSignalling(a, typ) {
			b = a
		} else if m.ieee && isSignalling(b, typ) {
			a = b
		}
		switch typ {
		case 'f':
			return m.toF(choose(m.f(a), m.f(b)))
		case 'h':
			return m.toH(choose(m.h(a), m.h(b)))
		}
		return m.toD(choose(m.d(a), m.d(b)))
	}
}

// noDenormals is the mode of multiply-add that rounds twice: it makes denormals zero.
func noDenormals(m *mathMode) *mathMode {
	n := *m
	n.in32, n.out32 = false, false
	return &n
}

func mad32(m *mathMode, a, b, c uint64) uint64 {
	n := noDenormals(m)
	return n.add32(n.f(n.toF(n.f(a)*n.f(b))), n.f(c))
}

func mad16(m *mathMode, a, b, c uint64) uint64 { return m.add16(m.h(m.toH(m.h(a)*m.h(b))), m.h(c)) }

func fma32(m *mathMode, a, b, c uint64) uint64 { return m.fma32(m.f(a), m.f(b), m.f(c)) }
func fma16(m *mathMode, a, b, c uint64) uint64 { return m.fma16(m.h(a), m.h(b), m.h(c)) }
func fma64(m *mathMode, a, b, c uint64) uint64 { return m.fma64(m.d(a), m.d(b), m.d(c)) }

// int24 and uint24 are the lower 24 bits of an operand.
func int24(x uint64) int64   { return int64(x<<40) >> 40 }
func uint24(x uint64) uint64 { return x & 0xffffff }

func init() {
	lanewise("v_cndmask_b32", "fffM", func(_ *mathMode, a, b, c uint64) uint64 {
		if c != 0 {
			return b
		}
		return a
	})

	lanewise("v_add_f32", "fff", func(m *mathMode, a, b, _ uint64) uint64 { return m.add32(m.f(a), m.f(b)) })
	lanewise("v_sub_f32", "fff", func(m *mathMode, a, b, _ uint64) uint64 { return m.add32(m.f(a), -m.f(b)) })
	lanewise("v_subrev_f32", "fff", func(m *mathMode, a, b, _ uint64) uint64 { return m.add32(m.f(b), -m.f(a)) })
	lanewise("v_mul_f32", "fff", func(m *mathMode, a, b, _ uint64) uint64 { return m.toF(m.f(a) * m.f(b)) })
	lanewise("v_mul_legacy_f32", "fff", func(m *mathMode, a, b, _ uint64) uint64 {
		if m.f(a) == 0 || m.f(b) == 0 {
			return 0
		}
		return m.toF(m.f(a) * m.f(b))
	})
	lanewise("v_sub_f16", "hhh", func(m *mathMode, a, b, _ uint64) uint64 { return m.add16(m.h(a), -m.h(b)) })
	lanewise("v_subrev_f16", "hhh", func(m *mathMode, a, b, _ uint64) uint64 { return m.add16(m.h(b), -m.h(a)) })
	lanewise("v_min_f32", "fff", pick('f', minimum))
	lanewise("v_max_f32", "fff", pick('f', maximum))
	lanewise("v_ldexp_f16", "hhs", func(m *mathMode, a, b, _ uint64) uint64 { return m.toH(ldexp(m.h(a), int64(int16(b)))) })

	lanewise("v_mac_f32", "fffF", mad32)
	lanewise("v_mac_f16", "hhhH", mad16)
	lanewise("v_fmac_f32", "fffF", fma32)
	lanewise("v_fmac_f64", "dddD", fma64)
	swapped := func(fn func(m *mathMode, a, b, c uint64) uint64) func(m *mathMode, a, b, c uint64) uint64 {
		return func(m *mathMode, a, b, c uint64) uint64 { return fn(m, a, c, b) }
	}
	lanewise("v_madmk_f32", "fffL", swapped(mad32))
	lanewise("v_madak_f32", "fffL", mad32)
	lanewise("v_madmk_f16", "hhhl", swapped(mad16))
	lanewise("v_madak_f16", "hhhl", mad16)

	lanewise("v_mul_i32_i24", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(int24(a) * int24(b)) })
	lanewise("v_mul_hi_i32_i24", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(int24(a) * int24(b) >> 32) })
	lanewise("v_mul_u32_u24", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint24(a) * uint24(b) })
	lanewise("v_mul_hi_u32_u24", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint24(a) * uint24(b) >> 32 })
	lanewise("v_min_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(min(int32(a), int32(b))) })
	lanewise("v_max_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(int32(a), int32(b))) })
	lanewise("v_min_u32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(min(uint32(a), uint32(b))) })
	lanewise("v_max_u32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(uint32(a), uint32(b))) })
	lanewise("v_lshrrev_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(uint32(b) >> (a & 31)) })
	lanewise("v_ashrrev_i32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(int32(b) >> (a & 31)) })
	lanewise("v_lshlrev_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(uint32(b) << (a & 31)) })
	lanewise("v_and_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a & b })
	lanewise("v_or_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a | b })
	lanewise("v_xor_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return a ^ b })
	lanewise("v_xnor_b32", "uuu", func(_ *mathMode, a, b, _ uint64) uint64 { return ^(a ^ b) })

	add := func(_ *mathMode, a, b, _ uint64) uint64 { return a + b }
	sub := func(_ *mathMode, a, b, _ uint64) uint64 { return a - b }
	subrev := func(_ *mathMode, a, b, _ uint64) uint64 { return b - a }
	lanewise("v_add_u32", "uuu", add)
	lanewise("v_sub_u32", "uuu", sub)
	lanewise("v_subrev_u32", "uuu", subrev)
	lanewise("v_add_u16", "sss", add)
	lanewise("v_sub_u16", "sss", sub)
	lanewise("v_subrev_u16", "sss", subrev)
	saturating("v_add_u32", func(_ *mathMode, a, b, _ uint64) uint64 { return min(uint64(uint32(a))+uint64(uint32(b)), 0xffffffff) })
	saturating("v_sub_u32", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(0, int64(uint32(a))-int64(uint32(b)))) })
	saturating("v_subrev_u32", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(0, int64(uint32(b))-int64(uint32(a)))) })
	saturating("v_add_u16", func(_ *mathMode, a, b, _ uint64) uint64 { return min(a&0xffff+b&0xffff, 0xffff) })
	saturating("v_sub_u16", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(0, int64(uint16(a))-int64(uint16(b)))) })
	saturating("v_subrev_u16", func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(0, int64(uint16(b))-int64(uint16(a)))) })

	for name, fn := range halves {
		sig := "sss"
		if strings.HasSuffix(name, "_f16") {
			sig = "hhh"
		}
		lanewise("v_"+name, sig, fn)
	}

	carrying("v_add_co_u32", "uuu", func(_ *mathMode, a, b, _ uint64) (uint64, bool) { return addCarry(a, b, 0) })
	carrying("v_sub_co_u32", "uuu", func(_ *mathMode, a, b, _ uint64) (uint64, bool) { return subBorrow(a, b, 0) })
	carrying("v_subrev_co_u32", "uuu", func(_ *mathMode, a, b, _ uint64) (uint64, bool) { return subBorrow(b, a, 0) })
	carrying("v_addc_co_u32", "uuuM", func(_ *mathMode, a, b, c uint64) (uint64, bool) { return addCarry(a, b, c) })
	carrying("v_subb_co_u32", "uuuM", func(_ *mathMode, a, b, c uint64) (uint64, bool) { return subBorrow(a, b, c) })
	carrying("v_subbrev_co_u32", "uuuM", func(_ *mathMode, a, b, c uint64) (uint64, bool) { return subBorrow(b, a, c) })

}

func addCarry(a, b, c uint64) (uint64, bool) {
	r, carry := mathbits.Add32(uint32(a), uint32(b), uint32(c))
	return uint64(r), carry == 1
}

func subBorrow(a, b, c uint64) (uint64, bool) {
	r, borrow := mathbits.Sub32(uint32(a), uint32(b), uint32(c))
	return uint64(r), borrow == 1
}

// halves are the operations on 16 bits that there are for one and, packed, for two.
var halves = map[string]func(m *mathMode, a, b, c uint64) uint64{
	"add_f16":     func(m *mathMode, a, b, _ uint64) uint64 { return m.add16(m.h(a), m.h(b)) },
	"mul_f16":     func(m *mathMode, a, b, _ uint64) uint64 { return m.toH(m.h(a) * m.h(b)) },
	"min_f16":     pick('h', minimum),
	"max_f16":     pick('h', maximum),
	"mul_lo_u16":  func(_ *mathMode, a, b, _ uint64) uint64 { return a * b },
	"lshlrev_b16": func(_ *mathMode, a, b, _ uint64) uint64 { return b << (a & 15) },
	"lshrrev_b16": func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(uint16(b) >> (a & 15)) },
	"ashrrev_i16": func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(int16(b) >> (a & 15)) },
	"max_u16":     func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(uint16(a), uint16(b))) },
	"min_u16":     func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(min(uint16(a), uint16(b))) },
	"max_i16":     func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(max(int16(a), int16(b))) },
	"min_i16":     func(_ *mathMode, a, b, _ uint64) uint64 { return uint64(min(int16(a), int16(b))) },
}
