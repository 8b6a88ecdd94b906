package wfv

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

func TestAChainOfOperationsGetsMoreLanesThanManyChains(t *testing.T) {
	const source = `
		kernel void chain(global float *p, float a) {
			float x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) x = x * a + x;
			p[get_global_id(0)] = x; }
		kernel void many(global float *p, float a) {
			float8 x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) x = x * a + x;
			p[get_global_id(0)] = x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7; }
		kernel void barriers(global float *p, float a, local float *l) {
			float x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) x = x * a + x;
			l[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE);
			p[get_global_id(0)] = l[get_local_size(0) - 1]; }`
	r := build(t, source, Options{}).reports
	require.Greater(t, r["chain"].Width, r["many"].Width)
	require.Greater(t, r["chain"].Width, r["barriers"].Width)
}

func TestAVectorOfManyRegistersLeavesOtherWorkItemsAlone(t *testing.T) {
	const source = `
		kernel void chain(global uint *p) {
			uint x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) x = x * 3 + 1;
			if (x & 1) p[get_global_id(0)] = x; }`
	p := build(t, source, Options{Width: mostLanes})
	for _, local := range []int{1, 32, 37, 64, 128, 256} {
		const n = 300
		got, want := make([]uint32, n), make([]uint32, n)
		for i := range got {
			x := uint32(i)
			for range 100 {
				x = x*3 + 1
			}
			got[i], want[i] = uint32(i), uint32(i)
			if x&1 != 0 {
				want[i] = x
			}
		}
		require.NoError(t, p.lib.Run(p.kernels["chain"], kerneltest.Launch{Global: [3]int{n}, Local: [3]int{local}}, got))
		require.Equal(t, want, got, "local size %d", local)
	}
}
