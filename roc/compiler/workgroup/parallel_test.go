package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

const parallelSource = `
kernel void add(global float *o, global float *x, global float *y) { int i = get_global_id(0); o[i] = x[i] + y[i]; }
kernel void staged(global float *o, global float *x, local float *l) {
	int i = get_local_id(0);
	l[i] = x[get_global_id(0)] + 1.0f;
	barrier(CLK_LOCAL_MEM_FENCE);
	o[get_global_id(0)] = l[i] * 3.0f;
}
kernel void private_array(global int *o, global int *x) {
	int i = get_global_id(0), p[4];
	for (int k = 0; k < 4; k++) p[k] = x[i] * k;
	p[x[i] & 3] += i;
	o[i] = p[0] + 10 * p[1] + 100 * p[2] + 1000 * p[3] + p[(x[i] + 1) & 3];
}
kernel void far(global ulong *o) { int i = get_global_id(0); o[get_global_id(0) - get_global_offset(0)] = i; }
kernel void far_staged(global ulong *o) {
	local int l[16];
	int i = get_global_id(0);
	l[get_local_id(0)] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	o[get_global_id(0) - get_global_offset(0)] = l[get_local_size(0) - 1 - get_local_id(0)];
}`

func TestWorkItemsOfALoopAreIndependent(t *testing.T) {
	p := build(t, parallelSource, Options{})
	require.Regexp(t, `fadd <\d+ x float>`, p.ir)
	require.Regexp(t, `fmul <\d+ x float>`, p.ir, "the region behind a barrier")
	const n = 75
	x, y, o := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), float32(i*i)
	}
	p.run("add", kerneltest.Launch{Global: [3]int{n}, Local: [3]int{32}}, o, x, y)
	for i := range o {
		require.Equal(t, x[i]+y[i], o[i])
	}
	p.run("staged", kerneltest.Launch{Global: [3]int{n}, Local: [3]int{32}}, o, x, kerneltest.Local(4*32))
	for i := range o {
		require.Equal(t, (x[i]+1)*3, o[i])
	}
	in, out := make([]int32, n), make([]int32, n)
	for i := range in {
		in[i] = int32(i * 7 % 13)
	}
	p.run("private_array", kerneltest.Launch{Global: [3]int{n}, Local: [3]int{32}}, out, in)
	for i, v := range in {
		a := [4]int32{0, v, 2 * v, 3 * v}
		a[v&3] += int32(i)
		require.Equal(t, a[0]+10*a[1]+100*a[2]+1000*a[3]+a[(v+1)&3], out[i])
	}
}

func TestGlobalIDsMayPass32Bits(t *testing.T) {
	p := build(t, parallelSource, Options{})
	for _, offset := range []int{0, 1<<31 - 6, 1<<33 - 3, -4} { // -4: the largest size_t values
		for _, kernel := range []string{"far", "far_staged"} {
			out := make([]uint64, 12)
			p.run(kernel, kerneltest.Launch{Global: [3]int{12}, Local: [3]int{4}, Offset: [3]int{offset}}, out)
			for i := range out {
				at := i
				if kernel == "far_staged" {
					at = i/4*4 + 3 - i%4
				}
				require.Equal(t, uint64(int32(offset+at)), out[i], "%s, offset %d", kernel, offset)
			}
		}
	}
}
