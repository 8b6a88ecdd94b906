package gcn

import "math"

// fromHalf is the value of 16 bits.
func fromHalf(x uint16) float64 {
	sign, exponent, fraction := 1.0, int(x>>10&31), float64(x&0x3ff)
	if x>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 31:
		if fraction != 0 {
			return math.Float64frombits(uint64(x>>15)<<63 | 0x7ff8<<48 | uint64(x&0x3ff)<<42)
		}
		return math.Inf(int(sign))
	case 0:
		return math.Copysign(math.Ldexp(fraction, -24), sign)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// toHalf rounds to 16 bits once.
func toHalf(x float64, r rounding) uint16 {
	var sign uint16
	if math.Signbit(x) {
		sign = 1 << 15
	}
	a := math.Abs(x)
	switch {
	case x != x:
		return sign | 0x7e00 | uint16(math.Float64bits(x)>>42&0x1ff)
	case math.IsInf(a, 0):
		return sign | 0x7c00
	case a == 0:
		return sign
	}
	_, exponent := math.Frexp(a)
	quantum := max(exponent-11, -24) // the last place is worth two to this
	q := math.Ldexp(a, -quantum)
	n := math.Floor(q)
	switch rest := q - n; {
	case rest == 0:
	case r == nearest:
		if rest > .5 || rest == .5 && math.Mod(n, 2) == 1 {
			n++
		}
	case r == upward && sign == 0 || r == downward && sign != 0:
		n++
	}
	if v := math.Ldexp(n, quantum); v > 65504 {
		if r == nearest || r == upward && sign == 0 || r == downward && sign != 0 {
			return sign | 0x7c00
		}
		return sign | 0x7bff
	}
	if n >= 2048 {
		n, quantum = n/2, quantum+1
	}
	if n < 1024 {
		return sign | uint16(n) // below the smallest normal, where quantum is -24
	}
	return sign | uint16(quantum+25)<<10 | uint16(n)&0x3ff
}
