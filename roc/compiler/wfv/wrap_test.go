package wfv

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// shapes of kernels that the random ones do not have: those whose groups may be merged, guards, rows, dense short vectors.
// Each gets two inputs and an output of size floats, the size of a row, and a limit.
var formKernels = map[string]string{
	"guarded": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w; if (i < n) c[i] = 2.0f * a[i] + b[i]; }`,
	"guarded x": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int x = get_global_id(0), y = get_global_id(1); if (x >= w - 3 || y > 5) return; c[y * w + x] = a[y * w + x] - b[x]; }`,
	"stencil": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int x = get_global_id(0), y = get_global_id(1);
		if (x == 0 || y == 0 || x == w - 1 || y == 6) { c[y * w + x] = a[y * w + x]; return; }
		c[y * w + x] = a[y * w + x - 1] + a[y * w + x + 1] - a[(y - 1) * w + x] + b[(y + 1) * w + x]; }`,
	"rows": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int x = get_global_id(0), y = get_global_id(1); float s = 0;
		for (int k = 0; k < 7; k++) s += a[y * w + k] * b[k * w + x];
		c[y * w + x] = s; }`,
	"guarded rows": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int x = get_global_id(0), y = get_global_id(1); float s = 0; if (x >= w - 1 || y >= 6) return;
		for (int k = 0; k < 7; k++) s += a[y * w + k] * b[k * w + x];
		c[y * w + x] = s; }`,
	"clamped": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int x = get_global_id(0), y = get_global_id(1); float s = 0;
		for (int i = -2; i <= 2; i++) s += a[y * w + clamp_(x + i, 0, w - 1)] * b[i + 2];
		c[y * w + x] = s; }`,
	"bounded rows": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int x = get_global_id(0), y = get_global_id(1); float s = 0;
		for (int i = -2; i <= 2; i++) s += a[__builtin_elementwise_min(__builtin_elementwise_max(x + i, 0), w - 1)] * b[i + 2];
		c[y * w + x] = s; }`,
	"butterfly": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint x = get_global_id(0), y = get_global_id(1), p = (x ^ (n & 24)) % w; c[y * w + x] = a[y * w + p] + b[(x & ~7u) + 1]; }`,
	"exchange": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint x = get_global_id(0), y = get_global_id(1) * w, p = x ^ (n & 31);
		if (p > x && p < w) { float s = c[y + x] + a[y + x], t = c[y + p]; c[y + p] = s; if (s > b[y + p]) { c[y + x] = t - 2.0f; } } }`,
	"exchange of all": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint x = get_global_id(0), y = get_global_id(1) * w, p = x ^ (n & 31) ^ 2; c[((y + 31) & ~31u) * 2 + p] = a[p] + b[(x ^ 3) + 5]; }`,
	"kept": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w; float s = c[i] + a[i]; if (s > b[i]) c[i] = s; if (s > 40.0f) c[i] += 1.0f; }`,
	"strided complex": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; float x = a[2 * i], y = a[2 * i + 1], u = b[2 * i], v = b[2 * i + 1];
		c[2 * i] = x * u - y * v; c[2 * i + 1] = x * v + y * u; }`,
	"strided structs": `typedef struct { float x, y, z; } point; kernel void k(global const point *a, global const point *b, global point *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; point p = a[i], q = b[i]; p.x -= q.z; p.y += q.x; p.z *= q.y; c[i] = p; }`,
	"strided fields": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; c[4 * i + 1] = a[4 * i + 2] + a[4 * i]; c[4 * i] += b[4 * i + 3]; c[4 * i + 2] = c[4 * i] + b[2 * i + 1]; }`,
	"strided if": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; float s = b[i]; if (s > 20.0f) s += a[4 * i + 3] - a[4 * i + 1]; else s *= a[2 * i] + a[2 * i + 1]; c[3 * i + 1] = s; }`,
	"strided shorts": `kernel void k(global const ushort *a, global const float *b, global uchar *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; uint s = a[3 * i] + a[3 * i + 2]; c[2 * i + 1] = s; c[2 * i] = s >> 3; }`,
	"strided doubles": `kernel void k(global const double *a, global const ulong *b, global ulong *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; ulong s = b[i & ~1]; if (s & 64) s += b[2 * i] ^ 5; c[2 * i] = s; c[2 * i + 1] = b[2 * i + 1] + 1; }`,
	"short vectors if": `kernel void k(global const float4 *a, global const float *b, global float *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; float s = b[i]; if (s > 20.0f) { float4 x = a[i]; s += x.x * x.y - x.z + x.w; } c[i] = s; }`,
	"an or from which others count": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; if (!(i & 15)) { c[3 * i + 2] = a[i]; c[3 * i + 5] = b[i]; } }`,
	"guarded by an or": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; if (!(i & 15)) { c[3 * i + 2] = a[i]; if (3 * i + 5 < n) c[3 * i + 5] = b[i]; } }`,
	"strided uint": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w; float s = a[3 * i + 1] - a[2 * i]; if (s > b[i]) s += b[4 * i + 3]; c[i] = s; }`,
	"backwards uint": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint y = get_global_id(1) * w, x = w - 1 - get_global_id(0); c[get_global_id(0) + y] = a[y + x] * 2.0f + b[x]; }`,
	"backwards": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		int i = (1 + (int)get_global_id(1)) * w - 1 - (int)get_global_id(0); c[i] = a[i] * 2.0f + b[get_global_id(0)]; }`,
	"dense": `kernel void k(global const float4 *a, global const float4 *b, global float4 *c, int w, uint n) {
		uint i = (get_global_id(0) + get_global_id(1) * w) / 4; float4 x = a[i] * 3.0f - b[i]; x = x + x.w * b[i]; c[i] = -x; }`,
	"packed": `kernel void k(global const float4 *a, global const float4 *b, global float4 *c, int w, uint n) {
		size_t i = get_global_id(0) + get_global_id(1) * w; float4 x = a[i] * 3.0f - b[i]; x = x + x.w * b[i]; c[i] = -x; }`,
	"long vectors": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w; float16 x = a[i] + (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), y = b[i];
		for (uint k = 0; k < i % 5; k++) { x = x * 3.0f - y; y = x + y.s0; x = y - x.s3210fedcba987654; y = -y; x = x + y; y = y * 2.0f + x; x += a[k]; }
		c[i] = x.s0 + x.s5 * 2 + y.sf * 3 + y.s8; }`,
	"third dimension": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + w * (get_global_id(1) + get_global_size(1) * get_global_id(2)); c[i % n] = a[i % n] + b[get_global_id(2)]; }`,
	"group": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w; c[i] = a[i] + (float)(get_local_id(0) + 100 * get_group_id(0) + 10 * get_local_size(0)); }`,
	"required size": `kernel __attribute__((reqd_work_group_size(16, 2, 1))) void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[32]; uint l = get_local_id(0), m = get_local_id(1), i = get_global_id(0) + get_global_id(1) * w;
		t[l + 16 * m] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); c[i] = t[15 - l + 16 * (1 - m)] * b[l]; }`,
	"local atomics": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local uint t[8]; uint l = get_local_id(0) + get_local_id(1) * get_local_size(0), i = get_global_id(0) + get_global_id(1) * w;
		if (l == 0) for (uint k = 0; k < 8; k++) t[k] = k; barrier(CLK_LOCAL_MEM_FENCE);
		if (a[i] > 9.0f) __opencl_atomic_fetch_add((volatile local atomic_uint *)&t[(uint)b[i] & 7], 1 + (uint)a[i], memory_order_relaxed, memory_scope_work_group);
		barrier(CLK_LOCAL_MEM_FENCE); c[i] = t[l & 7]; }`,
	"one place": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint x = get_global_id(0), y = get_global_id(1) * w; if (x == n % w) c[y] = a[y + x] + b[x]; }`,
	"two ways out": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w; float s = 0;
		for (uint k = 0; k < n % 9; k++) { s += b[k] * a[k]; if (b[n + k & 63] > 50.0f) { c[i] = -s; break; } if (a[i] < 12.0f * k) { c[i] = s + b[k]; s = 9; break; } }
		c[i] += s; }`,
	"exit in some turns": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w, x = a[i], y = 0, z = 0;
		for (;;) { x = x * 1664525u + 1013904223u; z++; if (x & 0x10000) { y += 2; if (y > i % 9) break; } }
		c[i] = z + 100 * y; }`,
	"exit of all in some turns": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w, x = a[i], y = 0;
		for (uint z = 0;; z++) { x = x * 1664525u + 1013904223u; y += x >> 31; if (x & 0x10000) { y += 2; if (z > n % 9) break; } }
		c[i] = y; }`,
	"exit past a loop": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w, x = a[i], y = 0, z = 0;
		for (;;) { z += 100; for (;;) { x = x * 1664525u + 1013904223u; z++; if (x & 0x10000) break; if (++y > n % 9) goto out; } z += x >> 30; }
		out: c[i] = z; }`,
	"into a loop": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		uint i = get_global_id(0) + get_global_id(1) * w, m = (n + i) % 29 + 1, k = (m + 3) / 4; float s = 0; global const float *p = b + n % 50;
		switch (m % 4) { case 0: do { s += *p++; case 3: s = a[(int)s & 63] - s; case 2: s += *p++; case 1: s = -s + *p++; } while (--k > 0); }
		c[i] = s; }`,
	"reduction": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; uint ls = get_local_size(0), l = get_local_id(0), m = get_local_id(1) * ls;
		t[m + l] = a[get_global_id(0) + get_global_id(1) * w]; barrier(CLK_LOCAL_MEM_FENCE);
		for (uint o = 1; o < ls; o *= 2) { float x = l + o < ls ? t[m + l + o] : 0.0f; barrier(CLK_LOCAL_MEM_FENCE); t[m + l] += x; barrier(CLK_LOCAL_MEM_FENCE); }
		if (l == 0) c[get_group_id(0) + get_global_id(1) * w] = t[m]; }`,
	"tree": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; size_t ls = get_local_size(0), l = get_local_id(0), m = get_local_id(1) * ls;
		t[m + l] = a[get_global_id(0) + get_global_id(1) * w]; barrier(CLK_LOCAL_MEM_FENCE);
		for (size_t r = ls; r > 1; r -= r / 2) { if (l < r / 2) t[m + l] += t[m + l + r - r / 2] * b[l]; barrier(CLK_LOCAL_MEM_FENCE); }
		if (l == 0) c[get_group_id(0) + get_global_id(1) * w] = t[m]; }`,
	"tree of ints": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; int l = get_local_id(0), m = get_local_id(1) * get_local_size(0), h = get_local_size(0) / 2;
		t[m + l] = a[get_global_id(0) + get_global_id(1) * w]; barrier(CLK_LOCAL_MEM_FENCE);
		for (; h >= -2; h = h > 1 ? h / 2 : h - 1) { if (l <= h - 1) t[m + l] = t[m + l] + t[m + l + h]; barrier(CLK_LOCAL_MEM_FENCE); }
		c[get_global_id(0) + get_global_id(1) * w] = t[m + l]; }`,
	"tree with values": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; uint ls = get_local_size(0), l = get_local_id(0), m = get_local_id(1) * ls, i = get_global_id(0) + get_global_id(1) * w; float s = a[i];
		t[m + l] = b[i]; barrier(CLK_LOCAL_MEM_FENCE);
		for (uint o = ls / 2; o > 0; o /= 2) { s = s * 0.5f + a[l]; if (l < o) t[m + l] += t[m + l + o]; barrier(CLK_LOCAL_MEM_FENCE); }
		c[i] = t[m + l] + s; }`,
	"tree and what stays": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; uint ls = get_local_size(0), l = get_local_id(0), m = get_local_id(1) * ls, i = get_global_id(0) + get_global_id(1) * w; float s = a[i];
		t[m + l] = b[i]; barrier(CLK_LOCAL_MEM_FENCE); for (uint o = ls / 2; o > 0; o /= 2) { if (l < o) t[m + l] += t[m + l + o]; barrier(CLK_LOCAL_MEM_FENCE); }
		c[i] = t[m + l] + s; }`,
	"tree and what changes": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; uint ls = get_local_size(0), l = get_local_id(0), m = get_local_id(1) * ls, i = get_global_id(0) + get_global_id(1) * w; float s = a[i];
		t[m + l] = b[i]; barrier(CLK_LOCAL_MEM_FENCE);
		for (uint o = ls / 2; o > 0; o /= 2) { if (l < o) t[m + l] += t[m + l + o]; barrier(CLK_LOCAL_MEM_FENCE); s += t[m]; barrier(CLK_LOCAL_MEM_FENCE); }
		c[i] = t[m + l] + s; }`,
	"tree and more": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256], u[256]; uint ls = get_local_size(0), l = get_local_id(0), m = get_local_id(1) * ls, i = get_global_id(0) + get_global_id(1) * w;
		t[m + l] = b[i]; u[m + l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);
		for (uint o = ls / 2; o > 0; o /= 2) { if (l < o) t[m + l] += t[m + l + o]; u[m + l] += l; barrier(CLK_LOCAL_MEM_FENCE); }
		c[i] = t[m + l] + u[m + l]; }`,
	"the first some": `kernel void k(global const float *a, global const float *b, global float *c, int w, uint n) {
		local float t[256]; size_t l = get_local_id(0), m = get_local_id(1) * get_local_size(0), i = get_global_id(0) + get_global_id(1) * w, o = n % 7, p = n % 13, q = n % 9, r = n % 6;
		t[m + l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); if (l < o) t[m + l] *= b[l]; barrier(CLK_LOCAL_MEM_FENCE); if (l == p) t[m + l] = 1; barrier(CLK_LOCAL_MEM_FENCE);
		if (l <= q) t[m + l] += 2; barrier(CLK_LOCAL_MEM_FENCE); if (o > l) t[m + l] -= o; else t[m + l] = -t[m + l]; barrier(CLK_LOCAL_MEM_FENCE);
		if (l > r) t[m + l] += 3; barrier(CLK_LOCAL_MEM_FENCE); c[i] = t[m + l]; }`,
}

