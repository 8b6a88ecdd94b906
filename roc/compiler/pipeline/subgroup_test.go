package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/settings"
)

func subGroupKernel(t *testing.T, source string) codeobject.KernelInfo {
	t.Helper()
	res := compiler.Build(context.Background(), &protocol.Request{Source: []byte(source), Options: "-cl-std=CL3.0",
		Target: protocol.Host([]string{"cl_khr_fp64", "__opencl_c_fp64", "cl_khr_subgroups", "__opencl_c_subgroups", "cl_khr_subgroup_ballot",
			"__opencl_c_work_group_collective_functions"})})
	require.NotNil(t, res.Program, res.Log)
	return res.Program.Kernels[0]
}

func TestLanesAreSubGroups(t *testing.T) {
	if settings.Lanes.Value() > 0 {
		t.Skip("the number of lanes is forced")
	}
	for _, c := range []struct {
		source string
		waits  bool // a work-item of the scalar form, for others; in lanes they are together anyway
		width  uint32
	}{
		{`kernel void k(global uint *p) { p[get_global_id(0)] = get_sub_group_id(); }`, false, 16},
		{`kernel void k(global uint *p) { p[get_global_id(0)] = get_num_sub_groups(); }`, false, 16},
		{`kernel void k(global uint *p) { p[get_global_id(0)] = 1; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); p[0] = 2; }`, false, 16},
		{`kernel void k(global uint *p) { size_t i = get_global_id(0); p[i] = sub_group_reduce_add(p[i]); }`, false, 16},
		{`kernel void k(global uint *p) { size_t i = get_global_id(0); if (p[i]) p[i] = sub_group_ballot(i & 1).x; }`, false, 16},
		{`kernel void k(global uint *p) { while (!__opencl_atomic_load((global atomic_uint *)p, memory_order_relaxed, memory_scope_device)) {}
			p[0] = sub_group_any(get_global_id(0) == 2); }`, true, 1},
	} {
		k := subGroupKernel(t, c.source)
		require.Equal(t, c.width, k.Width, c.source)
		require.Equal(t, c.waits, k.HasBarrier, c.source)
	}
}
