// Reduction: a barrier in a loop, local memory as an argument, trip counts that differ per work-item around it.
#include "host.h"
SOURCE("reduction.cl")

int main(int argc, char **argv) {
  size_t n = size(argc, argv, 3000001, 3001);
  cl_uint count = n, want = 0, *in = malloc(n * 4);
  for (size_t i = 0; i < n; i++) want += in[i] = random32();
  open_device();
  cl_kernel k = kernel(build(source, ""), "reduction");
  cl_mem mi = buffer(n * 4, in), mo = buffer(64 * 4, NULL);
  for (size_t local = 1; local <= 256; local *= 4) {
    size_t groups = 64, global = groups * local;
    cl_uint out[64], sum = 0;
    ARG(k, 0, mi);
    ARG(k, 1, mo);
    LOCAL_ARG(k, 2, local * 4);
    ARG(k, 3, count);
    run(k, 1, &global, &local);
    read_back(mo, out, sizeof out);
    for (size_t i = 0; i < groups; i++) sum += out[i];
    if (sum != want) fail("local %zu: the sum is %u, not %u", local, sum, want);
  }
  return passed();
}
