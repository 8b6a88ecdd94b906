package builtins_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type approximation struct {
	name  string
	ulps  float64
	floor float64
	in    func(x float64) bool
	f     func(float64) float64
}

type approximatePair struct {
	name string
	ulps float64
	in   func(x, y float64) bool
	f    func(x, y float64) float64
}

// approximations are half_ functions, whose error the specification bounds by 8192 ulp (OpenCL C 3.0 section 7.4), and native_
// ones, whose error and domain we choose: floor is an absolute error that is always good enough.
var approximations = []approximation{
	{"half_cos", 8192, 0, trigonometric, math.Cos},
	{"half_sin", 8192, 0, trigonometric, math.Sin},
	{"half_tan", 8192, 0, trigonometric, math.Tan},
	{"half_exp", 8192, 0, all, math.Exp},
	{"half_exp2", 8192, 0, all, math.Exp2},
	{"half_exp10", 8192, 0, all, func(x float64) float64 { return math.Pow(10, x) }},
	{"half_log", 8192, 0, all, math.Log},
	{"half_log2", 8192, 0, all, math.Log2},
	{"half_log10", 8192, 0, all, math.Log10},
	{"half_recip", 8192, 0, all, func(x float64) float64 { return 1 / x }},
	{"half_rsqrt", 8192, 0, all, func(x float64) float64 { return 1 / math.Sqrt(x) }},
	{"half_sqrt", 8192, 0, all, math.Sqrt},
	{"native_cos", 4, 0x1p-20, circle, math.Cos},
	{"native_sin", 4, 0x1p-20, circle, math.Sin},
	{"native_tan", 8192, 0x1p-20, circle, math.Tan},
	{"native_exp", 256, 0, within(87), math.Exp}, // x is scaled with one rounding
	{"native_exp2", 16, 0, within(126), math.Exp2},
	{"native_exp10", 256, 0, within(37), func(x float64) float64 { return math.Pow(10, x) }},
	{"native_log", 8, 0x1p-22, all, math.Log},
	{"native_log2", 8, 0x1p-22, all, math.Log2},
	{"native_log10", 8, 0x1p-22, all, math.Log10},
	{"native_recip", 1, 0, all, func(x float64) float64 { return 1 / x }},
	{"native_rsqrt", 2, 0, all, func(x float64) float64 { return 1 / math.Sqrt(x) }},
	{"native_sqrt", 1, 0, all, math.Sqrt},
}

func all(float64) bool             { return true }
func trigonometric(x float64) bool { return math.Abs(x) <= 0x1p16 }
func circle(x float64) bool        { return math.Abs(x) <= 2*math.Pi }
func within(limit float64) func(float64) bool {
	return func(x float64) bool { return math.Abs(x) <= limit }
}

func TestApproximateFunctionsKeepTheirLimits(t *testing.T) {
	x := inputs()
	run := floatLoops(t, unaryLoop, approximations, func(f approximation) string { return f.name }, x)
	for _, f := range approximations {
		t.Run(f.name, func(t *testing.T) {
			got := run(t, f.name)
			worst, at := -1.0, 0
			for i := range x {
				want := f.f(float64(x[i]))
				if !f.in(float64(x[i])) {
					if strings.HasPrefix(f.name, "half_") && want == want { // a sine, or the like, of a large number
						require.LessOrEqual(t, math.Abs(float64(got[i])), 1.0, "%s(%x)", f.name, x[i])
					}
					continue
				}
				if e := ulps(got[i], want); e > worst && !(math.Abs(float64(got[i])-want) <= f.floor) {
					worst, at = e, i
				}
			}
			t.Logf("%.3f ulp at %x", worst, x[at])
			require.LessOrEqual(t, worst, f.ulps, "%s(%x) = %x, not %x", f.name, x[at], got[at], f.f(float64(x[at])))
		})
	}
}

