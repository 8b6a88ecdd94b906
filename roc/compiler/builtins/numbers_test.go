package builtins_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
)

// number is a scalar type of OpenCL C.
type number struct {
	name     string
	bits     uint
	floating bool
	signed   bool
}

var (
	half    = number{"half", 16, true, true}
	single  = number{"float", 32, true, true}
	numbers = []number{
		{"char", 8, false, true}, {"uchar", 8, false, false}, {"short", 16, false, true}, {"ushort", 16, false, false},
		{"int", 32, false, true}, {"uint", 32, false, false}, {"long", 64, false, true}, {"ulong", 64, false, false},
		half, single, {"double", 64, true, true},
	}
)

// exact is the value of a number: NaN, or a float of unlimited precision, infinities included.
type exact struct {
	nan bool
	v   *big.Float
}

// value of a bit pattern.
func (t number) value(bits uint64) exact {
	switch {
	case !t.floating && t.signed:
		return exact{v: new(big.Float).SetInt64(t.extend(bits))}
	case !t.floating:
		return exact{v: new(big.Float).SetUint64(bits)}
	}
	f := t.float(bits)
	if f != f {
		return exact{nan: true}
	}
	return exact{v: big.NewFloat(f)}
}

// extend is the signed integer of a bit pattern.
func (t number) extend(bits uint64) int64 { return int64(bits<<(64-t.bits)) >> (64 - t.bits) }

