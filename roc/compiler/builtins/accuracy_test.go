package builtins_test

import (
	"flag"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// step is the distance of the float bit patterns that the accuracy tests try.
var step = flag.Uint("step", 7919, "distance between tested bit patterns; 1 tries every float")

type oneFloat struct {
	name string
	ulps float64
	f    func(float64) float64
}

type twoFloats struct {
	name string
	ulps float64
	f    func(x, y float64) float64
}

// singles are the elementary functions of one float, with the limits of OpenCL C 3.0 section 7.4, table "ULP values for single
// precision built-in math functions". References are double functions, whose own errors are below a thousandth of the limits.
var singles = []oneFloat{
	{"exp", 3, math.Exp},
	{"exp2", 3, math.Exp2},
	{"exp10", 3, func(x float64) float64 { return math.Pow(10, x) }},
	{"expm1", 3, math.Expm1},
	{"log", 3, math.Log},
	{"log2", 3, math.Log2},
	{"log10", 3, math.Log10},
	{"log1p", 2, math.Log1p},
	{"sin", 4, math.Sin},
	{"cos", 4, math.Cos},
	{"tan", 5, math.Tan},
	{"sinh", 4, math.Sinh},
	{"cosh", 4, math.Cosh},
	{"tanh", 5, math.Tanh},
	{"asin", 4, math.Asin},
	{"acos", 4, math.Acos},
	{"atan", 5, math.Atan},
	{"asinh", 4, math.Asinh},
	{"acosh", 4, math.Acosh},
	{"atanh", 5, math.Atanh},
	{"asinpi", 5, func(x float64) float64 { return math.Asin(x) / math.Pi }},
	{"acospi", 5, func(x float64) float64 { return math.Acos(x) / math.Pi }},
	{"atanpi", 5, func(x float64) float64 { return math.Atan(x) / math.Pi }},
	{"erf", 16, math.Erf},
	{"erfc", 16, math.Erfc},
	{"tgamma", 16, gamma},
	{"sinpi", 4, sinpi},
	{"cospi", 4, cospi},
	{"tanpi", 6, tanpi},
	{"sqrt", 0, math.Sqrt},
	{"rsqrt", 2, func(x float64) float64 { return 1 / math.Sqrt(x) }},
	{"cbrt", 2, math.Cbrt},
	{"ceil", 0, math.Ceil},
	{"floor", 0, math.Floor},
	{"trunc", 0, math.Trunc},
	{"rint", 0, math.RoundToEven},
	{"round", 0, math.Round},
	{"fabs", 0, math.Abs},
}

// pairs are those of two floats.
var pairs = []twoFloats{
	{"pow", 16, math.Pow},
	{"powr", 16, powr},
	{"atan2", 6, math.Atan2},
	{"atan2pi", 6, func(y, x float64) float64 { return math.Atan2(y, x) / math.Pi }},
	{"hypot", 4, math.Hypot},
	{"fmod", 0, math.Mod},
	{"remainder", 0, math.Remainder},
	{"fdim", 0, fdim},
	{"fmin", 0, fmin},
	{"fmax", 0, fmax},
	{"copysign", 0, math.Copysign},
}

// hard are floats where something special happens in one function or another.
var hard = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 2, -2, 3, 4, 10, 0.1, 1.5, 2.5, -2.5, 100, -100,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, -0x1p-126, 0x1.fffffcp-127, 0x1p-125,
	0x1.fffffep-1, 0x1.000002p0, -0x1.fffffep-1, -0x1.000002p0, 0x1.fffffep-2, 0x1.000002p-1, 0x1p23, 0x1.000002p23, 0x1.fffffep22,
	0x1p24, 0x1.fffffep23, -0x1.fffffep23, 0x1p31, 0x1p32, 0x1p63, 88.72283, 88.722839, 88.72284, -87.33654, -103.97208, -103.972084, -104, 89.41598, 89.4160,
	128, 127.99999, -126, -149, -149.5, -150, 38.53184, 38.531837, -44.8534, -45.5, 0x1.921fb6p0, 0x1.921fb6p1, 0x1.921fb4p1, 0x1.2d97c8p1,
	0x1p17, 0x1.fffffep16, 0x1.000002p17, 1e10, 1e22, 1e38, 16367173 * 0x1p72, 0.70710677, 0.70710678, 0.92773438, 0.9277343, 4, 10.05, 1e-5, 1e-10, 1e-20, 1e-30,
}