const formPrelude = "int clamp_(int x, int a, int b) { return x < a ? a : x > b ? b : x; }\n"

func TestFormsComputeWhatTheScalarFormDoes(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewSource(1))
	const size = 4096
	a, b := make([]float32, size), make([]float32, size)
	for i := range a {
		a[i], b[i] = float32(r.Intn(64)), float32(r.Intn(64))
	}
	names := slices.Sorted(maps.Keys(formKernels))
	source := formPrelude
	kernel := func(i int) string { return fmt.Sprint("k", i) }
	for i, name := range names {
		source += strings.Replace(formKernels[name], " k(", " "+kernel(i)+"(", 1) + "\n"
	}
	reference, err := compile(dir, source, Options{Scalar: true})
	require.NoError(t, err)
	forms := []form{{}, {Options: Options{Width: 4}}, {Options: Options{Width: 8, Rows: 3}}, {Options: Options{Width: 16, Rows: 2}},
		{Options: Options{Width: 32}}, {Options: Options{Width: 8, OneForm: true}}}
	for _, level := range kerneltest.Levels {
		forms = append(forms, form{Options{}, level})
	}
	for _, o := range forms {
		p, err := compileAt(o.level, dir, source, o.Options)
		require.NoError(t, err)
		for i, name := range names {
			k := kernel(i)
			report := p.reports[k]
			require.Greater(t, report.Width, 1, "%s: %s", name, report.Reason)
			require.Equal(t, !o.OneForm && (strings.HasPrefix(name, "guarded") || name == "stencil"), report.Guards > 0, name)
			if o.Rows > 0 {
				require.Equal(t, strings.HasSuffix(name, "rows"), report.Rows == o.Rows, name)
			}
			for range 12 {
				n := launch(r, name)
				w := n.Global[0] + n.Offset[0]
				limit := 1 + uint32(r.Intn(2*w*7))
				want, got := make([]float32, size), make([]float32, size)
				require.NoError(t, reference.lib.Run(reference.kernels[k], n, a, b, want, int32(w), limit))
				require.NoError(t, p.lib.Run(p.kernels[k], n, a, b, got, int32(w), limit))
				require.Equal(t, want, got, "%s with %+v, %+v, row %d, limit %d", name, o, n, w, limit)
			}
		}
	}
}

