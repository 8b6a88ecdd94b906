package builtins_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func one(x *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Set(x) }

func bigSin(x *big.Float) *big.Float { s, _ := bigSinCos(x); return s }
func bigCos(x *big.Float) *big.Float { _, c := bigSinCos(x); return c }
func bigTan(x *big.Float) *big.Float { s, c := bigSinCos(x); return quo(s, c) }

func bigSinh(x *big.Float) *big.Float {
	e := bigExpm1(new(big.Float).Abs(x))
	r := scale(add(e, quo(e, add(e, whole(1)))), -1)
	if x.Sign() < 0 {
		r.Neg(r)
	}
	return r
}

func bigCosh(x *big.Float) *big.Float {
	e := bigExp(x)
	return scale(add(e, quo(whole(1), e)), -1)
}

func bigTanh(x *big.Float) *big.Float {
	e := bigExpm1(scale(x, 1))
	return quo(e, add(e, whole(2)))
}

func bigAsinh(x *big.Float) *big.Float {
	a := new(big.Float).Abs(x)
	square := mul(a, a)
	r := bigLog1p(add(a, quo(square, add(sqrt(add(square, whole(1))), whole(1)))))
	if x.Sign() < 0 {
		r.Neg(r)
	}
	return r
}

func bigAcosh(x *big.Float) *big.Float {
	t := sub(x, whole(1))
	return bigLog1p(add(t, sqrt(mul(t, add(t, whole(2))))))
}

func bigAtanh(x *big.Float) *big.Float {
	return scale(bigLog1p(quo(scale(x, 1), sub(whole(1), x))), -1)
}

func bigCbrt(x *big.Float) *big.Float {
	a := new(big.Float).Abs(x)
	r := bigExp(quo(bigLog(a), whole(3)))
	if x.Sign() < 0 {
		r.Neg(r)
	}
	return r
}

func overPi(f func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { return one(quo(f(x), bigPi())) }
}

func timesPi(f func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float {
		n, _ := scale(x, -1).Int(nil)
		r := sub(x, scale(new(big.Float).SetPrec(1200).SetInt(n), 1))
		return f(mul(r, bigPi()))
	}
}

func anywhere(float64) bool { return true }

// doubles are the elementary functions of one double, with the limits of OpenCL C 3.0 section 7.4, table "ULP values for double
// precision built-in math functions", and where the reference is good.
var doubles = []struct {
	name   string
	ulps   float64
	f      func(*big.Float) *big.Float
	within func(x float64) bool
}{
	{"exp", 3, bigExp, below(745)},
	{"exp2", 3, func(x *big.Float) *big.Float { return bigExp(mul(x, bigLn2())) }, below(1075)},
	{"exp10", 3, func(x *big.Float) *big.Float { return bigExp(mul(x, bigLog(whole(10)))) }, below(324)},
	{"expm1", 3, bigExpm1, below(709)},
	{"log", 3, bigLog, positive},
	{"log2", 3, func(x *big.Float) *big.Float { return quo(bigLog(x), bigLn2()) }, positive},
	{"log10", 3, func(x *big.Float) *big.Float { return quo(bigLog(x), bigLog(whole(10))) }, positive},
	{"log1p", 2, bigLog1p, func(x float64) bool { return x > -1 }},
	{"sin", 4, bigSin, anywhere},
	{"cos", 4, bigCos, anywhere},
	{"tan", 5, bigTan, anywhere},
	{"sinpi", 4, timesPi(bigSin), below(1e6)},
	{"cospi", 4, timesPi(bigCos), below(1e6)},
	{"tanpi", 6, timesPi(bigTan), func(x float64) bool { return math.Abs(x) < 1e6 && math.Mod(math.Abs(x), 1) != 0.5 }},
	{"sinh", 4, bigSinh, below(710)},
	{"cosh", 4, bigCosh, below(710)},
	{"tanh", 5, bigTanh, below(300)},
	{"asin", 4, bigAsin, below(1)},
	{"acos", 4, bigAcos, below(1)},
	{"atan", 5, bigAtan, anywhere},
	{"asinpi", 5, overPi(bigAsin), below(1)},
	{"acospi", 5, overPi(bigAcos), below(1)},
	{"atanpi", 5, overPi(bigAtan), anywhere},
	{"asinh", 4, bigAsinh, anywhere},
	{"acosh", 4, bigAcosh, func(x float64) bool { return x >= 1 }},
	{"atanh", 5, bigAtanh, below(0x1.fffffffffffffp-1)},
	{"erf", 16, bigErf, below(6)},
	{"erfc", 16, func(x *big.Float) *big.Float { return sub(whole(1), bigErf(x)) }, below(26.5)},
	{"cbrt", 2, bigCbrt, func(x float64) bool { return x != 0 }},
	{"rsqrt", 2, func(x *big.Float) *big.Float { return quo(whole(1), sqrt(x)) }, positive},
	{"sqrt", 0.5, sqrt, positive},
}

