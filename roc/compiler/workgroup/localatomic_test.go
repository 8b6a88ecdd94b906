package workgroup

import (
	"strings"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

func TestLocalAtomicsNeedNoLock(t *testing.T) {
	var source strings.Builder
	source.WriteString(`
#define A(k) ((volatile local atomic_int *)&l[k])
#define O memory_order_seq_cst, memory_scope_work_group
kernel void k(global int *o) {
	local int l[16];
	int i = get_local_id(0), was[16] = {};
	if (i == 0) for (int j = 0; j < 16; j++) l[j] = 100;
	barrier(CLK_LOCAL_MEM_FENCE);
`)
	for k, op := range []string{"add", "sub", "and", "or", "xor", "max", "min"} {
		source.WriteString(strings.NewReplacer("OP", op, "K", string(rune('0'+k))).Replace("	was[K] = __opencl_atomic_fetch_OP(A(K), i + 1, O);\n"))
	}
	source.WriteString(`
	was[7] = __opencl_atomic_exchange(A(7), i, O);
	int expected = 100 + i;
	was[8] = __opencl_atomic_compare_exchange_strong(A(8), &expected, 101 + i, memory_order_seq_cst, memory_order_relaxed, memory_scope_work_group);
	__opencl_atomic_store(A(9), i * 5, O);
	was[9] = __opencl_atomic_load(A(9), O);
	expected = 5;
	was[10] = __opencl_atomic_compare_exchange_strong(A(10), &expected, 1, memory_order_seq_cst, memory_order_relaxed, memory_scope_work_group) * 1000 + expected;
	volatile local atomic_float *f = (volatile local atomic_float *)&l[11];
	if (i == 0) __opencl_atomic_store(f, 1.0f, O);
	__opencl_atomic_fetch_add(f, 0.5f, O);
	was[11] = __opencl_atomic_load(f, O) * 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int j = 0; j < 16; j++) { o[i * 32 + j] = was[j]; o[i * 32 + 16 + j] = l[j]; }
}`)
	p := build(t, source.String(), Options{})
	require.NotContains(t, p.ir, "atomicrmw")
	require.NotContains(t, p.ir, "cmpxchg")
	out := make([]int32, 3*32)
	p.run("k", kerneltest.Launch{Global: [3]int{3}, Local: [3]int{3}}, out)
	after := []int32{106, 94, 0, 103, 100 ^ 1 ^ 2 ^ 3, 100, 1, 2, 103, 10, 100}
	before := [3][]int32{
		{100, 100, 100, 100, 100, 100, 100, 100, 1, 0, 100, 3},
		{101, 99, 0, 101, 101, 100, 1, 0, 1, 5, 100, 4},
		{103, 97, 0, 103, 103, 100, 1, 1, 1, 10, 100, 5},
	}
	for i, want := range before {
		require.Equal(t, want, out[i*32:i*32+12], "work-item %d", i)
		require.Equal(t, after, out[i*32+16:i*32+16+11])
	}
}

func TestLocalHistogramIsNotVectorised(t *testing.T) {
	p := build(t, `
kernel void k(global uint *o, global const uint *in) {
	local uint h[8];
	uint i = get_local_id(0);
	if (i < 8) h[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	__opencl_atomic_fetch_add((volatile local atomic_uint *)&h[in[get_global_id(0)] & 7], 1, memory_order_relaxed, memory_scope_work_group);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < 8) o[get_group_id(0) * 8 + i] = h[i];
}`, Options{})
	in, out, want := make([]uint32, 256), make([]uint32, 16), make([]uint32, 16)
	for i := range in {
		in[i] = uint32(i*i) % 11
		want[i/128*8+int(in[i]&7)]++
	}
	p.run("k", kerneltest.Launch{Global: [3]int{256}, Local: [3]int{128}}, out, in)
	require.Equal(t, want, out)
}
