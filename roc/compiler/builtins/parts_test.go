package builtins_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// partFunctions are exact functions of a floating-point number and an integer or a second number, with up to two results.
// They run on float64, which has all numbers of the types.
var partFunctions = []struct {
	name string
	body string // OpenCL C: from x[i], y[i], k[i] to r[i] and e[i], and for vectors of three
	wide string
	f    func(t number, x, y float64, k int32) (r float64, e int32)
}{
	{"frexp", "int a; r[i] = frexp(x[i], &a); e[i] = a", "int3 a; vstore3(frexp(vload3(i, x), &a), i, r); vstore3(a, i, e)",
		func(t number, x, _ float64, _ int32) (float64, int32) {
			m, e := math.Frexp(x)
			return m, int32(e)
		}},
	{"ldexp", "r[i] = ldexp(x[i], k[i]); e[i] = 0", "vstore3(ldexp(vload3(i, x), vload3(i, k)), i, r); vstore3((int3)0, i, e)",
		func(t number, x, _ float64, k int32) (float64, int32) {
			if x == 0 || math.IsInf(x, 0) || x != x {
				return x, 0
			}
			v := new(big.Float).SetMantExp(big.NewFloat(x), int(max(-5000, min(5000, k))))
			return t.rounded(exact{v: v}, toEven), 0
		}},
	{"ilogb", "r[i] = 0; e[i] = ilogb(x[i])", "vstore3(0, i, r); vstore3(ilogb(vload3(i, x)), i, e)",
		func(t number, x, _ float64, _ int32) (float64, int32) {
			if x != x || math.IsInf(x, 0) {
				return 0, math.MaxInt32
			} else if x == 0 {
				return 0, math.MinInt32
			}
			return 0, int32(math.Logb(x))
		}},
	{"logb", "r[i] = logb(x[i]); e[i] = 0", "vstore3(logb(vload3(i, x)), i, r); vstore3((int3)0, i, e)",
		func(t number, x, _ float64, _ int32) (float64, int32) { return math.Logb(x), 0 }},
	{"modf", "T a, b = modf(x[i], &a); r[i] = k[i] & 1 ? a : b; e[i] = 0",
		"T3 a, b = modf(vload3(i, x), &a); vstore3(vload3(i, k) << 31 ? a : b, i, r); vstore3((int3)0, i, e)",
		func(t number, x, _ float64, k int32) (float64, int32) {
			if k&1 != 0 {
				return math.Trunc(x), 0
			} else if math.IsInf(x, 0) {
				return math.Copysign(0, x), 0
			}
			return math.Copysign(x-math.Trunc(x), x), 0
		}},
	{"fract", "T a, b = fract(x[i], &a); r[i] = k[i] & 1 ? a : b; e[i] = 0",
		"T3 a, b = fract(vload3(i, x), &a); vstore3(vload3(i, k) << 31 ? a : b, i, r); vstore3((int3)0, i, e)",
		func(t number, x, _ float64, k int32) (float64, int32) {
			if k&1 != 0 {
				return math.Floor(x), 0
			} else if x == 0 || math.IsInf(x, 0) {
				return math.Copysign(0, x), 0
			} else if x != x {
				return x, 0
			}
			difference := new(big.Float).Sub(big.NewFloat(x), big.NewFloat(math.Floor(x)))
			below := t.float(t.encode(1) - 1)
			return min(t.rounded(exact{v: difference}, toEven), below), 0
		}},
	{"nextafter", "r[i] = nextafter(x[i], y[i]); e[i] = 0", "vstore3(nextafter(vload3(i, x), vload3(i, y)), i, r); vstore3((int3)0, i, e)",
		func(t number, x, y float64, _ int32) (float64, int32) {
			switch {
			case x != x || y != y:
				return math.NaN(), 0
			case x == y:
				return y, 0
			}
			b := t.encode(x)
			switch sign := uint64(1) << (t.bits - 1); {
			case x == 0:
				b = 1
				if y < 0 {
					b |= sign
				}
			case (y > x) == (x > 0):
				b++
			default:
				b--
			}
			return t.float(b), 0
		}},
	{"remquo", "int a; r[i] = remquo(x[i], y[i], &a); e[i] = a", "int3 a; vstore3(remquo(vload3(i, x), vload3(i, y), &a), i, r); vstore3(a, i, e)",
		func(t number, x, y float64, _ int32) (float64, int32) {
			r := math.Remainder(x, y)
			if r != r {
				return r, 0
			} else if math.IsInf(y, 0) {
				return x, 0
			}
			q := roundToInteger(quotient(x, y), toEven)
			low := int32(new(big.Int).And(new(big.Int).Abs(q), big.NewInt(127)).Int64())
			if math.Signbit(x) != math.Signbit(y) {
				low = -low
			}
			return r, low
		}},
}

