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

// root is the square root of a sum of squares, in numbers without limits of range.
func root(v []float64) *big.Float {
	s := new(big.Float).SetPrec(2000)
	for _, x := range v {
		b := new(big.Float).SetPrec(2000).SetFloat64(x)
		s.Add(s, b.Mul(b, b))
	}
	return s.Sqrt(s)
}

// relative is |got-want| in units of the type's last place.
func relative(got float64, want *big.Float, last float64) float64 {
	w, _ := want.Float64()
	if math.IsInf(got, 0) && math.IsInf(w, 0) {
		return 0
	}
	_, e := math.Frexp(w)
	d, _ := new(big.Float).Sub(big.NewFloat(got), want).Float64()
	return math.Abs(d) / math.Ldexp(last, e)
}

// Limits of OpenCL C 3.0 section 7.4: length 2.75 + 0.5n ulp, distance 2.5 + 2n, normalize 2 + n.
func TestGeometricFunctionsKeepTheirLimitsOverTheWholeRange(t *testing.T) {
	for _, n := range []number{single, numbers[10]} {
		for w := 2; w <= 4; w++ {
			t.Run(fmt.Sprint(n.name, w), func(t *testing.T) {
				source := strings.NewReplacer("T", n.name, "N", fmt.Sprint(w)).Replace(`
void length_(private const T *x, private const T *y, private T *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = length(vloadN(i, x)); }
void distance_(private const T *x, private const T *y, private T *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = distance(vloadN(i, x), vloadN(i, y)); }
void dot_(private const T *x, private const T *y, private T *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) r[i] = dot(vloadN(i, x), vloadN(i, y)); }
void normalize_(private const T *x, private const T *y, private T *r, private const ulong *n) { for (ulong i = 0; i < *n; i++) vstoreN(normalize(vloadN(i, x)), i, r); }
`)
				call := load(t, source)
				largest, last := 127, 0x1p-24
				if n.bits == 64 {
					largest, last = 1023, 0x1p-53
				}
				var x, y []uint64
				var vx, vy []float64
				for i := range 4000 * w {
					scale := (i / w * 37) % (2*largest - 2)
					if i/w%5 == 0 { // elements far from each other
						scale = max(0, scale-i%w*largest*3/5)
					}
					f := func(k int) float64 {
						v := math.Ldexp(1+float64((i*7919+k*104729)%1000)/1001, scale-largest+(i*i+k)%3)
						if (i+k)%5 < 2 {
							v = -v
						}
						return n.float(n.encode(n.rounded(exact{v: big.NewFloat(v)}, toZero)))
					}
					vx, vy = append(vx, f(0)), append(vy, f(1))
					x, y = append(x, n.encode(vx[i])), append(y, n.encode(vy[i]))
				}
				px, py, out, count := n.pack(x), n.pack(y), make([]byte, len(x)*8+64), uint64(len(x)/w)
				run := func(name string) {
					call(name, unsafe.Pointer(&px[0]), unsafe.Pointer(&py[0]), unsafe.Pointer(&out[0]), unsafe.Pointer(&count))
				}
				result := func(i int) float64 { return n.float(n.unpack(out, i)) }
				check := func(name string, i int, got float64, want *big.Float, limit float64) {
					if f := n.rounded(exact{v: want}, toEven); f == got {
						return
					}
					least := math.Ldexp(1, 1-largest) // of normal numbers; below, they are as far apart as there
					if d, _ := new(big.Float).Sub(want, big.NewFloat(got)).Float64(); math.Abs(got) < least && math.Abs(d) <= limit*2*last*least {
						return
					}
					if e := relative(got, want, last); e > limit {
						require.Failf(t, "wrong", "%s of %s%d %x, %x: %x, %.2f ulp", name, n.name, w, vx[i*w:i*w+w], vy[i*w:i*w+w], got, e)
					}
				}
				run("length_")
				for i := range int(count) {
					check("length", i, result(i), root(vx[i*w:i*w+w]), 2.75+0.5*float64(w))
				}
				run("distance_")
				for i := range int(count) {
					d := make([]float64, w)
					for k := range d {
						d[k] = n.rounded(exact{v: new(big.Float).SetPrec(2000).Sub(big.NewFloat(vx[i*w+k]), big.NewFloat(vy[i*w+k]))}, toEven)
					}
					if !math.IsInf(d[0], 0) && !math.IsInf(d[w-1], 0) && !math.IsInf(d[1], 0) && !math.IsInf(d[w-2], 0) {
						check("distance", i, result(i), root(d), 2.5+2*float64(w))
					}
				}
				run("normalize_")
				for i := range int(count) {
					l := root(vx[i*w : i*w+w])
					for k := range w {
						check("normalize", i, result(i*w+k), new(big.Float).Quo(big.NewFloat(vx[i*w+k]), l), 2+float64(w))
					}
				}
				run("dot_")
				for i := range int(count) {
					s, magnitude := new(big.Float).SetPrec(2000), 0.0
					for k := range w {
						p := new(big.Float).SetPrec(2000).Mul(big.NewFloat(vx[i*w+k]), big.NewFloat(vy[i*w+k]))
						s.Add(s, p)
						magnitude += math.Abs(vx[i*w+k] * vy[i*w+k])
					}
					if magnitude < math.Ldexp(1, largest) && magnitude > math.Ldexp(1, 60-largest) {
						d, _ := new(big.Float).Sub(s, big.NewFloat(result(i))).Float64()
						require.LessOrEqual(t, math.Abs(d), float64(w)*2*last*magnitude, "dot")
					}
				}
			})
		}
	}
}
