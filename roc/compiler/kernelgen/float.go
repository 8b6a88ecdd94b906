package kernelgen

import (
	"fmt"
	"math"
	"slices"
)

var inf = math.Inf(1)

// number is the floating-point number of a lane, exact.
func number(t typ, bits uint64) float64 {
	switch t.bits {
	case 16:
		return halfNumber(bits)
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// encode rounds a number to a type.
func encode(t typ, v float64) uint64 {
	switch t.bits {
	case 16:
		return encodeHalf(v, "")
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// floating is +, - or *, which IEEE 754 defines to the bit, NaNs apart. The explicit conversions keep Go from fusing. Of halves
// float64 has the exact result, and it is rounded once.
func floating(op string, t typ, x, y uint64) uint64 {
	if t.bits == 32 {
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		r := map[string]float32{"+": float32(a + b), "-": float32(a - b), "*": float32(a * b)}[op]
		return uint64(math.Float32bits(r))
	}
	a, b := number(t, x), number(t, y)
	return encode(t, map[string]float64{"+": float64(a + b), "-": float64(a - b), "*": float64(a * b)}[op])
}

// bitsOf is a floating-point value as an unsigned integer, with one NaN for all.
type bitsOf struct{ x expr }

func (b bitsOf) typ() typ { return b.x.typ().unsigned() }
func (b bitsOf) nan() literal {
	return splat(b.typ(), map[int]uint64{16: 0x7e00, 32: 0x7fc00000, 64: 0x7ff8 << 48}[b.typ().bits])
}
func (b bitsOf) String() string {
	text := fmt.Sprintf("((%v != %v) ? %v : as_%v(%v))", b.x, b.x, b.nan(), b.typ(), b.x)
	if t := b.typ(); t.lanes == 1 && t.bits == 16 { // which is promoted to int
		return fmt.Sprintf("((%v)%s)", t, text)
	}
	return text
}
func (b bitsOf) eval(it *item) value {
	x, t := b.x.eval(it), b.x.typ()
	return b.typ().each(func(i int) uint64 {
		if v := number(t, x[i]); v != v {
			return b.nan().v[i]
		}
		return x[i]
	})
}

// floatExpr is an expression of a floating-point type.
func (g *gen) floatExpr(t typ, depth int, uniform bool) expr {
	sub := func() expr { return g.expr(t, depth-1-g.r.Intn(2), uniform) }
	if g.library && g.r.Intn(4) == 0 {
		switch t.bits {
		case 16:
			return g.toHalf(t, depth-1, uniform)
		case 32:
			return g.halfLoad(t, uniform)
		}
	}
	switch k := g.r.Intn(12); {
	case k < 6:
		return binary{pick(g.r, []string{"+", "-", "*"}), sub(), sub()}
	case k == 6:
		return unary{"-", sub()}
	case k == 7:
		return choice{g.test(depth-1, uniform), sub(), sub()}
	case k == 8:
		other := t
		other.bits = pick(g.r, slices.DeleteFunc(g.floats(), func(bits int) bool { return bits == t.bits }))
		return convert{t, g.expr(other, depth-1, uniform)}
	case k < 11:
		from := g.scalarType().withLanes(t.lanes)
		return convert{t, g.expr(from, depth-1, uniform)}
	}
	from := t.withLanes(pick(g.r, []int{2, 3, 4, 8}))
	if t.lanes == 1 {
		return lane{g.expr(from, depth-1, uniform), g.r.Intn(from.lanes)}
	}
	v := vector{t: t}
	for range t.lanes {
		v.x = append(v.x, g.leaf(t.scalar(), uniform))
	}
	return v
}

func (g *gen) floatLiteral(t typ) literal {
	return literal{t, t.each(func(int) uint64 {
		switch g.r.Intn(6) {
		case 0:
			return encode(t, math.Inf(1-2*g.r.Intn(2)))
		case 1:
			return 1 // the least subnormal number
		case 2:
			return g.r.Uint64() >> 2 << 2 & (1<<(t.bits-2) - 1) // below 2
		}
		return encode(t, float64(g.r.Intn(33)-16)/4)
	})}
}
