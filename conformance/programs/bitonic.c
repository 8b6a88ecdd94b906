// Bitonic sort: barriers in nested loops for the first stages, then many small dependent launches in order.
#include "host.h"
SOURCE("bitonic.cl")

static int ascending(const void *a, const void *b) {
  cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  size_t n = size(argc, argv, 1 << 18, 1 << 9), local = 128;
  cl_uint *data = malloc(n * 4), *sorted = malloc(n * 4);
  for (size_t i = 0; i < n; i++) data[i] = random32();
  open_device();
  cl_program p = build(source, "");
  cl_kernel block = kernel(p, "block"), stage = kernel(p, "stage");
  cl_mem m = buffer(n * 4, data);
  ARG(block, 0, m);
  LOCAL_ARG(block, 1, local * 4);
  ARG(stage, 0, m);
  double t = now_ms();
  enqueue(block, 1, &n, &local);
  for (cl_uint k = 2 * local; k <= n; k *= 2)
    for (cl_uint j = k / 2; j > 0; j /= 2) {
      ARG(stage, 1, j);
      ARG(stage, 2, k);
      enqueue(stage, 1, &n, NULL);
    }
  CHECK(clFinish(queue));
  device_ms += now_ms() - t;
  read_back(m, sorted, n * 4);
  qsort(data, n, 4, ascending);
  for (size_t i = 0; i < n; i++)
    if (sorted[i] != data[i]) fail("element %zu is %u, not %u", i, sorted[i], data[i]);
  return passed();
}