func below(limit float64) func(float64) bool {
	return func(x float64) bool { return math.Abs(x) <= limit }
}

func positive(x float64) bool { return x > 0 }

// doubleUlps is the error of got in units in the last place of want.
func doubleUlps(got float64, want *big.Float) float64 {
	f, _ := want.Float64()
	if f == got {
		return 0
	}
	if math.IsInf(f, 0) || math.IsInf(got, 0) || got != got {
		return math.Inf(1)
	}
	d, _ := scale(new(big.Float).SetPrec(precision).Sub(bigFloat(got), want), -max(want.MantExp(nil)-53, -1074)).Float64()
	return math.Abs(d)
}

func TestDoublePowersKeepTheirLimits(t *testing.T) {
	const source = `
void pow_(private const double *x, private const double *y, private const int *k, private double *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = pow(x[i], y[i]); }
void powr_(private const double *x, private const double *y, private const int *k, private double *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = powr(x[i], y[i]); }
void pown_(private const double *x, private const double *y, private const int *k, private double *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = pown(x[i], k[i]); }
void rootn_(private const double *x, private const double *y, private const int *k, private double *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = rootn(x[i], k[i]); }
`
	call := load(t, source)
	r := rand.New(rand.NewPCG(3, 4))
	var x, y []float64
	var k []int32
	for range 2000 {
		v := math.Ldexp(1+r.Float64(), r.IntN(2040)-1020)
		limit := 700 / max(1e-3, math.Abs(math.Log(v)))
		x, y, k = append(x, v), append(y, (r.Float64()*2-1)*min(limit, 1e9)), append(k, int32((r.Float64()*2-1)*min(limit, 1e6)))
		if i := len(k) - 1; k[i] == 0 {
			k[i] = 3
		}
	}
	n, got := uint64(len(x)), make([]float64, len(x))
	for name, f := range map[string]func(i int) *big.Float{
		"pow":   func(i int) *big.Float { return bigExp(mul(bigLog(bigFloat(x[i])), bigFloat(y[i]))) },
		"powr":  func(i int) *big.Float { return bigExp(mul(bigLog(bigFloat(x[i])), bigFloat(y[i]))) },
		"pown":  func(i int) *big.Float { return bigExp(mul(bigLog(bigFloat(x[i])), whole(int64(k[i])))) },
		"rootn": func(i int) *big.Float { return bigExp(quo(bigLog(bigFloat(x[i])), whole(int64(k[i])))) },
	} {
		call(name+"_", unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&k[0]), unsafe.Pointer(&got[0]), unsafe.Pointer(&n))
		for i := range x {
			want := f(i)
			if w, _ := want.Float64(); !math.IsInf(w, 0) {
				require.LessOrEqual(t, doubleUlps(got[i], want), 16.0, "%s(%x, %x, %d) = %x", name, x[i], y[i], k[i], got[i])
			}
		}
	}
}

