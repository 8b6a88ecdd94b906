// N-body steps with tiles in local memory: float3 and float4 arithmetic, dot, rsqrt, buffers swapped between launches.
#include "host.h"
SOURCE("nbody.cl")

int main(int argc, char **argv) {
  cl_uint n = size(argc, argv, 2048, 64);
  const int steps = 3;
  const float dt = 0.01f;
  size_t global = n, local = 64, bytes = n * 16;
  float(*p)[4] = malloc(bytes), (*r)[4] = malloc(bytes);
  double(*pos)[3] = malloc(n * 24), (*vel)[3] = calloc(n, 24), (*force)[3] = malloc(n * 24);
  for (cl_uint i = 0; i < n; i++) {
    for (int d = 0; d < 3; d++) pos[i][d] = p[i][d] = random_float();
    p[i][3] = random_float() / n;
  }
  open_device();
  cl_kernel k = kernel(build(source, ""), "advance");
  float *zero = calloc(n, 16);
  cl_mem m[2] = {buffer(bytes, p), buffer(bytes, NULL)}, mv = buffer(bytes, zero);
  ARG(k, 2, mv);
  ARG(k, 3, n);
  ARG(k, 4, dt);
  LOCAL_ARG(k, 5, local * 16);
  for (int s = 0; s < steps; s++) {
    ARG(k, 0, m[s % 2]);
    ARG(k, 1, m[1 - s % 2]);
    run(k, 1, &global, &local);
  }
  read_back(m[steps % 2], r, bytes);
  for (int s = 0; s < steps; s++) {
    memset(force, 0, n * 24);
    for (cl_uint i = 0; i < n; i++)
      for (cl_uint j = 0; j < n; j++) {
        double x = pos[j][0] - pos[i][0], y = pos[j][1] - pos[i][1], z = pos[j][2] - pos[i][2];
        double inverse = 1 / sqrt(x * x + y * y + z * z + 0.01), f = p[j][3] * inverse * inverse * inverse;
        force[i][0] += x * f, force[i][1] += y * f, force[i][2] += z * f;
      }
    for (cl_uint i = 0; i < n; i++)
      for (int d = 0; d < 3; d++) vel[i][d] += force[i][d] * dt, pos[i][d] += vel[i][d] * dt;
  }
  for (cl_uint i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      if (!(fabs(r[i][d] - pos[i][d]) < 1e-4)) fail("body %u, axis %d: %g, not %g", i, d, r[i][d], pos[i][d]);
  return passed();
}
