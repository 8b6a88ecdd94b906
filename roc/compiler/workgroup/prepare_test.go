package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

func TestWhatCannotBeInAKernelIsNamed(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"undefined", "int missing(int); kernel void k(global int *o) { o[0] = missing(1); }", "kernel k: undefined function missing"},
		{"undefined below", "int missing(int); int f(int x) { return missing(x) + 1; } kernel void k(global int *o) { o[0] = f(1); }", "undefined function missing"},
		{"recursive", "int f(int n) { return n < 2 ? n : f(n - 1) * n; } kernel void k(global int *o) { o[0] = f(o[1]); }", "kernel k: function f is recursive"},
		{"mutually recursive", "int g(int); int f(int n) { return n < 2 ? n : g(n - 1); } int g(int n) { return f(n - 2) + f(n); } kernel void k(global int *o) { o[0] = f(o[1]); }", "is recursive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compile(t, c.source, Options{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestFunctionsAndKernelsAreInlined(t *testing.T) {
	p := build(t, `
int __attribute__((noinline)) twice(int x) { return 2 * x; }
kernel void set(global int *o, int x) { o[get_global_id(0)] = twice(x); }
kernel void memset(global int *o) { set(o, 21); o[get_global_id(0)] += get_global_size(0); }`, Options{})
	out := make([]int32, 3)
	p.run("memset", kerneltest.Launch{Global: [3]int{3}}, out)
	require.Equal(t, []int32{45, 45, 45}, out)
	require.Equal(t, "kernel.memset", p.kernels["memset"].Symbol)
}

func TestStructuresByValueBelongToTheWorkItem(t *testing.T) {
	p := build(t, `
typedef struct { float4 v; short s; } inner;
typedef struct { char c; inner in[2]; double d; } outer;
kernel void k(global float *o, char c, outer s, float3 f, ushort u) {
	size_t i = get_global_id(0);
	s.in[i & 1].s += i;
	o[i] = s.in[0].s + s.in[1].s + s.in[1].v.y + s.c + s.d + f.z + u + c;
}
kernel void waits(global float *o, outer s) {
	size_t i = get_local_id(0);
	s.in[1].s += i;
	barrier(CLK_GLOBAL_MEM_FENCE);
	s.in[1].s *= 2;
	barrier(CLK_GLOBAL_MEM_FENCE);
	o[i] = s.in[1].s;
}`, Options{})
	type inner struct {
		V [4]float32
		S int16
		_ [14]byte
	}
	type outer struct {
		C  int8
		_  [15]byte
		In [2]inner
		D  float64
		_  [8]byte
	}
	s := outer{C: 1, D: 0.5}
	s.In[0].S, s.In[1].S, s.In[1].V[1] = 10, 20, 0.25
	out := make([]float32, 5)
	p.run("k", kerneltest.Launch{Global: [3]int{5}, Local: [3]int{2}}, out, int8(-3), s, [4]float32{0, 0, 100, 0}, uint16(1000))
	for i := range out {
		require.Equal(t, float32(1128.75)+float32(i), out[i])
	}
	out = out[:4]
	p.run("waits", kerneltest.Launch{Global: [3]int{4}, Local: [3]int{4}}, out, s)
	require.Equal(t, []float32{40, 42, 44, 46}, out)
}
