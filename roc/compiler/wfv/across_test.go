package wfv_test

import (
	"fmt"
	"math/rand"
	"testing"

	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/wfv"

	"github.com/stretchr/testify/require"
)

// acrossRows has ids of all dimensions, and values that live across a barrier.
const acrossRows = `%s kernel void k(global const uint *a, global uint *out) {
	local uint t[256];
	uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), w = get_local_size(0), h = get_local_size(1), d = get_local_size(2);
	uint i = get_global_linear_id(), at = (z * h + y) * w + x, v = a[i];
	t[((x * h) + y) * d + z] = v + get_sub_group_local_id();
	barrier(CLK_LOCAL_MEM_FENCE);
	uint id = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2) + get_sub_group_id() * 31 + get_sub_group_size();
	if (v & 1) id += sub_group_scan_inclusive_add(t[at]) + sub_group_ballot(v & 2).x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < y; k++) t[at] += sub_group_broadcast_first(v) + k;
	out[i] = id + t[at] * 7 + y;
}`

func TestSubGroupsGoAcrossRows(t *testing.T) {
	const most = 1 << 10
	a := make([]uint32, most)
	for i := range a {
		a[i] = rand.New(rand.NewSource(int64(i))).Uint32()
	}
	reference := compile(t, fmt.Sprintf(acrossRows, ""), wfv.Options{Scalar: true})
	check := func(p *wfv.Program, n kerneltest.Launch) {
		require.Greater(t, p.Reports["k"].Width, 1)
		require.NotContains(t, p.Reports["k"].Reason, "scalar")
		want, got := make([]uint32, most), make([]uint32, most)
		require.NoError(t, reference.Run(reference.Kernels["k"], n, a, want))
		require.NoError(t, p.Run(p.Kernels["k"], n, a, got))
		require.Equal(t, want, got, "%+v, %+v", n, p.Reports["k"].Width)
	}
	launches := append([]kerneltest.Launch{
		{Global: [3]int{12, 6, 10}, Local: [3]int{6, 3, 5}, Offset: [3]int{2, 3, 4}},
		{Global: [3]int{82, 6}, Local: [3]int{41, 6}}, // 41 times 1/41 is less than 1 in floats
	}, launches...)
	for i, w := range []int{0, 32, 64} {
		p := compile(t, fmt.Sprintf(acrossRows, ""), wfv.Options{Width: w, OneForm: i == 1})
		for k, n := range launches {
			check(p, n)
			if k%3 != i {
				continue
			}
			size := fmt.Sprintf("__attribute__((reqd_work_group_size(%d, %d, %d)))", n.Local[0], max(1, n.Local[1]), max(1, n.Local[2]))
			check(compile(t, fmt.Sprintf(acrossRows, size), wfv.Options{Width: w}), n)
		}
	}
}
