// A small benchmark of one driver: a line "name value unit" for each measurement, the best of several runs. Units that end in
// /s count up, all others down. The kernels are those of the conformance programs, which also check their results.
#include "host.h"
__asm__(".section .rodata\n"
        ".global saxpy_cl\nsaxpy_cl: .incbin \"saxpy.cl\"\n.byte 0\n"
        ".global matmul_cl\nmatmul_cl: .incbin \"matmul.cl\"\n.byte 0\n"
        ".global reduction_cl\nreduction_cl: .incbin \"reduction.cl\"\n.byte 0\n"
        ".global nbody_cl\nnbody_cl: .incbin \"nbody.cl\"\n.byte 0\n"
        ".global mandelbrot_cl\nmandelbrot_cl: .incbin \"mandelbrot.cl\"\n.byte 0\n"
        ".global bitonic_cl\nbitonic_cl: .incbin \"bitonic.cl\"\n.byte 0\n"
        ".global scan_cl\nscan_cl: .incbin \"scan.cl\"\n.byte 0\n"
        ".global histogram_cl\nhistogram_cl: .incbin \"histogram.cl\"\n.byte 0\n"
        ".global transpose_cl\ntranspose_cl: .incbin \"transpose.cl\"\n.byte 0\n"
        ".global sha256_cl\nsha256_cl: .incbin \"sha256.cl\"\n.byte 0\n"
        ".previous");
extern const char saxpy_cl[], matmul_cl[], reduction_cl[], nbody_cl[], mandelbrot_cl[], bitonic_cl[], scan_cl[], histogram_cl[],
    transpose_cl[], sha256_cl[];

static void report(const char *name, double value, const char *unit) {
  printf("%s %.5g %s\n", name, value, unit);
  fflush(stdout);
}

// best_ms runs k until half a second has passed, at least thrice, and returns the shortest time in milliseconds.
static double best_ms(cl_kernel k, cl_uint dims, const size_t *global, const size_t *local) {
  double best = 1e30, start = now_ms();
  run(k, dims, global, local);
  for (int i = 0; i < 3 || now_ms() - start < 500; i++) {
    double t = now_ms();
    run(k, dims, global, local);
    t = now_ms() - t;
    if (t < best) best = t;
  }
  return best;
}

static cl_command_queue new_queue(cl_command_queue_properties p) {
  cl_int e;
  cl_command_queue q = clCreateCommandQueue(context, device, p, &e);
  check(e, "clCreateCommandQueue", __LINE__);
  return q;
}

