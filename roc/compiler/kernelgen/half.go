package kernelgen

import (
	"fmt"
	"math"
)

// HalvesPerItem is how many elements of Halves belong to a work-item.
const HalvesPerItem = 8

// halfNumber is the number that a half is.
func halfNumber(bits uint64) float64 {
	fraction, sign := float64(bits&0x3ff), 1-2*float64(bits>>15&1)
	switch exponent := int(bits >> 10 & 31); {
	case exponent == 31 && fraction > 0:
		return math.NaN()
	case exponent == 31:
		return sign * inf
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	default:
		return sign * math.Ldexp(1024+fraction, exponent-25)
	}
}

// roundings are the suffixes of functions that say which half becomes of a number between two.
var roundings = []string{"", "_rte", "_rtz", "_rtp", "_rtn"}

// encodeHalf rounds a number to a half.
func encodeHalf(v float64, rounding string) uint64 {
	if v != v {
		return 0x7e00
	}
	negative := math.Signbit(v)
	sign, v := truth(negative)<<15, math.Abs(v)
	switch v {
	case 0:
		return sign
	case inf:
		return sign | 0x7c00
	}
	_, exponent := math.Frexp(v)
	step := max(exponent-11, -24) // between halves of this size, as a power of two
	switch v = math.Ldexp(v, -step); {
	case rounding == "_rtz", rounding == "_rtp" && negative, rounding == "_rtn" && !negative:
		v = math.Floor(v)
		if step > 5 {
			return sign | 0x7bff
		}
	case rounding == "_rtp", rounding == "_rtn":
		v = math.Ceil(v)
	default:
		v = math.RoundToEven(v)
	}
	// Of subnormal halves v is the fraction; else it has the bit above it too, which adds one to the exponent. A v of 2048 carries.
	return sign | min(uint64(min(step, 6)+24)<<10+uint64(v), 0x7c00)
}

// sameHalf says whether two halves are the same, or both no number.
func sameHalf(x, y uint16) bool {
	nan := func(h uint16) bool { return h&0x7fff > 0x7c00 }
	return x == y || nan(x) && nan(y)
}

// HalfThatDiffers is the first in which two rows of halves differ, -1 for none. One NaN is like another.
func HalfThatDiffers(x, y []uint16) int {
	for i := range x {
		if !sameHalf(x[i], y[i]) {
			return i
		}
	}
	return -1
}

// halfStore writes some of a work-item's halves.
type halfStore struct {
	text     string // with %v for the index and x
	index    expr
	x        expr
	at       func(index uint64) int // the first of those it writes
	rounding string
}

func (s halfStore) print(p *printer) { p.line(s.text, s.index, s.x) }
func (s halfStore) run(it *item) outcome {
	at, x, t := s.at(s.index.eval(it)[0]), s.x.eval(it), s.x.typ()
	for l := range t.lanes {
		it.args.Halves[it.linear*HalvesPerItem+at+l] = uint16(encodeHalf(number(t, x[l]), s.rounding))
	}
	return goOn
}

// halfStore is an assignment to one half or, with the builtin library, a call of vstore_half or one of its kin.
func (g *gen) halfStore() stmt {
	index := g.subscript(g.r.Intn(2) == 0)
	if !g.library || g.r.Intn(3) == 0 {
		return halfStore{text: "h[at * 8u + (%v & 7u)] = %v;", index: index, x: g.expr(halfT, 2, false), at: func(i uint64) int { return int(i & 7) }}
	}
	n, rounding := pick(g.r, []int{1, 2, 3, 4, 8}), pick(g.r, roundings)
	t := typ{bits: 32 << g.r.Intn(2), float: true, lanes: n}
	f, step := vectorFunction("vstore", n, g.r.Intn(3) == 0)
	places := uint64(1) // where it may write
	for int(2*places)*step <= HalvesPerItem {
		places *= 2
	}
	return halfStore{fmt.Sprintf("{ uint n_ = %%v & %du; %s%s(%%v, n_, h + at * 8u); }", places-1, f, rounding), index, g.expr(t, 2, false),
		func(i uint64) int { return int(i&(places-1)) * step }, rounding}
}

// vectorFunction names a function that loads or stores n halves, aligned or not, and says how far apart the places of two indices are.
func vectorFunction(verb string, n int, aligned bool) (name string, step int) {
	name, step = verb+"_half", n
	if aligned && n > 1 { // of one there is no aligned form
		name = verb + "a_half"
	}
	if n > 1 {
		name += fmt.Sprint(n)
	}
	if n == 3 && aligned { // "vloada_half3 reads a 3-component vector from address (p + (offset * 4))"
		step = 4
	}
	return name, step
}

// ownHalf is one of the work-item's halves.
func (g *gen) ownHalf() expr {
	index := g.subscript(g.r.Intn(2) == 0)
	return place{halfT, fmt.Sprintf("h[at * 8u + (%v & 7u)]", index), func(it *item) value {
		return value{uint64(it.args.Halves[it.linear*HalvesPerItem+int(index.eval(it)[0]&7)])}
	}}
}

// halfLoad is what vload_half or one of its kin gives, a float or a vector of floats.
func (g *gen) halfLoad(t typ, uniform bool) expr {
	f, step := vectorFunction("vload", t.lanes, g.r.Intn(3) == 0)
	index := g.subscript(uniform)
	return place{t, fmt.Sprintf("%s(%v & 63u, (global const half *)in)", f, index), func(it *item) value {
		first := int(index.eval(it)[0]&63) * step
		return t.each(func(l int) uint64 {
			at := first + l
			return encode(t, halfNumber(uint64(it.args.In[at/2]>>(at%2*16)&0xffff)))
		})
	}}
}

// toHalf is a call of convert_half or one of its kin.
type toHalf struct {
	x        expr
	rounding string
}

func (c toHalf) typ() typ       { return halfT.withLanes(c.x.typ().lanes) }
func (c toHalf) String() string { return fmt.Sprintf("convert_%v%s(%v)", c.typ(), c.rounding, c.x) }
func (c toHalf) eval(it *item) value {
	x, from := c.x.eval(it), c.x.typ()
	return c.typ().each(func(i int) uint64 {
		switch {
		case from.float:
			return encodeHalf(number(from, x[i]), c.rounding)
		case from.signed:
			return encodeHalf(float64(int64(x[i])), c.rounding)
		}
		return encodeHalf(float64(x[i]), c.rounding)
	})
}

// toHalf converts any number to t, which is of halves.
func (g *gen) toHalf(t typ, depth int, uniform bool) expr {
	x := g.expr(g.anyScalar().withLanes(t.lanes), depth, uniform)
	return toHalf{convert{x.typ(), x}, pick(g.r, roundings)} // small types are promoted to int: convert back
}
