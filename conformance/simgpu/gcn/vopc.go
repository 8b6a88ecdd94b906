package gcn

import "math"

// floatCompares are the sixteen comparisons of floats, in terms of less, equal and greater; none of them holds for a NaN.
var floatCompares = map[string]func(a, b float64) bool{
	"f": func(a, b float64) bool { return false }, "tru": func(a, b float64) bool { return true },
	"lt": func(a, b float64) bool { return a < b }, "nlt": func(a, b float64) bool { return !(a < b) },
	"eq": func(a, b float64) bool { return a == b }, "neq": func(a, b float64) bool { return a != b },
	"le": func(a, b float64) bool { return a <= b }, "nle": func(a, b float64) bool { return !(a <= b) },
	"gt": func(a, b float64) bool { return a > b }, "ngt": func(a, b float64) bool { return !(a > b) },
	"ge": func(a, b float64) bool { return a >= b }, "nge": func(a, b float64) bool { return !(a >= b) },
	"lg": func(a, b float64) bool { return a < b || a > b }, "nlg": func(a, b float64) bool { return !(a < b || a > b) },
	"o": func(a, b float64) bool { return a == a && b == b }, "u": func(a, b float64) bool { return a != a || b != b },
}

// comparing registers a comparison under its two names: v_cmpx also sets the mask of active lanes.
func comparing(name, sig string, fn func(m *mathMode, a, b uint64) bool) {
	lanewise("v_cmp_"+name+" v_cmpx_"+name, sig, func(m *mathMode, a, b, _ uint64) uint64 { return bit(fn(m, a, b)) })
}

// class tests which of ten kinds a float is, a bit of mask for each.
func class(x uint64, mantissa, width int, mask uint64) bool {
	exponentMask := uint64(1)<<(width-1-mantissa) - 1
	exponent, fraction, negative := x>>mantissa&exponentMask, x&(1<<mantissa-1), x>>(width-1)&1 == 1
	kind := 8 // a positive normal
	switch {
	case exponent == exponentMask && fraction != 0:
		kind = int(fraction >> (mantissa - 1)) // 0 a signalling NaN, 1 a quiet one
		return mask>>kind&1 == 1
	case exponent == exponentMask:
		kind = 9
	case exponent == 0 && fraction == 0:
		kind = 6
	case exponent == 0:
		kind = 7
	}
	if negative {
		kind = 11 - kind
	}
	return mask>>kind&1 == 1
}

func init() {
	for name, fn := range floatCompares {
		comparing(name+"_f16", "mhh", func(m *mathMode, a, b uint64) bool { return fn(m.h(a), m.h(b)) })
		comparing(name+"_f32", "mff", func(m *mathMode, a, b uint64) bool { return fn(m.f(a), m.f(b)) })
		comparing(name+"_f64", "mdd", func(m *mathMode, a, b uint64) bool { return fn(m.d(a), m.d(b)) })
	}
	comparing("class_f16", "mhu", func(_ *mathMode, a, b uint64) bool { return class(a&0xffff, 10, 16, b) })
	comparing("class_f32", "mfu", func(_ *mathMode, a, b uint64) bool { return class(a&math.MaxUint32, 23, 32, b) })
	comparing("class_f64", "mdu", func(_ *mathMode, a, b uint64) bool { return class(a, 52, 64, b) })

	for name, fn := range map[string]func(less, equal bool) bool{
		"f": func(_, _ bool) bool { return false }, "t": func(_, _ bool) bool { return true },
		"lt": func(less, _ bool) bool { return less }, "eq": func(_, equal bool) bool { return equal },
		"le": func(less, equal bool) bool { return less || equal }, "gt": func(less, equal bool) bool { return !less && !equal },
		"ne": func(_, equal bool) bool { return !equal }, "ge": func(less, _ bool) bool { return !less },
	} {
		comparing(name+"_i16", "mss", func(_ *mathMode, a, b uint64) bool { return fn(int16(a) < int16(b), int16(a) == int16(b)) })
		comparing(name+"_u16", "mss", func(_ *mathMode, a, b uint64) bool { return fn(uint16(a) < uint16(b), uint16(a) == uint16(b)) })
		comparing(name+"_i32", "muu", func(_ *mathMode, a, b uint64) bool { return fn(int32(a) < int32(b), int32(a) == int32(b)) })
		comparing(name+"_u32", "muu", func(_ *mathMode, a, b uint64) bool { return fn(uint32(a) < uint32(b), uint32(a) == uint32(b)) })
		comparing(name+"_i64", "mqq", func(_ *mathMode, a, b uint64) bool { return fn(int64(a) < int64(b), a == b) })
		comparing(name+"_u64", "mqq", func(_ *mathMode, a, b uint64) bool { return fn(a < b, a == b) })
	}
}
