// Tiled matrix multiplication: local memory and two barriers in a loop.
#include "host.h"
SOURCE("matmul.cl")

int main(int argc, char **argv) {
  int n = size(argc, argv, 512, 32);
  size_t bytes = (size_t)n * n * 4;
  float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
  for (int i = 0; i < n * n; i++) a[i] = random_float() - 0.5f, b[i] = random_float() - 0.5f;
  open_device();
  cl_kernel k = kernel(build(source, ""), "matmul");
  cl_mem ma = buffer(bytes, a), mb = buffer(bytes, b), mc = buffer(bytes, NULL);
  ARG(k, 0, ma);
  ARG(k, 1, mb);
  ARG(k, 2, mc);
  ARG(k, 3, n);
  run(k, 2, (size_t[]){n, n}, (size_t[]){16, 16});
  read_back(mc, c, bytes);
  for (int y = 0; y < n; y += n / 32)
    for (int x = 0; x < n; x++) {
      double want = 0;
      for (int i = 0; i < n; i++) want += (double)a[y * n + i] * b[i * n + x];
      if (!(fabs(want - c[y * n + x]) <= 1e-5 * n)) fail("c[%d][%d] is %g, not %g", y, x, c[y * n + x], want);
    }
  return passed();
}
