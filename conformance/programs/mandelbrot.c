// Mandelbrot: a loop that each work-item leaves when it likes. The kernel may contract a*b+c, the host may not, and a
// rounding can move a count near the border of the set: at most one pixel in five hundred may differ.
#include "host.h"
SOURCE("mandelbrot.cl")

static int iterations(float cx, float cy, int limit) {
  float zx = 0, zy = 0;
  int i = 0;
  for (; i < limit; i++) {
    float xx = zx * zx, yy = zy * zy;
    if (xx + yy > 4.0f) break;
    zy = 2.0f * zx * zy + cy;
    zx = xx - yy + cx;
  }
  return i;
}

int main(int argc, char **argv) {
  int w = size(argc, argv, 640, 64), limit = 200, differ = 0;
  float left = -2.0f, top = -1.5f, scale = 3.0f / w;
  int *r = malloc((size_t)w * w * 4);
  open_device();
  cl_kernel k = kernel(build(source, ""), "mandelbrot");
  cl_mem out = buffer((size_t)w * w * 4, NULL);
  ARG(k, 0, out);
  ARG(k, 1, left);
  ARG(k, 2, top);
  ARG(k, 3, scale);
  ARG(k, 4, limit);
  run(k, 2, (size_t[]){w, w}, NULL);
  read_back(out, r, (size_t)w * w * 4);
  for (int y = 0; y < w; y++)
    for (int x = 0; x < w; x++) differ += r[y * w + x] != iterations(left + x * scale, top + y * scale, limit);
  if (differ > w * w / 500) fail("%d of %d pixels differ", differ, w * w);
  return passed();
}
