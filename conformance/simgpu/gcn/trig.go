package gcn

import (
	"math"
	"math/big"
	"sync"
)

// piBits is how much of 2/π the unit has.
const piBits = 1201

// twoOverPi is 2/π as an integer of piBits bits behind the point.
var twoOverPi = sync.OnceValue(func() *big.Int {
	const guard = 64
	one := new(big.Int).Lsh(big.NewInt(1), piBits+guard)
	// π = 16 atan(1/5) - 4 atan(1/239)
	pi := new(big.Int).Sub(arctan(one, 5, 16), arctan(one, 239, 4))
	twice := new(big.Int).Lsh(one, piBits+guard+1)
	r := twice.Quo(twice, pi)
	return r.Rsh(r, guard)
})

// arctan is factor times the arc tangent of 1/x, in units of one.
func arctan(one *big.Int, x, factor int64) *big.Int {
	power := new(big.Int).Quo(new(big.Int).Mul(one, big.NewInt(factor)), big.NewInt(x))
	sum := new(big.Int)
	for n := int64(1); power.Sign() != 0; n += 2 {
		term := new(big.Int).Quo(power, big.NewInt(n))
		if n%4 == 3 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		power.Quo(power, big.NewInt(x*x))
	}
	return sum
}

// preop is 53 bits of 2/π, the segment of them given, that matter when a large x is reduced to a quarter turn.
func preop(x float64, segment int) float64 {
	exponent := int(math.Float64bits(x) >> 52 & 0x7ff)
	shift := segment * 53
	if exponent > 1077 {
		shift += exponent - 1077
	}
	segmentBits := new(big.Int)
	if low := piBits - 53 - shift; low >= 0 {
		segmentBits.Rsh(twoOverPi(), uint(low))
	} else {
		segmentBits.Lsh(twoOverPi(), uint(-low))
	}
	segmentBits.And(segmentBits, big.NewInt(1<<53-1))
	scale := -53 - shift
	if exponent >= 1968 {
		scale += 128
	}
	return math.Ldexp(float64(segmentBits.Int64()), scale)
}

func init() {
	lanewise("v_trig_preop_f64", "ddu", func(m *mathMode, a, b, _ uint64) uint64 { return m.toD(preop(math.Float64frombits(a), int(b&31))) })
}
