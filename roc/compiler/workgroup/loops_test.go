package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

const querySource = `
kernel void ids(global ulong *out, uint any) {
	size_t at = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) * get_global_size(0)
		+ get_global_id(0) - get_global_offset(0);
	global ulong *o = out + at * 34;
	for (uint d = 0; d < 4; d++) {
		uint e = d | any;
		*o++ = get_global_id(e); *o++ = get_local_id(e); *o++ = get_group_id(e); *o++ = get_global_size(e);
		*o++ = get_local_size(e); *o++ = get_enqueued_local_size(e); *o++ = get_num_groups(e); *o++ = get_global_offset(e);
	}
	*o++ = get_global_linear_id();
	*o++ = get_local_linear_id() + get_work_dim() * 1000;
}
kernel void past(global ulong *out) {
	out[0] = get_global_id(3); out[1] = get_local_size(7); out[2] = get_num_groups(3); out[3] = get_global_offset(4000000000u);
}`

func TestEveryWorkItemLearnsItsPlace(t *testing.T) {
	p := build(t, querySource, Options{})
	for _, n := range []kerneltest.Launch{
		{Global: [3]int{1}},
		{Global: [3]int{12}, Local: [3]int{4}, Offset: [3]int{100}},
		{Global: [3]int{13}, Local: [3]int{5}, Calls: 3},
		{Global: [3]int{7, 5}, Local: [3]int{3, 2}, Offset: [3]int{1, 2}, Calls: 2},
		{Global: [3]int{5, 4, 7}, Local: [3]int{2, 3, 4}, Offset: [3]int{9, 8, 7}, Calls: 5},
	} {
		size, local := [3]int{}, [3]int{}
		dims := 0
		for d := range 3 {
			size[d], local[d] = max(1, n.Global[d]), max(1, n.Local[d])
			if n.Global[d] > 0 {
				dims = d + 1
			}
		}
		out := make([]uint64, size[0]*size[1]*size[2]*34)
		p.run("ids", n, out, uint32(0))
		var want []uint64
		linear := uint64(0)
		for z := range size[2] {
			for y := range size[1] {
				for x := range size[0] {
					inGroup, plane := 0, 1
					for d, at := range [3]int{x, y, z} {
						of := min(local[d], size[d]-at/local[d]*local[d])
						for _, v := range []int{at + n.Offset[d], at % local[d], at / local[d], size[d], of, local[d], (size[d] + local[d] - 1) / local[d], n.Offset[d]} {
							want = append(want, uint64(v))
						}
						inGroup += at % local[d] * plane
						plane *= of
					}
					want = append(want, 0, 0, 0, 1, 1, 1, 1, 0, linear, uint64(inGroup+dims*1000))
					linear++
				}
			}
		}
		require.Equal(t, want, out, "%+v", n)
	}
	out := make([]uint64, 4)
	p.run("past", kerneltest.Launch{}, out)
	require.Equal(t, []uint64{0, 1, 1, 0}, out)
}
