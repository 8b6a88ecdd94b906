package wfv_test

import (
	"math/rand"
	"testing"

	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/wfv"

	"github.com/stretchr/testify/require"
)

// column asks all there is to ask but where in its row a work-item is.
const column = `kernel void k(global const uint *a, global uint *out) {
	local uint t[64][8];
	uint y = get_local_id(1), z = get_local_id(2), h = get_local_size(1);
	uint i = get_global_linear_id(), v = a[i];
	if ((get_global_id(0) - get_global_offset(0)) % get_enqueued_local_size(0) == 0) t[y][z] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint sum = v;
	for (uint n = 0; n <= 2; n++) sum += 3 * n * t[y + n < h ? y + n : h - 1][z] + t[y < n ? 0 : y - n][z];
	if (v & 1) sum += t[h - 1 - y][z] * get_global_id(1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (y + 1 == h && z == 0) t[0][0] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint place = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2) + 7 * get_group_id(0) + 700 * get_group_id(1)
		+ 5 * get_num_groups(0) + 50 * get_num_groups(1) + 3 * get_global_size(0) + 300 * get_global_size(1)
		+ 11 * get_enqueued_local_size(0) + 1100 * get_enqueued_local_size(1) + 13 * get_global_offset(0) + 1300 * get_global_offset(1)
		+ 17 * get_local_size(0) + 1700 * h;
	out[i] = sum * 31 + t[0][0] + place;
}`

// TestColumnsAreVectors: in work-groups of one column lanes go along it, and other groups run as ever.
func TestColumnsAreVectors(t *testing.T) {
	const most = 1 << 11
	a := make([]uint32, most)
	r := rand.New(rand.NewSource(1))
	for i := range a {
		a[i] = r.Uint32()
	}
	reference := compile(t, column, wfv.Options{Scalar: true})
	p := compile(t, column, wfv.Options{})
	require.Greater(t, p.Reports["k"].Width, 1, p.Reports["k"].Reason)
	require.Greater(t, p.Reports["k"].Column, 1)
	require.Zero(t, p.Reports["k"].Narrow)
	for _, n := range []kerneltest.Launch{
		{Global: [3]int{5, 64}, Local: [3]int{1, 64}},
		{Global: [3]int{5, 100}, Local: [3]int{1, 33}}, // the last groups are shorter
		{Global: [3]int{3, 40, 6}, Local: [3]int{1, 20, 4}, Offset: [3]int{2, 30, 4}},
		{Global: [3]int{7, 5, 3}, Local: [3]int{1, 5, 1}, Offset: [3]int{9, 1, 0}},
		{Global: [3]int{7, 3}, Local: [3]int{1, 1}},
		{Global: [3]int{7, 65}, Local: [3]int{2, 32}}, // the last groups of a row are columns, and of one work-item in the end
		{Global: [3]int{33, 18, 2}, Local: [3]int{16, 9, 1}},
	} {
		want, got := make([]uint32, most), make([]uint32, most)
		require.NoError(t, reference.Run(reference.Kernels["k"], n, a, want))
		require.NoError(t, p.Run(p.Kernels["k"], n, a, got))
		require.Equal(t, want, got, "%+v", n)
	}
}

// TestOnlyWhatAsksForItsPlaceInAColumnHasFormsForColumns, and shares the column by a barrier.
func TestOnlyWhatAsksForItsPlaceInAColumnHasFormsForColumns(t *testing.T) {
	const share = "local float t[256]; t[y] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[y ^ 1]; "
	for name, body := range map[string]string{
		"in a row as well": "size_t y = get_local_id(1) * get_local_size(0) + get_local_id(0), i = get_global_linear_id();" + share,
		"no barrier":       "size_t y = get_local_id(1), i = get_group_id(1) * 8 + get_global_id(0); b[i] = a[y];",
		"in a row only":    "size_t y = get_local_id(0), i = get_global_id(0);" + share,
	} {
		p := compile(t, "kernel void k(global const float *a, global float *b) {"+body+"}", wfv.Options{})
		require.Greater(t, p.Reports["k"].Width, 1, name)
		require.Zero(t, p.Reports["k"].Column, name)
	}
}
