// Mandelbrot set by Mariani-Silver subdivision, driven by the host and by the device: the images are equal.
#include "worklist.h"
SOURCE("mariani.cl")

int main(int argc, char **argv) {
  cl_uint width = size(argc, argv, 512, 64), half = width / 2, n = width * width;
  cl_uint quarters[16] = {0, 0, half, 0, half, 0, half, 0, 0, half, half, 0, half, half, half, 0};
  cl_uint *images[2] = {malloc(n * 4), malloc(n * 4)};
  if (!can_enqueue()) return without();
  worklist w = make_worklist(source, 2, 16, width * width / 16, 64);
  cl_mem m = buffer(n * 4, NULL);
  argument(&w, 0, sizeof m, &m);
  argument(&w, 1, 4, &width);
  double best[2] = {1e9, 1e9};
  for (int run = 0; run < RUNS; run++) {
    start(&w, quarters, 4);
    best[run & 1] = fmin(best[run & 1], run & 1 ? by_device(&w) : by_host(&w, 4));
    read_back(m, images[run & 1], n * 4);
  }
  for (cl_uint i = 0, inside = 0; i < n; i++) {
    if (images[0][i] != images[1][i]) fail("pixel %u: %u by the host, %u by the device", i, images[0][i], images[1][i]);
    inside += images[0][i] == 256;
    // about 1.51 of 9 square units are the set
    if (i == n - 1 && (inside < n / 9 || inside > n / 4)) fail("%u of %u pixels are in the set", inside, n);
  }
  return compared(best[0], best[1]);
}