// float is the value of a bit pattern of a floating-point type.
func (t number) float(bits uint64) float64 {
	switch t.bits {
	case 16:
		return halfValue(uint16(bits))
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

func (t number) isNaN(bits uint64) bool { return t.floating && t.float(bits) != t.float(bits) }

// encode is the bit pattern of a value that the floating-point type has.
func (t number) encode(f float64) uint64 {
	switch t.bits {
	case 16:
		if f != f {
			return 0x7e00
		}
		b := uint64(sort.SearchFloat64s(halves, math.Abs(f)) - len(halves)/2)
		if math.Signbit(f) {
			b |= 0x8000
		}
		return b
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

func halfValue(b uint16) float64 {
	sign, e, m := 1.0, int(b>>10&31), float64(b&1023)
	if b>>15 != 0 {
		sign = -1
	}
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		return math.Inf(int(sign))
	case e == 0:
		return math.Copysign(math.Ldexp(m, -24), sign)
	}
	return sign * math.Ldexp(1024+m, e-25)
}

// rounding directions of OpenCL C, by the suffixes of conversions.
const (
	toEven = "_rte"
	toZero = "_rtz"
	up     = "_rtp"
	down   = "_rtn"
)

// integer converts to an integer type; false where the result is the implementation's choice.
func (t number) integer(x exact, from number, rounding string, saturate bool) (uint64, bool) {
	if x.nan {
		return 0, saturate
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), t.bits)
	if t.signed {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	if x.v.IsInf() {
		if x.v.Sign() > 0 {
			return modulo(high, t.bits), saturate
		}
		return modulo(low, t.bits), saturate
	}
	i := roundToInteger(x.v, rounding)
	switch {
	case i.Cmp(low) >= 0 && i.Cmp(high) <= 0:
		return modulo(i, t.bits), true
	case saturate && i.Cmp(low) < 0:
		return modulo(low, t.bits), true
	case saturate:
		return modulo(high, t.bits), true
	}
	return modulo(i, t.bits), !from.floating
}

func roundToInteger(x *big.Float, rounding string) *big.Int {
	i, _ := x.Int(nil) // toward zero
	rest := new(big.Float).Sub(x, new(big.Float).SetInt(i))
	one := big.NewInt(int64(rest.Sign()))
	switch {
	case rest.Sign() == 0:
	case rounding == up && rest.Sign() > 0, rounding == down && rest.Sign() < 0:
		i.Add(i, one)
	case rounding == toEven:
		c := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5))
		if c > 0 || c == 0 && i.Bit(0) == 1 {
			i.Add(i, one)
		}
	}
	return i
}

func modulo(i *big.Int, bits uint) uint64 {
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	return new(big.Int).And(i, mask).Uint64()
}

// rounded converts to a floating-point type.
func (t number) rounded(x exact, rounding string) float64 {
	if x.nan {
		return math.NaN()
	}
	var f, below, above float64
	switch t.bits {
	case 16:
		f, below, above = nearestHalf(x.v)
		if above == 0 {
			above = math.Copysign(0, f)
		}
	case 32:
		r, _ := x.v.Float32()
		f, below, above = float64(r), float64(math.Nextafter32(r, float32(math.Inf(-1)))), float64(math.Nextafter32(r, float32(math.Inf(1))))
	default:
		f, _ = x.v.Float64()
		below, above = math.Nextafter(f, math.Inf(-1)), math.Nextafter(f, math.Inf(1))
	}
	c := big.NewFloat(f).Cmp(x.v)
	if rounding == toZero {
		rounding = down
		if x.v.Signbit() {
			rounding = up
		}
	}
	switch {
	case rounding == down && c > 0:
		return below
	case rounding == up && c < 0:
		return above
	}
	return f
}

// halves are all numbers of half in order, infinities included, and zero once.
var halves = func() []float64 {
	var h []float64
	for b := range 1 << 16 {
		if v := halfValue(uint16(b)); v == v && b != 0x8000 {
			h = append(h, v)
		}
	}
	sort.Float64s(h)
	return h
}()

// nearestHalf is the half next to x, and its neighbours. Infinity stands for 2^16 when it comes to what is near.
func nearestHalf(x *big.Float) (f, below, above float64) {
	at := func(i int) *big.Float { return big.NewFloat(max(-65536, min(65536, halves[i]))) }
	i := sort.Search(len(halves), func(i int) bool { return big.NewFloat(halves[i]).Cmp(x) >= 0 }) // the first not below x
	if i > 0 && big.NewFloat(halves[i]).Cmp(x) != 0 {
		l := new(big.Float).Sub(x, at(i-1))
		h := new(big.Float).Sub(at(i), x)
		c := l.Cmp(h)
		if c < 0 || c == 0 && evenHalf(halves[i-1]) {
			i--
		}
	}
	f = halves[i]
	if f == 0 && x.Signbit() {
		f = math.Copysign(0, -1)
	}
	return f, halves[max(i-1, 0)], halves[min(i+1, len(halves)-1)]
}

// evenHalf says whether the last bit of a half's mantissa is zero; infinity and zero are even.
func evenHalf(v float64) bool {
	if math.IsInf(v, 0) || v == 0 {
		return true
	}
	_, e := math.Frexp(v)
	m := math.Ldexp(v, -max(e-11, -24))
	return math.Mod(m, 2) == 0
}

// samples are bit patterns of a type: ends, powers of two and their neighbours, halves between whole numbers, random ones.
func (t number) samples(n int) []uint64 {
	mask := ^uint64(0) >> (64 - t.bits)
	var s []uint64
	add := func(b uint64) { s = append(s, b&mask) }
	if t.floating {
		encode := func(f float64) {
			if v := t.rounded(exact{v: big.NewFloat(f)}, toEven); v == f || t.bits > 16 {
				add(t.encode(v))
			}
		}
		for _, f := range []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 3.5, 100.5, 101.5, 0.1, math.Inf(1), 65504, 65519, 65520, 65536, math.MaxFloat32, math.SmallestNonzeroFloat32,
			0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-24, 0x1p-126, 0x1p-149, 0x1p-150, 0x1.8p-150, 0x1.ffffffp127, 1e-320, math.MaxFloat64} {
			encode(f)
			encode(-f)
		}
		for e := 6; e <= 64; e++ {
			p := math.Ldexp(1, e)
			for _, f := range []float64{p, p - 1, p + 1, p - 0.5, p + 0.5, p - 1.5, math.Nextafter(p, 0), math.Nextafter(p, 2*p)} {
				encode(f)
				encode(-f)
			}
		}
		add(mask) // NaN
		add(mask >> 1)
	} else {
		for e := range t.bits {
			for d := range uint64(5) {
				add(1<<e + d - 2)
				add(-(1<<e + d - 2))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, uint64(t.bits)))
	for len(s) < n || len(s)%48 != 0 {
		b := r.Uint64()
		if !t.floating {
			b >>= r.Uint64N(64)
		}
		add(b)
	}
	return s
}
