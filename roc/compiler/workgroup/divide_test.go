package workgroup

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// A trap would end the test process.
func TestDivisionNeverTraps(t *testing.T) {
	var source strings.Builder
	types := []string{"char", "short", "int", "long", "uchar", "ushort", "uint", "ulong"}
	for _, typ := range types {
		fmt.Fprintf(&source, `
kernel void %[1]s_1(global long *o, global const long *x, global const long *y) {
	size_t i = get_global_id(0); %[1]s a = x[i], b = y[i];
	o[2 * i] = (%[1]s)(a / b); o[2 * i + 1] = (%[1]s)(a %% b);
}
kernel void %[1]s_4(global long *o, global const long *x, global const long *y) {
	size_t i = get_global_id(0); %[1]s4 a = (%[1]s)x[i], b = (%[1]s4)((%[1]s)y[i], 3, 0, (%[1]s)y[i]);
	%[1]s4 q = a / b, r = a %% b;
	o[2 * i] = q.s3; o[2 * i + 1] = r.s0;
	if (q.s1 != a.s1 / 3 || q.s2 != a.s2) o[2 * i] = 99;
	%[1]s4 c = (%[1]s4)(0, 5, -1, 7), d = a / c, e = a %% c; // what the constant is, LLVM learns after variables are values
	if (d.s0 != a.s0 || d.s1 != a.s1 / 5 || d.s2 != (%[1]s)(a.s2 / (%[1]s)-1) || d.s3 != a.s3 / 7) o[2 * i] = 98;
	if (e.s0 != 0 || e.s1 != a.s1 %% 5 || e.s2 != (%[1]s)(a.s2 %% (%[1]s)-1) || e.s3 != a.s3 %% 7) o[2 * i] = 97;
	d = a / (%[1]s4)(0, 5, -1, 7);
	if (d.s0 != a.s0 || d.s1 != a.s1 / 5 || d.s2 != (%[1]s)(a.s2 / (%[1]s)-1) || d.s3 != a.s3 / 7) o[2 * i] = 96;
}`, typ)
	}
	source.WriteString("kernel void constants(global int *o) { int zero = 0, least = -2147483647 - 1; o[0] = 1 / zero; o[1] = 7 % (o[1] & 0); o[2] = least / -1; o[3] = o[3] / -1; o[4] = 5 / (o[4] * 0); if (1 / 0 > 3) o[5] = 1; else o[5] = 2; o[6] = 3 + 4 % 0; }\n")
	p := build(t, source.String(), Options{})
	values := []int64{0, 1, -1, 2, -2, 7, 127, -128, 255, 32767, -32768, math.MaxInt32, math.MinInt32, math.MaxUint32, math.MaxInt64, math.MinInt64}
	var x, y []int64
	for _, a := range values {
		for _, b := range values {
			x, y = append(x, a), append(y, b)
		}
	}
	for k, typ := range types {
		bits, signed := 8<<(k%4), k < 4
		wrap := func(v int64) int64 {
			if signed {
				return v << (64 - bits) >> (64 - bits)
			}
			return int64(uint64(v) << (64 - bits) >> (64 - bits))
		}
		var want []int64
		for i := range x {
			a, b := wrap(x[i]), wrap(y[i])
			var q, r int64
			switch {
			case b == 0:
				q = a
			case signed:
				q, r = wrap(a/b), a%b
			default:
				q, r = int64(uint64(a)/uint64(b)), int64(uint64(a)%uint64(b))
			}
			want = append(want, q, r)
		}
		for _, lanes := range []string{"_1", "_4"} {
			out := make([]int64, len(want))
			p.run(typ+lanes, kerneltest.Launch{Global: [3]int{len(x)}, Local: [3]int{16}}, out, x, y)
			require.Equal(t, want, out, typ+lanes)
		}
	}
	out := []int32{0, 0, 0, math.MinInt32, 0, 0, 0}
	p.run("constants", kerneltest.Launch{}, out)
	require.Equal(t, int32(math.MinInt32), out[3])
	require.Equal(t, int32(5), out[4])
	require.NotZero(t, out[5], "the work-item went on")
}
