// Vector addition with a global size rounded up past the data: the guard, and NULL and odd local sizes.
#include "host.h"
SOURCE("vecadd.cl")

int main(int argc, char **argv) {
  size_t n = size(argc, argv, 1000003, 1003);
  cl_uint count = n;
  int *a = malloc(n * 4), *b = malloc(n * 4), *c = malloc(n * 4);
  for (size_t i = 0; i < n; i++) a[i] = random32(), b[i] = random32();
  open_device();
  cl_kernel k = kernel(build(source, ""), "vecadd");
  cl_mem ma = buffer(n * 4, a), mb = buffer(n * 4, b), mc = buffer(n * 4, NULL);
  ARG(k, 0, ma);
  ARG(k, 1, mb);
  ARG(k, 2, mc);
  ARG(k, 3, count);
  const size_t locals[] = {0, 1, 7, 64, 256};
  for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) {
    size_t local = locals[l], global = local ? (n + local - 1) / local * local : n;
    int zero = 0;
    CHECK(clEnqueueFillBuffer(queue, mc, &zero, 4, 0, n * 4, 0, NULL, NULL));
    run(k, 1, &global, local ? &local : NULL);
    read_back(mc, c, n * 4);
    for (size_t i = 0; i < n; i++)
      if (c[i] != (int)((unsigned)a[i] + (unsigned)b[i])) fail("local %zu: c[%zu] is %d", local, i, c[i]);
  }
  return passed();
}