// launch is a random NDRange of at most 7 rows; groups need not divide it, and it may be cut in several calls.
func launch(r *rand.Rand, name string) kerneltest.Launch {
	n := kerneltest.Launch{Calls: 1 + r.Intn(3)}
	switch name {
	case "required size":
		n.Local = [3]int{16, 2, 1}
		n.Global = [3]int{16 * (1 + r.Intn(5)), 2 * (1 + r.Intn(3)), 1}
		if r.Intn(3) == 0 {
			n.Global[0] += 5 // left to the scalar form
		}
		return n
	case "dense":
		n.Local, n.Global = [3]int{1 + r.Intn(20), 1, 1}, [3]int{4 * (1 + r.Intn(30)), 1 + r.Intn(6), 1}
		return n
	}
	n.Local = [3]int{1 + r.Intn(40), 1 + r.Intn(4), 1}
	n.Global = [3]int{1 + r.Intn(130), 1 + r.Intn(7), 1}
	if r.Intn(3) == 0 && name != "stencil" {
		n.Offset = [3]int{r.Intn(9), 0, 0}
	}
	if name == "third dimension" {
		n.Global[2] = 1 + r.Intn(3)
	}
	return n
}

func TestLargeGridsRunInScalarForm(t *testing.T) {
	const source = `kernel void k(global uint *out) { ulong i = get_global_id(0); int j = (int)i; out[i & 31] = (uint)((long)j >> 32) ^ (uint)(i >> 31); }`
	p := build(t, source, Options{Width: 8})
	require.Equal(t, 8, p.reports["k"].Width)
	out := make([]uint32, 32)
	n := kerneltest.Launch{Global: [3]int{32}, Local: [3]int{8}, Offset: [3]int{1<<31 - 16}}
	require.NoError(t, p.lib.Run(p.kernels["k"], n, out))
	for i := range uint64(32) {
		id := 1<<31 - 16 + i
		want := uint32(int64(int32(id))>>32) ^ uint32(id>>31)
		require.Equal(t, want, out[id&31], fmt.Sprint("id ", id))
	}
}