// ulps is the error of got in units in the last place of the exact result want, as the conformance tests count: an overflow
// counts as the number behind the last.
func ulps(got float32, want float64) float64 {
	switch {
	case got != got || want != want:
		if got != got && want != want {
			return 0
		}
		return math.Inf(1)
	case float32(want) == got:
		if got == 0 && math.Signbit(want) != math.Signbit(float64(got)) {
			return math.Inf(1)
		}
		return 0
	}
	result := float64(got)
	if math.IsInf(result, 0) && !math.IsInf(want, 0) {
		result = math.Copysign(0x1p128, result)
	}
	_, e := math.Frexp(want)
	return math.Abs(result-want) / math.Ldexp(1, max(e-24, -149))
}

// inputs are bit patterns at equal distances, and the hard ones.
func inputs() []float32 {
	x := append([]float32(nil), hard...)
	for b := uint64(0); b < 1<<32; b += uint64(*step) {
		x = append(x, math.Float32frombits(uint32(b)))
	}
	for len(x)%48 != 0 { // whole vectors of any width
		x = append(x, 1)
	}
	return x
}

func TestFloatFunctionsOfOneArgumentKeepTheirLimits(t *testing.T) {
	x := inputs()
	run := floatLoops(t, unaryLoop, singles, func(f oneFloat) string { return f.name }, x)
	for _, f := range singles {
		t.Run(f.name, func(t *testing.T) {
			got := run(t, f.name)
			worst, at := -1.0, 0
			for i := range x {
				if e := ulps(got[i], f.f(float64(x[i]))); e > worst {
					worst, at = e, i
				}
			}
			t.Logf("%.3f ulp at %x", worst, x[at])
			require.LessOrEqual(t, worst, f.ulps, "%s(%x) = %x, not %x", f.name, x[at], got[at], f.f(float64(x[at])))
		})
	}
}

func TestFloatFunctionsOfTwoArgumentsKeepTheirLimits(t *testing.T) {
	x, y := inputPairs()
	run := floatLoops(t, binaryLoop, pairs, func(f twoFloats) string { return f.name }, x, y)
	for _, f := range pairs {
		t.Run(f.name, func(t *testing.T) {
			got := run(t, f.name)
			worst, at := -1.0, 0
			for i := range x {
				if e := ulps(got[i], f.f(float64(x[i]), float64(y[i]))); e > worst {
					worst, at = e, i
				}
			}
			t.Logf("%.3f ulp at %x, %x", worst, x[at], y[at])
			require.LessOrEqual(t, worst, f.ulps, "%s(%x, %x) = %x, not %x", f.name, x[at], y[at], got[at], f.f(float64(x[at]), float64(y[at])))
		})
	}
}

// Where OpenCL C 3.0 section 7.5.1 says what atan2pi is, it is that and nothing near it.
func TestEdgesOfAtan2piAreExact(t *testing.T) {
	inf, zero := float32(math.Inf(1)), float32(0)
	var y, x, want []float32
	for _, c := range [][3]float32{
		{zero, -1, 1}, {zero, -zero, 1}, {zero, 1, 0}, {zero, inf, 0}, {zero, -inf, 1}, {1, zero, 0.5}, {1e-30, zero, 0.5}, {3e30, zero, 0.5},
		{1, inf, 0}, {1, -inf, 1}, {inf, 1, 0.5}, {inf, -1, 0.5}, {inf, inf, 0.25}, {inf, -inf, 0.75}, {inf, zero, 0.5},
	} {
		for _, sign := range []float32{1, -1} {
			y, x, want = append(y, sign*c[0]), append(x, c[1]), append(want, sign*c[2])
		}
		if c[1] == 0 && c[0] != 0 { // -0 is as 0
			y, x, want = append(y, c[0], -c[0]), append(x, float32(math.Copysign(0, -1)), float32(math.Copysign(0, -1))), append(want, c[2], -c[2])
		}
	}
	for len(y)%48 != 0 { // whole vectors of every width
		y, x, want = append(y, 1), append(x, 0), append(want, 0.5)
	}
	got := floatLoops(t, binaryLoop, []string{"atan2pi"}, func(name string) string { return name }, y, x)(t, "atan2pi")
	for i := range want {
		require.Equal(t, want[i], got[i], "atan2pi(%g, %g)", y[i], x[i])
	}
}

