package builtins_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Loops over arrays of floats: of a function's name, a vector's width as text and as a number.
const (
	unaryLoop = `void %[1]s_%[2]s(private const float *x, private float *r, private const ulong *n)
{ for (ulong i = 0; i < *n / %[3]d; i++) vstore%[2]s(%[1]s(vload%[2]s(i, x)), i, r); }
`
	binaryLoop = `void %[1]s_%[2]s(private const float *x, private const float *y, private float *r, private const ulong *n)
{ for (ulong i = 0; i < *n / %[3]d; i++) vstore%[2]s(%[1]s(vload%[2]s(i, x), vload%[2]s(i, y)), i, r); }
`
	scalarLoads = `float vload1(ulong i, private const float *p) { return p[i]; }
void vstore1(float v, ulong i, private float *p) { p[i] = v; }
`
)

var widths = []int{1, 2, 3, 4, 8, 16}

// floatLoops compiles a loop for each function and width. What it returns gives the scalar function's results on inputs, and sees
// that those of vectors are the same.
func floatLoops[F any](t *testing.T, loop string, functions []F, name func(F) string, inputs ...[]float32) func(*testing.T, string) []float32 {
	var s strings.Builder
	s.WriteString(scalarLoads)
	for _, f := range functions {
		for _, w := range widths {
			fmt.Fprintf(&s, loop, name(f), fmt.Sprint(w), w)
		}
	}
	call := load(t, s.String())
	n := uint64(len(inputs[0]))
	return func(t *testing.T, name string) []float32 {
		run := func(width int) []float32 {
			r := make([]float32, n)
			var args []unsafe.Pointer
			for _, x := range inputs {
				args = append(args, unsafe.Pointer(&x[0]))
			}
			call(fmt.Sprint(name, "_", width), append(args, unsafe.Pointer(&r[0]), unsafe.Pointer(&n))...)
			return r
		}
		got := run(1)
		for _, w := range widths[1:] {
			requireSame(t, got, run(w), name, w)
		}
		return got
	}
}

// requireSame compares the results of scalars with those of vectors.
func requireSame(t *testing.T, scalar, vector []float32, name string, width int) {
	for i := range scalar {
		a, b := scalar[i], vector[i]
		if math.Float32bits(a) != math.Float32bits(b) && (a == a || b == b) {
			require.Failf(t, "differs", "%s of float%d, result %d: %x, not %x", name, width, i, b, a)
		}
	}
}