func TestOnlyKernelsThatNarrowIdsHaveAScalarForm(t *testing.T) {
	for name, c := range map[string]struct {
		value  string // of work-item i
		scalar bool
		want   func(id, local uint64) uint64
	}{
		"wide":           {"i * 3 + get_global_size(0)", false, func(id, _ uint64) uint64 { return id*3 + 32 }},
		"low bits":       {"(uint)(i & 31) * 5u", false, func(id, _ uint64) uint64 { return id & 31 * 5 }},
		"local id":       {"(ulong)((int)get_local_id(0) - 9)", false, func(_, local uint64) uint64 { return local - 9 }},
		"int":            {"(ulong)(int)i", true, func(id, _ uint64) uint64 { return uint64(int64(int32(id))) }},
		"uint of a sum":  {"(ulong)(uint)(i + 1)", true, func(id, _ uint64) uint64 { return uint64(uint32(id + 1)) }},
		"int of a group": {"(ulong)(int)get_group_id(0)", true, func(id, _ uint64) uint64 { return 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, "kernel void k(global ulong *out, ulong base) { ulong i = get_global_id(0); out[i - base] = "+c.value+"; }", Options{Width: 8})
			require.Equal(t, 8, p.reports["k"].Width, p.reports["k"].Reason)
			require.Equal(t, c.scalar, strings.Contains(p.ir, ".scalar"))
			for _, base := range []uint64{0, 1<<31 - 13, 1<<32 - 5, 1<<33 + 7} {
				out := make([]uint64, 32)
				n := kerneltest.Launch{Global: [3]int{32}, Local: [3]int{32}, Offset: [3]int{int(base)}}
				require.NoError(t, p.lib.Run(p.kernels["k"], n, out, base))
				for i, got := range out {
					require.Equal(t, c.want(base+uint64(i), uint64(i)), got, "work-item %d of %d", i, base)
				}
			}
		})
	}
}
