// Histogram with local and with global atomics, and a global maximum.
#include "host.h"
SOURCE("histogram.cl")

int main(int argc, char **argv) {
  size_t n = size(argc, argv, 4000003, 4003), local = 64, global = 64 * local, all = (n + local - 1) / local * local;
  cl_uint count = n, want[256] = {0}, got[256], zero[256] = {0}, most = 0, largest;
  uint8_t *in = malloc(n);
  for (size_t i = 0; i < n; i++) {
    in[i] = (random32() >> 9) % 251;
    want[in[i]]++;
    if (in[i] > most) most = in[i];
  }
  open_device();
  cl_program p = build(source, "");
  cl_kernel k[2] = {kernel(p, "local_bins"), kernel(p, "global_bins")};
  cl_mem mi = buffer(n, in), max = buffer(4, zero);
  for (int i = 0; i < 2; i++) {
    cl_mem bins = buffer(sizeof zero, zero);
    cl_uint a = 0;
    ARG(k[i], a++, mi);
    ARG(k[i], a++, bins);
    if (i == 1) ARG(k[i], a++, max);
    ARG(k[i], a, count);
    run(k[i], 1, i ? &all : &global, &local);
    read_back(bins, got, sizeof got);
    for (int b = 0; b < 256; b++)
      if (got[b] != want[b]) fail("%s: bin %d is %u, not %u", i ? "global" : "local", b, got[b], want[b]);
  }
  read_back(max, &largest, 4);
  if (largest != most) fail("the largest is %u, not %u", largest, most);
  return passed();
}
