package gcn

import (
	"math"
	"math/big"
)

// rounding is a rounding mode, as the MODE register numbers it.
type rounding uint8

const (
	nearest rounding = iota
	upward
	downward
	towardZero
)

// mathMode is the part of the MODE register that arithmetic depends on: one rounding and one treatment of denormals for 32 bits,
// another for 16 and 64 bits.
type mathMode struct {
	round32, round64 rounding
	in32, out32      bool // denormals are kept in sources and results
	in64, out64      bool
	clampNaN         bool // DX10_CLAMP: clamping makes zero of a NaN
	ieee             bool // signalling NaNs are made quiet by minimum and maximum
}

func (w *Wave) setMode(mode uint32) {
	w.Mode = mode
	w.math = mathMode{
		round32: rounding(mode & 3), round64: rounding(mode >> 2 & 3),
		in32: mode>>4&1 == 1, out32: mode>>5&1 == 1,
		in64: mode>>6&1 == 1, out64: mode>>7&1 == 1,
		clampNaN: mode>>8&1 == 1, ieee: mode>>9&1 == 1,
	}
}

// Sources, with denormals made zero where the mode says so. The value of a 16- or 32-bit float is exact in a float64.

func (m *mathMode) f(x uint64) float64 {
	f := math.Float32frombits(uint32(x))
	if !m.in32 && uint32(x)&0x7f800000 == 0 {
		return math.Copysign(0, float64(f))
	}
	return float64(f)
}

func (m *mathMode) h(x uint64) float64 {
	f := fromHalf(uint16(x))
	if !m.in64 && x&0x7c00 == 0 {
		return math.Copysign(0, f)
	}
	return f
}

func (m *mathMode) d(x uint64) float64 {
	f := math.Float64frombits(x)
	if !m.in64 && x>>52&0x7ff == 0 {
		return math.Copysign(0, f)
	}
	return f
}

// Results: x is exact, or rounded to odd.

func (m *mathMode) toF(x float64) uint64 {
	b := math.Float32bits(round32(x, m.round32))
	if !m.out32 && b&0x7f800000 == 0 {
		b &= 1 << 31
	}
	return uint64(b)
}

func (m *mathMode) toH(x float64) uint64 {
	b := toHalf(x, m.round64)
	if !m.out64 && b&0x7c00 == 0 {
		b &= 1 << 15
	}
	return uint64(b)
}

// toD takes a result that is final.
func (m *mathMode) toD(x float64) uint64 {
	b := math.Float64bits(x)
	if !m.out64 && b>>52&0x7ff == 0 {
		b &= 1 << 63
	}
	return b
}

// round32 rounds to 32 bits once.
func round32(x float64, r rounding) float32 {
	f := float32(x)
	if r == nearest || x != x || math.IsInf(x, 0) {
		return f
	}
	switch got := float64(f); {
	case got < x && (r == upward || r == towardZero && x < 0):
		f = math.Nextafter32(f, float32(math.Inf(1)))
	case got > x && (r == downward || r == towardZero && x > 0):
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// addOdd is a + b rounded to odd, which may be rounded again to a shorter format without harm.
func addOdd(a, b float64) float64 {
	s := a + b
	bb := s - a
	lost := (a - (s - bb)) + (b - bb)
	if u := math.Float64bits(s); lost != 0 && u&1 == 0 && !math.IsInf(s, 0) && s == s {
		if (lost > 0) == (s > 0) {
			u++
		} else {
			u--
		}
		s = math.Float64frombits(u)
	}
	return s
}

// signOfZero gives a sum of zero the sign it has when rounding downward.
func signOfZero(s, a, b float64, r rounding) float64 {
	if s == 0 && r == downward && (a != 0 || math.Signbit(a) != math.Signbit(b)) {
		return math.Copysign(0, -1)
	}
	return s
}

func (m *mathMode) add32(a, b float64) uint64 {
	return m.toF(signOfZero(addOdd(a, b), a, b, m.round32))
}

func (m *mathMode) fma32(a, b, c float64) uint64 {
	return m.toF(signOfZero(addOdd(a*b, c), a*b, c, m.round32))
}

func (m *mathMode) add16(a, b float64) uint64 {
	return m.toH(signOfZero(addOdd(a, b), a, b, m.round64))
}

func (m *mathMode) fma16(a, b, c float64) uint64 {
	return m.toH(signOfZero(addOdd(a*b, c), a*b, c, m.round64))
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(5000).SetFloat64(x) }

// adjust corrects a result rounded to nearest to another rounding. want computes the exact result.
func (m *mathMode) adjust(got float64, operands [3]float64, want func() *big.Float) float64 {
	r := m.round64
	if r == nearest {
		return got
	}
	for _, x := range operands {
		if x != x || math.IsInf(x, 0) {
			return got
		}
	}
	x := want()
	cmp := -1 // got against x
	if math.IsInf(got, 1) {
		cmp = 1
	} else if !math.IsInf(got, -1) {
		cmp = exact(got).Cmp(x)
	}
	switch {
	case cmp < 0 && (r == upward || r == towardZero && x.Sign() < 0):
		return math.Nextafter(got, math.Inf(1))
	case cmp > 0 && (r == downward || r == towardZero && x.Sign() > 0):
		return math.Nextafter(got, math.Inf(-1))
	}
	return got
}

func (m *mathMode) add64(a, b float64) uint64 {
	s := m.adjust(a+b, [3]float64{a, b}, func() *big.Float { return new(big.Float).Add(exact(a), exact(b)) })
	return m.toD(signOfZero(s, a, b, m.round64))
}

func (m *mathMode) mul64(a, b float64) uint64 {
	return m.toD(m.adjust(a*b, [3]float64{a, b}, func() *big.Float { return new(big.Float).Mul(exact(a), exact(b)) }))
}

func (m *mathMode) fma64(a, b, c float64) uint64 {
	s := m.adjust(math.FMA(a, b, c), [3]float64{a, b, c}, func() *big.Float {
		p := new(big.Float).Mul(exact(a), exact(b))
		return p.Add(p, exact(c))
	})
	return m.toD(signOfZero(s, a*b, c, m.round64))
}

// narrow64 is a 64-bit float as 32 bits.
func (m *mathMode) narrow64(x float64) uint64 { return m.toF(x) }

func isSignalling(x uint64, typ byte) bool {
	switch typ {
	case 'f':
		return x&0x7fc00000 == 0x7f800000 && x&0x3fffff != 0
	case 'd':
		return x&0x7ff8000000000000 == 0x7ff0000000000000 && x&0x7ffffffffffff != 0
	}
	return x&0x7e00 == 0x7c00 && x&0x1ff != 0
}

// minimum and maximum give the other operand for a NaN, and have the zeros in order.
func minimum(a, b float64) float64 {
	switch {
	case a != a:
		return b
	case b != b:
		return a
	}
	return math.Min(a, b)
}

func maximum(a, b float64) float64 {
	switch {
	case a != a:
		return b
	case b != b:
		return a
	}
	return math.Max(a, b)
}
