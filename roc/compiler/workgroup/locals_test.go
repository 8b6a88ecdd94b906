package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

const localSource = `
kernel void places(global ulong *o, local uint *arg) {
	local char c[3]; local double8 d; local uint a[16], b[16]; local uint *local p;
	size_t i = get_local_id(0);
	c[i % 3] = 1; a[i] = i; b[i] = 100 + i; arg[i] = 200 + i;
	if (i == 0) { d = (double8)(1.5); p = &b[3]; }
	barrier(CLK_LOCAL_MEM_FENCE);
	local uint *q = (o[0] & 1) ? &a[2] : &b[4];
	private uint *none = 0;
	uint *g = (o[1] & 1) ? (uint *)&a[5] : none;
	local uint *many[2] = { a + 1, b + 1 };
	ulong r = *q * 1000000 + *p * 1000 + (g ? *g : 0) + many[o[1] & 1][0] + arg[15 - i] + (ulong)d.s7;
	barrier(CLK_LOCAL_MEM_FENCE);
	o[i] = r;
	if (i == 0) o[16] = ((size_t)&d & 63) + ((size_t)a & 3) + ((size_t)&p & 7);
}
kernel void other(global ulong *o) { local uint x; x = get_global_id(0); o[get_global_id(0)] = x; }`

func TestLocalVariablesHavePlaces(t *testing.T) {
	p := build(t, localSource, Options{})
	require.GreaterOrEqual(t, p.kernels["places"].GroupSegmentSize, uint32(3+64+64+64+8))
	require.Less(t, p.kernels["places"].GroupSegmentSize, uint32(3+64+64+64+8+128))
	require.Equal(t, uint32(4), p.kernels["other"].GroupSegmentSize)
	out := make([]uint64, 17)
	out[0], out[1], out[16] = 1, 1, 77
	p.run("places", kerneltest.Launch{Global: [3]int{16}, Local: [3]int{16}}, out, kerneltest.Local(64))
	for i := range uint64(16) {
		require.Equal(t, 2*1000000+103*1000+5+101+215-i+1, out[i])
	}
	require.Zero(t, out[16])
	p.run("other", kerneltest.Launch{Global: [3]int{17}, Local: [3]int{4}}, out)
	for i := range out {
		require.Equal(t, uint64(i), out[i])
	}
}
