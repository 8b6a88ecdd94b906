package wfv

import (
	"fmt"
	"slices"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// planes are kernels over two dimensions as people write them: guards against what the work-groups have beyond the plane, tiles
// in local memory, edges apart. T is the size of a tile.
const planes = `
kernel void transpose(global const float *in, global float *out, uint w, uint h) {
  local float tile[T][T + 1];
  uint x = get_group_id(0) * T + get_local_id(0), y = get_group_id(1) * T + get_local_id(1);
  if (x < w && y < h) tile[get_local_id(1)][get_local_id(0)] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * T + get_local_id(0);
  y = get_group_id(0) * T + get_local_id(1);
  if (x < h && y < w) out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
}
kernel void product(global const float *a, global float *c, uint w, uint h) { // of the plane and its first columns
  local float A[T][T], B[T][T];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), n = min(w, h);
  float s = 0;
  for (int t = 0; t < (n + T - 1) / T; t++) {
    A[ly][lx] = y < h && t * T + lx < n ? a[y * w + t * T + lx] : 0.0f;
    B[ly][lx] = x < w && t * T + ly < n ? a[(t * T + ly) * w + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < T; k++) s += A[ly][k] * B[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x < w && y < h) c[y * w + x] = s;
}
kernel void halo(global const float *in, global float *out, int w, int h) {
  local float t[T + 2][T + 2];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
  if (x < w && y < h) {
    t[ly][lx] = in[y * w + x];
    if (lx == 1) t[ly][0] = x > 0 ? in[y * w + x - 1] : 0;
    if (lx == T || x == w - 1) t[ly][lx + 1] = x < w - 1 ? in[y * w + x + 1] : 0;
    if (ly == 1) t[0][lx] = y > 0 ? in[(y - 1) * w + x] : 0;
    if (ly == T || y == h - 1) t[ly + 1][lx] = y < h - 1 ? in[(y + 1) * w + x] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h) out[y * w + x] = t[ly][lx] + 2 * t[ly][lx - 1] + 3 * t[ly][lx + 1] + 5 * t[ly - 1][lx] + 7 * t[ly + 1][lx];
}
kernel void table(global const float *in, global float *out, uint w, uint h) {
  local float t[64];
  uint x = get_global_id(0), y = get_global_id(1);
  for (uint i = get_local_id(1) * get_local_size(0) + get_local_id(0); i < 64; i += get_local_size(0) * get_local_size(1)) t[i] = i * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h) out[y * w + x] = t[(uint)in[y * w + x] & 63];
}
kernel void sums(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float s = 0;
  for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i];
  out[y * w + x] = s;
}
kernel void inside(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    float s = 0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++)
      if (x + i >= 0 && x + i < w && y + j >= 0 && y + j < h) s += in[(y + j) * w + x + i] * (2 * i + j + 4);
    out[y * w + x] = s;
  }
}
kernel void bytes(global const uchar *in, global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int s = 0;
  for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i];
  out[y * w + x] = s / 9;
}
kernel void mirror(global const float *in, global float *out, uint w, uint h) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) out[y * w + (w - 1 - x)] = in[y * w + x];
}
kernel void far(global const float *in, global float *out, int w, int h) { // what an index was made of is not kept across the barrier
  local float t[1024];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * get_local_size(0) + get_local_id(0);
  int i = (int)in[0] * h + y * w + x; // in[0] is 0
  if (x < w && y < h) t[l] = in[i] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h) out[i] = in[i] + t[l];
}
kernel void edge(global const float *in, global float *out, int w, int h) { // the clamp is asked about on both sides of the barrier
  local float t[1024];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * get_local_size(0) + get_local_id(0);
  int i = min(y, h - 1) * w + min(x, w - 1);
  t[l] = in[i] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = in[i] + t[l];
}
kernel void indexed(global const uchar *in, global uchar *out, uint w, uint h) { // of an address on both sides neither base nor index is kept
  local uchar t[1024];
  uint x = min((uint)get_global_id(0), w - 1), y = min((uint)get_global_id(1), h - 1), l = get_local_id(1) * get_local_size(0) + get_local_id(0);
  uint i = (y * w + x) * 7 % (w * h);
  global const uchar *p = in + in[0] * w;
  t[l] = p[i] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * w + x] = p[i] + t[l];
}
kernel void root(global const float *in, global float *out, int w, int h) { // of the root, what it is of is not kept
  local float t[1024];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * get_local_size(0) + get_local_id(0);
  int i = min(y, h - 1) * w + min(x, w - 1);
  float s = __builtin_elementwise_sqrt((float)(1 << ((int)in[i] & 6)));
  t[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  float r = 1 / s;
  out[i] = t[l] + (int)(64 * r + 0.5f);
}
kernel void groups(global const float *in, global float *out, uint w, uint h) { // without a barrier, but with groups
  uint x = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0), y = get_group_id(1) * get_enqueued_local_size(1) + get_local_id(1);
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
`

// TestKernelsOverPlanes: whatever the work-groups are, no lane that is off reads or writes beyond the plane.
func TestKernelsOverPlanes(t *testing.T) {
	tiled := []string{"transpose", "product", "halo"}
	for _, tile := range []int{4, 8, 16} {
		source := fmt.Sprintf("#define min(a, b) ((a) < (b) ? (a) : (b))\n#define T %d\n", tile) + planes
		reference := build(t, source, Options{Scalar: true})
		for _, o := range []Options{{}, {Width: 8}, {Width: 32}, {Width: 16, OneForm: true}} {
			p := build(t, source, o)
			for name, info := range p.kernels {
				require.Greater(t, p.reports[name].Width, 1, "%s: %s", name, p.reports[name].Reason)
				locals := [][2]int{{tile, tile}}
				if !slices.Contains(tiled, name) {
					locals = append(locals, [2]int{32, 8}, [2]int{2 * tile, 1}, [2]int{5, 3}, [2]int{12, 2})
				}
				for _, local := range locals {
					for _, plane := range [][2]int{{2 * tile, 2 * tile}, {37, 21}, {3, 50}} {
						w, h := plane[0], plane[1]
						for _, whole := range []bool{true, false} {
							n := kerneltest.Launch{Global: [3]int{w, h}, Local: [3]int{local[0], local[1]}}
							if whole {
								for d := range 2 {
									n.Global[d] = (plane[d] + local[d] - 1) / local[d] * local[d]
								}
							} else if slices.Contains(tiled, name) {
								continue
							}
							in, got, want := atPageEnd(t, w*h), atPageEnd(t, w*h), make([]float32, w*h)
							for i := range in {
								in[i] = float32(i * 7 % 64)
							}
							require.NoError(t, reference.lib.Run(reference.kernels[name], n, in, want, uint32(w), uint32(h)))
							require.NoError(t, p.lib.Run(info, n, in, got, uint32(w), uint32(h)))
							require.Equal(t, want, got, "%s, %+v, %+v", name, o, n)
						}
					}
				}
			}
		}
	}
}