func TestDoubleFunctionsKeepTheirLimits(t *testing.T) {
	var s strings.Builder
	for _, f := range doubles {
		fmt.Fprintf(&s, "void %[1]s_1(private const double *x, private double *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = %[1]s(x[i]); }\n"+
			"void %[1]s_4(private const double *x, private double *r, private const ulong *n) { for (ulong i = 0; i < *n / 4; i++) vstore4(%[1]s(vload4(i, x)), i, r); }\n", f.name)
	}
	call := load(t, s.String())
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range doubles {
		t.Run(f.name, func(t *testing.T) {
			var x []float64
			for _, h := range hard {
				if h == h && !math.IsInf(float64(h), 0) && f.within(float64(h)) {
					x = append(x, float64(h))
				}
			}
			for len(x) < 600 {
				v := math.Ldexp(r.Float64()*2-1, r.IntN(40)-28)
				if r.IntN(3) == 0 {
					v = math.Float64frombits(r.Uint64())
				}
				if v == v && !math.IsInf(v, 0) && f.within(v) {
					x = append(x, v)
				}
			}
			n := uint64(len(x))
			got, vector := make([]float64, n), make([]float64, n)
			call(f.name+"_1", unsafe.Pointer(&x[0]), unsafe.Pointer(&got[0]), unsafe.Pointer(&n))
			call(f.name+"_4", unsafe.Pointer(&x[0]), unsafe.Pointer(&vector[0]), unsafe.Pointer(&n))
			worst, at := -1.0, 0
			for i, v := range x {
				if v == 0 {
					continue
				}
				if e := doubleUlps(got[i], f.f(bigFloat(v))); e > worst {
					worst, at = e, i
				}
			}
			t.Logf("%.3f ulp at %x", worst, x[at])
			require.LessOrEqual(t, worst, f.ulps, "%s(%x) = %x", f.name, x[at], got[at])
			require.Equal(t, got[:n&^3], vector[:n&^3])
		})
	}
}

// logarithm is that to a base, 1 for e; Go's own is wrong for denormals.
func logarithm(base int64) func(float64) float64 {
	return func(x float64) float64 {
		if !(x > 0) || math.IsInf(x, 0) {
			return math.Log(x)
		}
		l := bigLog(bigFloat(x))
		if base > 1 {
			l = quo(l, bigLog(whole(base)))
		}
		f, _ := l.Float64()
		return f
	}
}

func TestDoubleFunctionsOfSpecialValues(t *testing.T) {
	var s strings.Builder
	functions := map[string]func(float64) float64{
		"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": logarithm(1), "log2": logarithm(2), "log10": logarithm(10), "log1p": math.Log1p,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asin": math.Asin, "acos": math.Acos,
		"atan": math.Atan, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh, "erf": math.Erf, "erfc": math.Erfc, "cbrt": math.Cbrt,
		"sinpi": sinpi, "cospi": cospi, "tanpi": tanpi,
	}
	for name := range functions {
		fmt.Fprintf(&s, "void %[1]s_(private const double *x, private double *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = %[1]s(x[i]); }\n", name)
	}
	call := load(t, s.String())
	x := []float64{0, math.NaN(), math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1030, 1, 0.5, 1.5, 2, 1e-300, 1e300, 0x1p30, 0x1p29, 0x1p53,
		709, 711, 745.1, 746, 1023.9999999999999, 1024, 1074, 1076}
	for _, v := range x {
		x = append(x, -v)
	}
	n, got := uint64(len(x)), make([]float64, len(x))
	for name, f := range functions {
		call(name+"_", unsafe.Pointer(&x[0]), unsafe.Pointer(&got[0]), unsafe.Pointer(&n))
		for i, v := range x {
			want := f(v)
			if got[i] == want && (want != 0 || math.Signbit(got[i]) == math.Signbit(want)) || got[i] != got[i] && want != want {
				continue
			}
			// The reference is not exact here; how exact the functions are is the other tests' matter.
			near := math.Abs(got[i]-want) <= 1e-12*math.Abs(want)+2*math.SmallestNonzeroFloat64
			require.True(t, near && want != 0 && !math.IsInf(want, 0), "%s(%x) = %x, not %x", name, v, got[i], want)
		}
	}
}
