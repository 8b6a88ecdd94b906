package wfv_test

import (
	"maps"
	"slices"
	"testing"

	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/wfv"

	"github.com/stretchr/testify/require"
)

// benchmarkKernels do little but what they are named after, eight times.
var benchmarkKernels = map[string]string{
	"reduction": `for (int k = 0; k < 8; k++) x = x * 0.5f + sub_group_reduce_add(x);`,
	"scan":      `for (int k = 0; k < 8; k++) x = 0.5f * sub_group_scan_inclusive_add(x) + 1;`,
	"shuffle":   `uint from = as_uint(x) & 15; for (int k = 0; k < 8; k++) x += sub_group_shuffle(x, from + k & 15);`,
	"ballot":    `for (int k = 0; k < 8; k++) if (x > k) x -= popcount(sub_group_ballot(x < 9).x);`,
}

// benchmarkGroups are work-groups whose sub-groups go along rows, and across.
var benchmarkGroups = map[string][3]int{"256": {256}, "8x8": {8, 8}, "5x7": {5, 7}}

// BenchmarkSubGroups compares the forms of kernels with functions of sub-groups. A call of one for a work-item is an operation.
func BenchmarkSubGroups(b *testing.B) {
	const rows, calls = 35, 8
	tm, err := kerneltest.Target()
	require.NoError(b, err)
	for _, name := range slices.Sorted(maps.Keys(benchmarkKernels)) {
		source := `#define popcount __builtin_popcount
kernel void k(global float *a) { size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0); float x = a[i]; ` + benchmarkKernels[name] + ` a[i] = x; }`
		for form, o := range map[string]wfv.Options{"scalar": {Scalar: true}, "lanes": {}} {
			p, err := wfv.Compile(b.TempDir(), source, tm, o, link(b), offered...)
			require.NoError(b, err)
			require.Equal(b, o.Scalar, p.Reports["k"].Width == 1)
			for group, local := range benchmarkGroups {
				b.Run(name+"/"+group+"/"+form, func(b *testing.B) {
					n := kerneltest.Launch{Global: [3]int{16 * local[0], rows * max(1, local[1])}, Local: local}
					a := make([]float32, n.Global[0]*n.Global[1])
					for i := range a {
						a[i] = float32(i % 13)
					}
					b.ResetTimer()
					for done := 0; done < b.N; done += len(a) * calls {
						require.NoError(b, p.Run(p.Kernels["k"], n, a))
					}
				})
			}
		}
	}
}