func TestIntegerPowersAndRootsOfFloatsKeepTheirLimit(t *testing.T) {
	call := load(t, `
void pown_(private const float *x, private const int *k, private float *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = pown(x[i], k[i]); }
void rootn_(private const float *x, private const int *k, private float *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = rootn(x[i], k[i]); }
`)
	x, y := inputPairs()
	k := make([]int32, len(x))
	for i := range k {
		k[i] = int32(math.Float32bits(y[i]))
		if i%4 != 0 {
			k[i] >>= 32 - 1<<(i%6)
		}
	}
	n, got := uint64(len(x)), make([]float32, len(x))
	for name, f := range map[string]func(x float64, k int32) float64{"pown": pown, "rootn": rootn} {
		call(name+"_", unsafe.Pointer(&x[0]), unsafe.Pointer(&k[0]), unsafe.Pointer(&got[0]), unsafe.Pointer(&n))
		for i := range x {
			if e := ulps(got[i], f(float64(x[i]), k[i])); !(e <= 16) {
				require.Failf(t, "wrong", "%s(%x, %d) = %x, not %x", name, x[i], k[i], got[i], f(float64(x[i]), k[i]))
			}
		}
	}
}

func pown(x float64, k int32) float64 { return math.Pow(x, float64(k)) }

// rootn is the k-th root; an even one of a negative number and the zeroth are none (section 7.5.1).
func rootn(x float64, k int32) float64 {
	if k == 0 || x < 0 && k&1 == 0 {
		return math.NaN()
	}
	r := math.Pow(math.Abs(x), 1/float64(k))
	if k&1 != 0 {
		r = math.Copysign(r, x)
	}
	return r
}

// inputPairs are all pairs of hard numbers, bit patterns scattered over the plane, and pairs that are near each other.
func inputPairs() (x, y []float32) {
	for _, a := range hard {
		for _, b := range hard {
			x, y = append(x, a), append(y, b)
		}
	}
	state := uint64(1)
	next := func() uint64 {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return state
	}
	for range 1 << 32 / uint64(*step) {
		r := next()
		a, b := uint32(r>>32), uint32(r)
		if r>>20&3 == 0 { // exponents within 2^7 of 1
			a = a&^0x7f800000 | (120+uint32(next())&15)<<23
			b = b&^0x7f800000 | (120+uint32(next())&15)<<23
		}
		x, y = append(x, math.Float32frombits(a)), append(y, math.Float32frombits(b))
	}
	for len(x)%48 != 0 {
		x, y = append(x, 1), append(y, 1)
	}
	return x, y
}

// powr is pow for x >= 0, with the special cases of OpenCL C 3.0 section 7.5.1.
func powr(x, y float64) float64 {
	switch {
	case x < 0 || x != x || y != y, y == 0 && (x == 0 || math.IsInf(x, 0)), x == 1 && math.IsInf(y, 0):
		return math.NaN()
	}
	return math.Pow(math.Abs(x), y)
}

// gamma differs from math.Gamma in OpenCL C's poles.
func gamma(x float64) float64 {
	if x < 0 && x == math.Floor(x) {
		return math.NaN()
	}
	return math.Gamma(x)
}

// sinpi, cospi and tanpi reduce exactly; whole numbers and halves are those of section 7.5.1.
func sinpi(x float64) float64 {
	r := math.Mod(math.Abs(x), 2)
	switch {
	case r == 0 || r == 1:
		r = 0
	case r > 1.5:
		r -= 2
	case r > 0.5:
		r = 1 - r
	}
	return math.Copysign(1, x) * math.Sin(math.Pi*r)
}

func cospi(x float64) float64 {
	r := math.Mod(math.Abs(x), 2)
	if r > 1 {
		r = 2 - r
	}
	return math.Sin(math.Pi * (0.5 - r))
}

func tanpi(x float64) float64 {
	s, c := sinpi(x), cospi(x)
	switch r := math.Mod(math.Abs(x), 2); r {
	case 0:
		return math.Copysign(0, x)
	case 1:
		return math.Copysign(0, -x)
	case 0.5:
		return math.Copysign(math.Inf(1), x)
	case 1.5:
		return math.Copysign(math.Inf(1), -x)
	}
	return s / c
}

func fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return float64(float32(x) - float32(y))
}

func fmin(x, y float64) float64 {
	if x != x || y < x {
		return y
	}
	return x
}

func fmax(x, y float64) float64 {
	if x != x || y > x {
		return y
	}
	return x
}
