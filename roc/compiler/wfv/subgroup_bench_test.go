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
	"reduction": `kernel void k(global float *a) { float x = a[get_global_id(0)]; for (int k = 0; k < 8; k++) x = x * 0.5f + sub_group_reduce_add(x); a[get_global_id(0)] = x; }`,
	"scan":      `kernel void k(global float *a) { float x = a[get_global_id(0)]; for (int k = 0; k < 8; k++) x = 0.5f * sub_group_scan_inclusive_add(x) + 1; a[get_global_id(0)] = x; }`,
	"shuffle": `kernel void k(global float *a) { float x = a[get_global_id(0)]; uint from = as_uint(x) & 15;
		for (int k = 0; k < 8; k++) x += sub_group_shuffle(x, from + k & 15); a[get_global_id(0)] = x; }`,
	"ballot": `kernel void k(global float *a) { float x = a[get_global_id(0)]; for (int k = 0; k < 8; k++) if (x > k) x -= popcount(sub_group_ballot(x < 9).x); a[get_global_id(0)] = x; }`,
}

// BenchmarkSubGroups compares the forms of kernels with functions of sub-groups. A call of one for a work-item is an operation.
func BenchmarkSubGroups(b *testing.B) {
	const items, calls = 1 << 12, 8
	tm, err := kerneltest.Target()
	require.NoError(b, err)
	a := make([]float32, items)
	for i := range a {
		a[i] = float32(i % 13)
	}
	for _, name := range slices.Sorted(maps.Keys(benchmarkKernels)) {
		for form, o := range map[string]wfv.Options{"scalar": {Scalar: true}, "lanes": {}} {
			b.Run(name+"/"+form, func(b *testing.B) {
				p, err := wfv.Compile(b.TempDir(), "#define popcount __builtin_popcount\n"+benchmarkKernels[name], tm, o, link(b), offered...)
				require.NoError(b, err)
				require.Equal(b, o.Scalar, p.Reports["k"].Width == 1)
				n := kerneltest.Launch{Global: [3]int{items}, Local: [3]int{256}}
				b.ResetTimer()
				for done := 0; done < b.N; done += items * calls {
					require.NoError(b, p.Run(p.Kernels["k"], n, a))
				}
			})
		}
	}
}