func TestApproximateFunctionsOfTwoArgumentsKeepTheirLimits(t *testing.T) {
	functions := []approximatePair{
		{"half_divide", 8192, func(x, y float64) bool { return true }, func(x, y float64) float64 { return x / y }},
		{"half_powr", 8192, func(x, y float64) bool { return true }, powr},
		{"native_divide", 1, func(x, y float64) bool { return true }, func(x, y float64) float64 { return x / y }},
		{"native_powr", 8192, func(x, y float64) bool {
			r := math.Log2(x) * y
			return x > 0x1p-126 && x < 0x1p127 && math.Abs(r) < 126
		}, powr},
	}
	x, y := inputPairs()
	run := floatLoops(t, binaryLoop, functions, func(f approximatePair) string { return f.name }, x, y)
	for _, f := range functions {
		got := run(t, f.name)
		for i := range x {
			if f.in(float64(x[i]), float64(y[i])) {
				want := f.f(float64(x[i]), float64(y[i]))
				require.LessOrEqual(t, ulps(got[i], want), f.ulps, "%s(%x, %x) = %x, not %x", f.name, x[i], y[i], got[i], want)
			}
		}
	}
}

// Every half is loaded exactly; floats and doubles are stored rounded once, in the direction asked for.
func TestHalvesInMemoryAreRoundedOnce(t *testing.T) {
	var s strings.Builder
	s.WriteString("void load_1(private const half *h, private float *f, private const ulong *n) { for (ulong i = 0; i < *n; i++) f[i] = vload_half(i, h); }\n")
	roundings := []string{"", toEven, toZero, up, down}
	wide := []number{single, {"double", 64, true, true}}
	for _, w := range []int{2, 3, 4, 8, 16} {
		fmt.Fprintf(&s, "void load_%d(private const half *h, private float *f, private const ulong *n)\n"+
			"{ for (ulong i = 0; i < *n / %[1]d; i++) vstore%[1]d(vload_half%[1]d(i, h), i, f); }\n", w)
	}
	for _, n := range wide {
		for _, r := range roundings {
			fmt.Fprintf(&s, "void store_%s%s_1(private const %[1]s *x, private half *h, private const ulong *n)\n"+
				"{ for (ulong i = 0; i < *n; i++) vstore_half%[2]s(x[i], i, h); }\n", n.name, r)
			for _, w := range []int{3, 4, 16} {
				fmt.Fprintf(&s, "void store_%s%s_%d(private const %[1]s *x, private half *h, private const ulong *n)\n"+
					"{ for (ulong i = 0; i < *n / %[3]d; i++) vstore_half%[3]d%[2]s(vload%[3]d(i, x), i, h); }\n", n.name, r, w)
			}
		}
	}
	call := load(t, s.String())
	halves, count := make([]uint64, 65520), uint64(65520)
	for i := range halves {
		halves[i] = uint64(i)
	}
	memory := half.pack(halves)
	for _, w := range widths {
		out := make([]float32, count)
		call(fmt.Sprint("load_", w), unsafe.Pointer(&memory[0]), unsafe.Pointer(&out[0]), unsafe.Pointer(&count))
		for i, f := range out {
			if want := half.float(halves[i]); float64(f) != want || math.Signbit(want) != math.Signbit(float64(f)) {
				require.True(t, want != want && f != f, "vload_half%d of %#x = %x, not %x", w, halves[i], f, want)
			}
		}
	}
	for _, n := range wide {
		x := n.samples(4000)
		for b := uint64(0); b < 65536; b += 13 { // halves, what lies half-way to the next, and what lies beside that
			v, next := half.float(b), half.float(b^1)
			if v != v || math.IsInf(v, 0) || next != next || math.IsInf(next, 0) {
				continue
			}
			middle := (v + next) / 2
			for _, f := range []float64{v, middle, math.Nextafter(middle, math.Inf(1)), math.Nextafter(middle, math.Inf(-1)), float64(math.Nextafter32(float32(middle), 0))} {
				x = append(x, n.encode(f))
			}
		}
		for len(x)%48 != 0 {
			x = append(x, 0)
		}
		packed, count := n.pack(x), uint64(len(x))
		for _, r := range roundings {
			for _, w := range []int{1, 3, 4, 16} {
				out := make([]byte, 2*count)
				call(fmt.Sprint("store_", n.name, r, "_", w), unsafe.Pointer(&packed[0]), unsafe.Pointer(&out[0]), unsafe.Pointer(&count))
				for i := range x {
					got := half.unpack(out, i)
					if n.isNaN(x[i]) {
						require.True(t, half.isNaN(got))
						continue
					}
					rounding := r
					if rounding == "" {
						rounding = toEven
					}
					want := half.encode(half.rounded(n.value(x[i]), rounding))
					require.Equal(t, want, got, "vstore_half%d%s of the %s %x", w, r, n.name, n.float(x[i]))
				}
			}
		}
	}
}
