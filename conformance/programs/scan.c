// Prefix scan in two levels: barriers under a shrinking condition, three dependent launches.
#include "host.h"
SOURCE("scan.cl")

int main(int argc, char **argv) {
  size_t block = size(argc, argv, 512, 32), local = block / 2, n = block * block, threads = n / 2, one = local;
  cl_uint *in = malloc(n * 4), *out = malloc(n * 4), sum = 0;
  for (size_t i = 0; i < n; i++) in[i] = random32() & 15;
  open_device();
  cl_program p = build(source, "");
  cl_kernel first = kernel(p, "scan"), second = kernel(p, "scan"), add = kernel(p, "add");
  cl_mem mi = buffer(n * 4, in), mo = buffer(n * 4, NULL), ms = buffer(block * 4, NULL), mt = buffer(block * 4, NULL), total = buffer(4, NULL);
  ARG(first, 0, mi);
  ARG(first, 1, mo);
  ARG(first, 2, ms);
  LOCAL_ARG(first, 3, block * 4);
  ARG(second, 0, ms);
  ARG(second, 1, mt);
  ARG(second, 2, total);
  LOCAL_ARG(second, 3, block * 4);
  ARG(add, 0, mo);
  ARG(add, 1, mt);
  run(first, 1, &threads, &local);
  run(second, 1, &one, &local);
  run(add, 1, &n, &block);
  read_back(mo, out, n * 4);
  for (size_t i = 0; i < n; sum += in[i++])
    if (out[i] != sum) fail("element %zu is %u, not %u", i, out[i], sum);
  return passed();
}