// quotient is x/y to more bits than any quotient of two doubles has before its point.
func quotient(x, y float64) *big.Float {
	wide := func(v float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(v) }
	return new(big.Float).SetPrec(4400).Quo(wide(x), wide(y))
}

func TestFunctionsOnPartsOfNumbersAreExact(t *testing.T) {
	for _, n := range numbers {
		if !n.floating {
			continue
		}
		t.Run(n.name, func(t *testing.T) {
			var s strings.Builder
			fmt.Fprintf(&s, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef %[1]s T;\ntypedef %[1]s3 T3;\n", n.name)
			for _, f := range partFunctions {
				wide := f.wide
				if n.bits != 32 {
					wide = strings.ReplaceAll(wide, "vload3(i, k) << 31 ?", map[uint]string{16: "convert_short3(vload3(i, k) << 15) ?", 64: "convert_long3(vload3(i, k)) << 63 ?"}[n.bits])
				}
				if f.name == "ilogb" {
					wide = strings.Replace(wide, "vstore3(0, i, r)", "vstore3((T3)0, i, r)", 1)
				}
				const parameters = "(private const T *x, private const T *y, private const int *k, private T *r, private int *e, private const ulong *n)"
				fmt.Fprintf(&s, "void %s_1%s { for (ulong i = 0; i < *n; i++) { %s; } }\n", f.name, parameters, f.body)
				fmt.Fprintf(&s, "void %s_3%s { for (ulong i = 0; i < *n / 3; i++) { %s; } }\n", f.name, parameters, wide)
			}
			call := load(t, s.String())
			samples := n.samples(300)
			var x, y []uint64
			var k []int32
			for i := range samples {
				for d := range 24 {
					other := samples[(i+d*d*11)%len(samples)]
					x, y = append(x, samples[i]), append(y, other)
					k = append(k, []int32{0, 1, -1, 10, -10, 24, -24, 100, -100, 127, -126, 149, -149, 200, -200, 300, -300, 1000, -1000, 2000, -2000, 3000, -3000, math.MaxInt32, math.MinInt32}[(i+d)%25])
				}
			}
			px, py, count := n.pack(x), n.pack(y), uint64(len(x))
			for _, f := range partFunctions {
				for _, w := range []int{1, 3} {
					r, e := make([]byte, len(px)), make([]int32, len(x)+16)
					call(fmt.Sprint(f.name, "_", w), unsafe.Pointer(&px[0]), unsafe.Pointer(&py[0]), unsafe.Pointer(&k[0]), unsafe.Pointer(&r[0]), unsafe.Pointer(&e[0]), unsafe.Pointer(&count))
					for i := range x {
						a, b := n.float(x[i]), n.float(y[i])
						want, exponent := f.f(n, a, b, k[i])
						got := n.float(n.unpack(r, i))
						if got != want && (got == got || want == want) || want == want && math.Signbit(got) != math.Signbit(want) || e[i] != exponent && want == want && !(f.name == "frexp" && math.IsInf(a, 0)) {
							require.Failf(t, "wrong", "%s(%x, %x, %d) of %s%d = %x, %d, not %x, %d", f.name, a, b, k[i], n.name, w, got, e[i], want, exponent)
						}
					}
				}
			}
		})
	}
}
