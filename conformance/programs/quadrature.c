// Adaptive quadrature of sin(1/x) from 1/200 to 1, driven by the host and by the device: the sums are equal to the last bit.
#include "worklist.h"
SOURCE("quadrature.cl")

// exact is the integral, by the midpoint rule in t = 1/x, where the function is smooth: sin(t)/t^2.
static double exact(double a, double b) {
  const int n = 4000000;
  double from = 1 / b, h = (1 / a - from) / n, s = 0;
  for (int i = 0; i < n; i++) {
    double t = from + (i + 0.5) * h;
    s += sin(t) / (t * t);
  }
  return s * h;
}

int main(int argc, char **argv) {
  double whole[2] = {1.0 / 200, 1}, tolerance = size(argc, argv, 1, 0) ? 1e-9 : 1e-5;
  cl_long sums[2], zero = 0;
  if (!can_enqueue()) return without();
  worklist w = make_worklist(source, 2, 16, 1 << 16, 0);
  cl_mem m = buffer(8, NULL);
  argument(&w, 0, sizeof m, &m);
  argument(&w, 1, 8, &tolerance);
  double best[2] = {1e9, 1e9}, want = exact(whole[0], whole[1]);
  for (int run = 0; run < RUNS; run++) {
    CHECK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 8, &zero, 0, NULL, NULL));
    start(&w, whole, 1);
    best[run & 1] = fmin(best[run & 1], run & 1 ? by_device(&w) : by_host(&w, 1));
    read_back(m, &sums[run & 1], 8);
  }
  if (sums[0] != sums[1]) fail("%.15g by the host, %.15g by the device", sums[0] * 0x1p-48, sums[1] * 0x1p-48);
  if (fabs(sums[0] * 0x1p-48 - want) > 10 * tolerance) fail("%.15g, not %.15g", sums[0] * 0x1p-48, want);
  return compared(best[0], best[1]);
}
