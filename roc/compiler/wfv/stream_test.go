package wfv

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

func TestWhichStoresGoPastTheCaches(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"element":               {"c[i] = a[i];", 1},
		"short vector":          {"((global float4 *)c)[i] = a[i];", 1},
		"two of them":           {"c[i] = a[i]; c[i + n] = 2;", 2},
		"under a guard":         {"if (i < n) c[i] = a[i];", 1},
		"two dimensions":        {"c[get_global_id(1) * n + i] = a[i];", 1},
		"read before":           {"c[i] += a[i];", 0},
		"read elsewhere":        {"c[i] = a[i] + c[i + n];", 0},
		"in a loop":             {"for (uint k = 0; k < n; k++) c[i] = a[k];", 0},
		"scattered":             {"c[i * 9] = a[i];", 0},
		"the same for all":      {"c[n] = a[i];", 0},
		"of a group":            {"c[get_local_id(0)] = a[i];", 0},
		"that others wait for":  {"c[i] = a[i]; __opencl_atomic_store((global atomic_int *)a + n, 1, __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE);", 0},
		"in front of a fence":   {"c[i] = a[i]; __atomic_thread_fence(__ATOMIC_RELEASE); c[i + n] = 1;", 0},
		"in front of a barrier": {"c[i] = a[i]; barrier(CLK_GLOBAL_MEM_FENCE); c[i + n] = 1;", 0},
		"volatile":              {"*(volatile global float *)(c + i) = a[i];", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, "kernel void k(global float *a, global float *c, uint n) { size_t i = get_global_id(0); "+c.body+" }", Options{Width: 16})
			require.Equal(t, c.want, p.reports["k"].Notes.Streams.Count)
		})
	}
}

// Streaming stores fault on addresses that are not multiples of their size, and there is always a rest of a launch.
func TestStreamingStores(t *testing.T) {
	const n = streamFrom/4 + 37
	source := `
kernel void element(global const uint *a, global uint *c) { size_t i = get_global_id(0); c[i] = a[i & 1023] + (uint)i; }
kernel void pair(global const uint *a, global uint2 *c) { size_t i = get_global_id(0); c[i] = (uint2)(a[2 * i & 1023], a[2 * i + 1 & 1023]) + (uint2)(2 * i, 2 * i + 1); }
`
	a := make([]uint32, 1024)
	for i := range a {
		a[i] = uint32(i*i) * 40503
	}
	for _, o := range []Options{{}, {Width: 16}, {Width: 64}} {
		p := build(t, source, o)
		for kernel, per := range map[string]int{"element": 1, "pair": 2} {
			require.Equal(t, 1, p.reports[kernel].Notes.Streams.Count)
			for _, off := range []int{0, 1, 16} {
				c := make([]uint32, n+off)[off:]
				items := n / per
				require.NoError(t, p.lib.Run(p.kernels[kernel], kerneltest.Launch{Global: [3]int{items}, Local: [3]int{64}}, a, c))
				for i, x := range c[:items*per] {
					if want := a[i&1023] + uint32(i); x != want {
						require.Equal(t, want, x, "%s, element %d, %d from alignment, %+v", kernel, i, off, o)
					}
				}
			}
		}
	}
}
