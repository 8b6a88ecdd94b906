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
