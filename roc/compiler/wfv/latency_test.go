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

// TestALongChainGetsMoreThanTheUnitsTake where there are registers, but not one whose operations keep the units busy anyway.
func TestALongChainGetsMoreThanTheUnitsTake(t *testing.T) {
	const source = `
		kernel void products(global float *p) {
			float x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) { x = x * x + x; x = x * x - x; x = x * x + x; x = x * x - x; }
			p[get_global_id(0)] = x; }
		kernel void quotients(global float *p) {
			float x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) { x = x / x + x; x = x / x - x; x = x / x + x; x = x / x - x; }
			p[get_global_id(0)] = x; }`
	tm, err := kerneltest.Target()
	require.NoError(t, err)
	r := build(t, source, Options{}).reports
	count, bytes := TargetOf(tm).registers()
	most := inFlight * bytes / 4
	require.Equal(t, most, r["quotients"].Width)
	if count == 32 {
		most *= 2
	}
	require.Equal(t, most, r["products"].Width)
}

func TestAVectorOfManyRegistersLeavesOtherWorkItemsAlone(t *testing.T) {
	const source = `
		kernel void chain(global const uint *p, global uint *q) {
			uint x = p[get_global_id(0)];
			for (int i = 0; i < 100; i++) x = x * 3 + 1;
			if (x & 1) q[get_global_id(0)] = x; }`
	for _, level := range append([]string{""}, kerneltest.Levels...) {
		p, err := compileAt(level, t.TempDir(), source, Options{Width: mostLanes})
		require.NoError(t, err)
		for _, local := range []int{1, 32, 37, 64, 128, 256} {
			const n = 300
			in, got, want := make([]uint32, n), make([]uint32, n), make([]uint32, n)
			for i := range got {
				x := uint32(i)
				for range 100 {
					x = x*3 + 1
				}
				in[i] = uint32(i)
				if x&1 != 0 {
					want[i] = x
				}
			}
			require.NoError(t, p.lib.Run(p.kernels["chain"], kerneltest.Launch{Global: [3]int{n}, Local: [3]int{local}}, in, got))
			require.Equal(t, want, got, "local size %d, %s", local, level)
		}
	}
}

// TestAKernelWhoseOwnVectorsFillRegistersKeepsThem where they would be taken apart for nothing.
func TestAKernelWhoseOwnVectorsFillRegistersKeepsThem(t *testing.T) {
	const source = `
		#define MIX(x, y) x += y; y = y << 3 | y >> 29; x ^= y; y += x * x;
		kernel void alive(global uint16 *p, uint n) {
			global uint16 *q = p + get_global_id(0) * 10;
			uint16 a = q[0], b = q[1], c = q[2], d = q[3], e = q[4], f = q[5], g = q[6], h = q[7], i = q[8], j = q[9];
			for (uint k = 0; k < n; k++) { MIX(a, b) MIX(c, d) MIX(e, f) MIX(g, h) MIX(i, j) MIX(j, a) MIX(b, c) MIX(d, e) MIX(f, g) MIX(h, i) }
			q[0] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j; }
		kernel void moved(global const float16 *p, global float *r, uint n) {
			float16 s = 0;
			for (uint k = 0; k < n; k++) s += p[get_global_id(0) + k * get_global_size(0)];
			r[get_global_id(0)] = s.s0 + s.s7 + s.sf; }
		kernel void worked(global const float16 *p, global float *r, uint n) {
			float16 s = 0;
			for (uint k = 0; k < n; k++) { float16 x = p[get_global_id(0) + k * get_global_size(0)]; s = (s * x + x) * x + s; s = (s * x - x) * x + s; }
			r[get_global_id(0)] = s.s0 + s.s7 + s.sf; }
		kernel void meets(global const float16 *p, global float *r, uint n, local float *l) {
			float16 s = 0;
			for (uint k = 0; k < n; k++) s += p[get_global_id(0) + k * get_global_size(0)];
			l[get_local_id(0)] = s.s0 + s.s7 + s.sf; barrier(CLK_LOCAL_MEM_FENCE);
			r[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)]; }
		kernel void short_(global const float4 *p, global float *r, uint n) {
			float4 s = 0;
			for (uint k = 0; k < n; k++) s += p[get_global_id(0) + k * get_global_size(0)];
			r[get_global_id(0)] = s.x + s.w; }`
	for _, level := range append([]string{""}, kerneltest.Levels...) {
		p, err := compileAt(level, t.TempDir(), source, Options{})
		require.NoError(t, err)
		for kernel, vectorised := range map[string]bool{"alive": false, "moved": false, "worked": true, "meets": true, "short_": true} {
			require.Equal(t, vectorised, p.reports[kernel].Width > 1, "%s, %s: %s", kernel, level, p.reports[kernel].Reason)
		}
	}
}