static void launches(void) {
  const size_t one = 1;
  cl_kernel k = kernel(build("kernel void empty(void) {}", ""), "empty");
  double best = 1e30;
  run(k, 1, &one, &one);
  for (int r = 0; r < 20; r++) {
    double t = now_ms();
    for (int i = 0; i < 500; i++) run(k, 1, &one, &one);
    t = (now_ms() - t) / 500;
    if (t < best) best = t;
  }
  report("launch and clFinish", best * 1e3, "µs");
  cl_command_queue queues[] = {queue, new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  for (int q = 0; q < 2; q++) {
    best = 1e30;
    for (int r = 0; r < 8; r++) {
      double t = now_ms();
      for (int i = 0; i < 10000; i++) CHECK(clEnqueueNDRangeKernel(queues[q], k, 1, NULL, &one, &one, 0, NULL, NULL));
      CHECK(clFinish(queues[q]));
      t = (now_ms() - t) / 10000;
      if (t < best) best = t;
    }
    report(q ? "launch in a row, out of order" : "launch in a row", best * 1e3, "µs");
  }
  cl_command_queue pair[2] = {queue, new_queue(0)};
  best = 1e30;
  for (int r = 0; r < 8; r++) {
    cl_event last = NULL, next;
    double t = now_ms();
    for (int i = 0; i < 1000; i++) {
      CHECK(clEnqueueNDRangeKernel(pair[i % 2], k, 1, NULL, &one, &one, last != NULL, last ? &last : NULL, &next));
      if (last) clReleaseEvent(last);
      CHECK(clFlush(pair[i % 2]));
      last = next;
    }
    CHECK(clWaitForEvents(1, &last));
    t = (now_ms() - t) / 1000;
    clReleaseEvent(last);
    if (t < best) best = t;
  }
  report("hop between two queues", best * 1e3, "µs");
}

static void builds(void) {
  char text[256];
  const size_t one = 1;
  double best = 1e30;
  cl_mem m = buffer(4, NULL);
  for (int i = 0; i < 5; i++) { // a source never seen before, to the first result
    snprintf(text, sizeof text, "kernel void f(global int *p) { p[0] = %d + get_global_id(0); }", (int)(now_ms() * 1e3) + i);
    double t = now_ms();
    cl_kernel k = kernel(build(text, ""), "f");
    ARG(k, 0, m);
    run(k, 1, &one, &one);
    t = now_ms() - t;
    if (t < best) best = t;
  }
  report("build, new source", best, "ms");
  best = 1e30;
  for (int i = 0; i < 5; i++) {
    double t = now_ms();
    build(text, "");
    t = now_ms() - t;
    if (t < best) best = t;
  }
  report("build, known source", best, "ms");
}

static void transfers(void) {
  const size_t bytes = 64 << 20;
  char *host = malloc(bytes);
  memset(host, 1, bytes);
  cl_mem m = buffer(bytes, host);
  double best[2] = {1e30, 1e30};
  for (int i = 0; i < 12; i++) {
    double t = now_ms();
    if (i % 2)
      read_back(m, host, bytes);
    else
      CHECK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
    t = now_ms() - t;
    if (t < best[i % 2]) best[i % 2] = t;
  }
  report("write 64 MiB", bytes / best[0] * 1e-6, "GB/s");
  report("read 64 MiB", bytes / best[1] * 1e-6, "GB/s");
}

static void kernels(void) {
  const size_t n = 1 << 22;
  cl_uint count = n, zero = 0, *random = malloc(n * 4);
  for (size_t i = 0; i < n; i++) random[i] = random32();
  float *floats = malloc(n * 4), a = 1.5f;
  for (size_t i = 0; i < n; i++) floats[i] = random_float();
  cl_mem ints = buffer(n * 4, random), x = buffer(n * 4, floats), y = buffer(n * 4, floats), z = buffer(n * 4, NULL);
  size_t local = 256, global = n;

  cl_program p = build(saxpy_cl, "");
  cl_kernel k = kernel(p, "saxpy");
  ARG(k, 0, y); ARG(k, 1, x); ARG(k, 2, a);
  report("saxpy", 12.0 * n / best_ms(k, 1, &global, NULL) * 1e-6, "GB/s");
  k = kernel(p, "saxpy4");
  ARG(k, 0, y); ARG(k, 1, x); ARG(k, 2, a);
  global = n / 4;
  report("saxpy on float4", 12.0 * n / best_ms(k, 1, &global, NULL) * 1e-6, "GB/s");

  int side = 512;
  k = kernel(build(matmul_cl, ""), "matmul");
  ARG(k, 0, x); ARG(k, 1, y); ARG(k, 2, z); ARG(k, 3, side);
  report("tiled matmul", 2.0 * side * side * side / best_ms(k, 2, (size_t[]){side, side}, (size_t[]){16, 16}) * 1e-6, "GFLOP/s");

  k = kernel(build(reduction_cl, ""), "reduction");
  ARG(k, 0, ints); ARG(k, 1, z); LOCAL_ARG(k, 2, 1024); ARG(k, 3, count);
  global = n / 4;
  report("reduction", 4.0 * n / best_ms(k, 1, &global, &local) * 1e-6, "GB/s");

  cl_uint bodies = 4096;
  float dt = 0;
  k = kernel(build(nbody_cl, ""), "advance");
  cl_mem v = buffer(bodies * 16, NULL);
  ARG(k, 0, x); ARG(k, 1, z); ARG(k, 2, v); ARG(k, 3, bodies); ARG(k, 4, dt); LOCAL_ARG(k, 5, 64 * 16);
  global = bodies;
  report("n-body", (double)bodies * bodies / best_ms(k, 1, &global, (size_t[]){64}) * 1e-6, "Ginteractions/s");

  float left = -2, top = -1.5f, scale = 3.0f / 1024;
  int limit = 256;
  k = kernel(build(mandelbrot_cl, ""), "mandelbrot");
  ARG(k, 0, z); ARG(k, 1, left); ARG(k, 2, top); ARG(k, 3, scale); ARG(k, 4, limit);
  report("Mandelbrot", 1024 * 1024 / best_ms(k, 2, (size_t[]){1024, 1024}, NULL) * 1e-3, "Mpixel/s");

  k = kernel(build(bitonic_cl, ""), "block");
  ARG(k, 0, ints); LOCAL_ARG(k, 1, 1024);
  global = n / 4;
  report("bitonic sort of blocks", n / 4 / best_ms(k, 1, &global, &local) * 1e-3, "Melem/s");
  k = kernel(build(bitonic_cl, ""), "stage");
  cl_uint j = 64, kk = 1024;
  ARG(k, 0, ints); ARG(k, 1, j); ARG(k, 2, kk);
  global = n;
  report("bitonic sort, one stage", n / best_ms(k, 1, &global, NULL) * 1e-3, "Melem/s");

  k = kernel(build(scan_cl, ""), "scan");
  ARG(k, 0, ints); ARG(k, 1, z); ARG(k, 2, y); LOCAL_ARG(k, 3, 2048);
  global = n / 2;
  report("prefix scan of blocks", n / best_ms(k, 1, &global, &local) * 1e-3, "Melem/s");

  cl_mem bins = buffer(1024, NULL), largest = buffer(4, &zero);
  p = build(histogram_cl, "");
  k = kernel(p, "local_bins");
  ARG(k, 0, ints); ARG(k, 1, bins); ARG(k, 2, count);
  global = n / 64;
  report("histogram, local atomics", n / best_ms(k, 1, &global, &local) * 1e-3, "Melem/s");
  k = kernel(p, "global_bins");
  ARG(k, 0, ints); ARG(k, 1, bins); ARG(k, 2, largest); ARG(k, 3, count);
  global = n;
  report("histogram, global atomics", n / best_ms(k, 1, &global, &local) * 1e-3, "Melem/s");

  cl_uint w = 2048, h = 2048;
  k = kernel(build(transpose_cl, ""), "transpose");
  ARG(k, 0, x); ARG(k, 1, z); ARG(k, 2, w); ARG(k, 3, h);
  report("transpose", 8.0 * n / best_ms(k, 2, (size_t[]){w, h}, (size_t[]){16, 16}) * 1e-6, "GB/s");

  cl_uint base = 0;
  k = kernel(build(sha256_cl, ""), "sha256");
  ARG(k, 0, z); ARG(k, 1, base);
  global = n / 16;
  report("SHA-256", n / 16 / best_ms(k, 1, &global, NULL) * 1e-3, "Mhash/s");
}

int main(void) {
  open_device();
  launches();
  builds();
  transfers();
  kernels();
  return 0;
}
