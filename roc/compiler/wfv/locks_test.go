package wfv

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

func TestALockBetweenWorkItemsEnds(t *testing.T) {
	p := build(t, `uint atomic_cmpxchg_(global uint *p, uint old, uint new) { __opencl_atomic_compare_exchange_strong((volatile global atomic_uint *)p, &old, new, memory_order_seq_cst, memory_order_seq_cst, memory_scope_device); return old; }
		kernel void k(global uint *lock, global uint *sum) {
		while (atomic_cmpxchg_(lock, 0, 1) != 0) {}
		*sum = *sum + 1; *lock = 0; }`, Options{Width: 8})
	require.Equal(t, 1, p.reports["k"].Width)
	lock, sum := make([]uint32, 1), make([]uint32, 1)
	require.NoError(t, p.lib.Run(p.kernels["k"], kerneltest.Launch{Global: [3]int{100}, Local: [3]int{10}}, lock, sum))
	require.Equal(t, uint32(100), sum[0])
}

// TestOneWorkItemIsScalar: where a work-group has one, lanes would be idle.
func TestOneWorkItemIsScalar(t *testing.T) {
	p := build(t, `kernel __attribute__((reqd_work_group_size(1, 1, 1))) void one(global float *a) { a[get_global_id(0)] *= 2; }
		kernel __attribute__((reqd_work_group_size(16, 1, 1))) void more(global float *a) { a[get_global_id(0)] *= 2; }`, Options{})
	require.Equal(t, 1, p.reports["one"].Width)
	require.Greater(t, p.reports["more"].Width, 1)
	a := []float32{1, 2, 3}
	require.NoError(t, p.lib.Run(p.kernels["one"], kerneltest.Launch{Global: [3]int{3}, Local: [3]int{1}}, a))
	require.Equal(t, []float32{2, 4, 6}, a)
}
