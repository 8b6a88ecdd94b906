// SAXPY on scalars and on float4, with a global offset.
#include "host.h"
SOURCE("saxpy.cl")

int main(int argc, char **argv) {
  size_t n = size(argc, argv, 1 << 20, 1 << 10), offset = 64;
  float a = 1.5f, *x = malloc(n * 4), *y = malloc(n * 4), *r = malloc(n * 4);
  for (size_t i = 0; i < n; i++) x[i] = random_float(), y[i] = random_float();
  open_device();
  cl_program p = build(source, "");
  cl_kernel one = kernel(p, "saxpy"), four = kernel(p, "saxpy4");
  cl_mem mx = buffer(n * 4, x), my = buffer(n * 4, y);
  ARG(one, 0, my);
  ARG(one, 1, mx);
  ARG(one, 2, a);
  ARG(four, 0, my);
  ARG(four, 1, mx);
  ARG(four, 2, a);
  size_t rest = n - offset, quarter = n / 4;
  double t = now_ms();
  CHECK(clEnqueueNDRangeKernel(queue, one, 1, &offset, &rest, NULL, 0, NULL, NULL));
  CHECK(clEnqueueNDRangeKernel(queue, four, 1, NULL, &quarter, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  device_ms += now_ms() - t;
  read_back(my, r, n * 4);
  for (size_t i = 0; i < n; i++) {
    float want = y[i];
    if (i >= offset) want = fmaf(a, x[i], want);
    want = fmaf(a, x[i], want);
    if (r[i] != want) fail("y[%zu] is %g, not %g", i, r[i], want);
  }
  return passed();
}
