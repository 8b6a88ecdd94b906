package builtins_test

import (
	"math"
	"math/big"
	"sync"
)

// The elementary functions to some 300 bits, by series on reduced arguments: the reference for double.

const precision = 320

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func add(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(max(x.Prec(), y.Prec())).Add(x, y)
}
func sub(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(max(x.Prec(), y.Prec())).Sub(x, y)
}
func mul(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(max(x.Prec(), y.Prec())).Mul(x, y)
}
func quo(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(max(x.Prec(), y.Prec())).Quo(x, y)
}
func sqrt(x *big.Float) *big.Float { return new(big.Float).SetPrec(x.Prec()).Sqrt(x) }
func scale(x *big.Float, n int) *big.Float {
	return new(big.Float).SetPrec(x.Prec()).SetMantExp(x, n)
}
func whole(n int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(n) }

// negligible says that a term no longer matters to a sum.
func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-int(sum.Prec())
}

// arctan1 is atan(1/n).
func arctan1(n int64, prec uint) *big.Float {
	x := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), new(big.Float).SetInt64(n))
	sum, power, square := new(big.Float).Copy(x), new(big.Float).Copy(x), mul(x, x)
	for k := int64(3); ; k += 2 {
		power = mul(power, square)
		power.Neg(power)
		term := quo(power, new(big.Float).SetPrec(prec).SetInt64(k))
		if negligible(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}

// bigPi has room for the whole range of double (Machin's formula); bigLn2 is log 2 = 2 atanh(1/3).
var (
	bigPi = sync.OnceValue(func() *big.Float {
		const prec = 1500
		return scale(sub(scale(arctan1(5, prec), 2), arctan1(239, prec)), 2)
	})
	bigLn2 = sync.OnceValue(func() *big.Float { return scale(atanhSeries(quo(whole(1), whole(3))), 1) })
)

// atanhSeries is atanh(x) for small x.
func atanhSeries(x *big.Float) *big.Float {
	sum, power, square := new(big.Float).Copy(x), new(big.Float).Copy(x), mul(x, x)
	for k := int64(3); ; k += 2 {
		power = mul(power, square)
		term := quo(power, whole(k))
		if negligible(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}

// expm1Series is e^x - 1 for |x| below 1.
func expm1Series(x *big.Float) *big.Float {
	sum, term := new(big.Float).Copy(x), new(big.Float).Copy(x)
	for k := int64(2); x.Sign() != 0; k++ {
		term = quo(mul(term, x), whole(k))
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	return sum
}

func bigExp(x *big.Float) *big.Float {
	n, _ := quo(x, bigLn2()).Int64()
	r := sub(x, mul(bigLn2(), whole(n)))
	return scale(add(expm1Series(r), whole(1)), int(n))
}

func bigExpm1(x *big.Float) *big.Float {
	if x.Cmp(bigFloat(0.5)) < 0 && x.Cmp(bigFloat(-0.5)) > 0 {
		return expm1Series(x)
	}
	return sub(bigExp(x), whole(1))
}

// bigLog is log x for x > 0.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float)
	e := x.MantExp(m) // 1/2 <= m < 1
	if m.Cmp(bigFloat(math.Sqrt2/2)) < 0 {
		m, e = scale(m, 1), e-1
	}
	m.SetPrec(x.Prec())
	s := quo(sub(m, whole(1)), add(m, whole(1)))
	if s.Sign() == 0 {
		return mul(bigLn2(), whole(int64(e)))
	}
	return add(scale(atanhSeries(s), 1), mul(bigLn2(), whole(int64(e))))
}

func bigLog1p(x *big.Float) *big.Float {
	if x.Cmp(bigFloat(0.5)) < 0 && x.Cmp(bigFloat(-0.3)) > 0 {
		return scale(atanhSeries(quo(x, add(x, whole(2)))), 1)
	}
	return bigLog(add(x, whole(1)))
}

// bigSinCos is the sine and cosine of any double.
func bigSinCos(x *big.Float) (s, c *big.Float) {
	half := scale(bigPi(), -1)
	q := new(big.Float).SetPrec(1500).Quo(x, half)
	n, _ := add(q, new(big.Float).SetPrec(1500).SetFloat64(math.Copysign(0.5, float64(q.Sign())))).Int(nil)
	r := sub(x, mul(half, new(big.Float).SetPrec(1500).SetInt(n)))
	r = new(big.Float).SetPrec(precision).Set(r)
	s, c = sinSeries(r), cosSeries(r)
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		return c, new(big.Float).Neg(s)
	case 2:
		return new(big.Float).Neg(s), new(big.Float).Neg(c)
	case 3:
		return new(big.Float).Neg(c), s
	}
	return s, c
}

func sinSeries(x *big.Float) *big.Float { return alternating(new(big.Float).Copy(x), x, 2) }
func cosSeries(x *big.Float) *big.Float { return alternating(whole(1), x, 1) }

// alternating sums term - term x^2 / (k (k+1)) + ...
func alternating(term, x *big.Float, k int64) *big.Float {
	sum, square := new(big.Float).Copy(term), mul(x, x)
	for ; ; k += 2 {
		term = quo(mul(term, square), whole(-k*(k+1)))
		if negligible(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}

// bigAtan halves the angle until its series is quick.
func bigAtan(x *big.Float) *big.Float {
	if x.Cmp(whole(1)) > 0 || x.Cmp(whole(-1)) < 0 {
		half := new(big.Float).SetPrec(precision).Set(scale(bigPi(), -1))
		if x.Sign() < 0 {
			half.Neg(half)
		}
		return sub(half, bigAtan(quo(whole(1), x)))
	}
	n := 0
	for ; n < 6; n++ {
		x = quo(x, add(sqrt(add(mul(x, x), whole(1))), whole(1)))
	}
	sum, power, square := new(big.Float).Copy(x), new(big.Float).Copy(x), mul(x, x)
	for k := int64(3); x.Sign() != 0; k += 2 {
		power = mul(power, square)
		power.Neg(power)
		term := quo(power, whole(k))
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	return scale(sum, n)
}

func bigAsin(x *big.Float) *big.Float {
	d := sqrt(mul(add(whole(1), x), sub(whole(1), x)))
	if d.Sign() == 0 {
		half := new(big.Float).SetPrec(precision).Set(scale(bigPi(), -1))
		if x.Sign() < 0 {
			half.Neg(half)
		}
		return half
	}
	return bigAtan(quo(x, d))
}

// bigAcos is 2 atan sqrt((1-x)/(1+x)).
func bigAcos(x *big.Float) *big.Float {
	d := add(whole(1), x)
	if d.Sign() == 0 {
		return bigPi()
	}
	return scale(bigAtan(sqrt(quo(sub(whole(1), x), d))), 1)
}

// bigErf sums 2/sqrt(pi) x e^(-x^2) (2x^2)^k / (1 3 5 ... (2k+1)), whose terms are all positive; with room for what erfc cancels.
func bigErf(x *big.Float) *big.Float {
	const prec = 1500
	wide := new(big.Float).SetPrec(prec).Set(x)
	twice := scale(mul(wide, wide), 1)
	sum, term := new(big.Float).Copy(wide), new(big.Float).Copy(wide)
	for k := int64(3); x.Sign() != 0; k += 2 {
		term = quo(mul(term, twice), new(big.Float).SetPrec(prec).SetInt64(k))
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	return quo(mul(scale(sum, 1), wideExp(scale(twice, -1), prec)), sqrt(bigPi()))
}

// wideExp is e^-x for 0 <= x, to prec bits.
func wideExp(x *big.Float, prec uint) *big.Float {
	n := max(x.MantExp(nil), 0) + 8
	r := scale(x, -n)
	sum, term := new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetPrec(prec).SetInt64(1)
	for k := int64(1); r.Sign() != 0; k++ {
		term = quo(mul(term, r), new(big.Float).SetPrec(prec).SetInt64(k))
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	for range n {
		sum = mul(sum, sum)
	}
	return quo(new(big.Float).SetPrec(prec).SetInt64(1), sum)
}
