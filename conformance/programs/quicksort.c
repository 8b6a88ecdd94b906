// Quicksort, driven by the host and by the device.
#include "worklist.h"
SOURCE("quicksort.cl")

static int ascending(const void *a, const void *b) {
  cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  cl_uint n = size(argc, argv, 100000, 1000), whole[2] = {0, n}, *in = malloc(n * 4), *want = malloc(n * 4), *got = malloc(n * 4);
  for (cl_uint i = 0; i < n; i++) in[i] = want[i] = random32() >> 8;
  qsort(want, n, 4, ascending);
  if (!can_enqueue()) return without();
  worklist w = make_worklist(source, 1, 8, n, 1);
  cl_mem m = buffer(n * 4, NULL);
  argument(&w, 0, sizeof m, &m);
  double best[2] = {1e9, 1e9};
  for (int run = 0; run < RUNS; run++) {
    CHECK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, n * 4, in, 0, NULL, NULL));
    start(&w, whole, 1);
    best[run & 1] = fmin(best[run & 1], run & 1 ? by_device(&w) : by_host(&w, 1));
    read_back(m, got, n * 4);
    for (cl_uint i = 0; i < n; i++)
      if (got[i] != want[i]) fail("element %u is %u, not %u", i, got[i], want[i]);
  }
  return compared(best[0], best[1]);
}
