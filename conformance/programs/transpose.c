// Transpose of a matrix whose sides no tile divides: guards around a barrier, two dimensions of groups.
#include "host.h"
SOURCE("transpose.cl")

int main(int argc, char **argv) {
  cl_uint w = size(argc, argv, 1003, 37), h = size(argc, argv, 777, 21);
  size_t bytes = (size_t)w * h * 4, global[2] = {(w + 15) / 16 * 16, (h + 15) / 16 * 16}, local[2] = {16, 16};
  float *in = malloc(bytes), *out = malloc(bytes);
  for (size_t i = 0; i < (size_t)w * h; i++) in[i] = random_float();
  open_device();
  cl_kernel k = kernel(build(source, ""), "transpose");
  cl_mem mi = buffer(bytes, in), mo = buffer(bytes, NULL);
  ARG(k, 0, mi);
  ARG(k, 1, mo);
  ARG(k, 2, w);
  ARG(k, 3, h);
  run(k, 2, global, local);
  read_back(mo, out, bytes);
  for (cl_uint y = 0; y < h; y++)
    for (cl_uint x = 0; x < w; x++)
      if (out[x * h + y] != in[y * w + x]) fail("element (%u, %u)", x, y);
  return passed();
}
