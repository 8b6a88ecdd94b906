// What every conformance program needs of an OpenCL host: one device, one queue, a built program, and a verdict.
// A program prints one line, "ok" or "FAIL" with the reason, and its exit status agrees.
#ifndef HOST_H
#define HOST_H
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// SOURCE(file) embeds an OpenCL C file as the NUL-terminated string `source`.
#define SOURCE(file) \
  __asm__(".section .rodata\n.global source\nsource: .incbin \"" file "\"\n.byte 0\n.previous"); \
  extern const char source[];

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static double device_ms; // time from the first to the last command of the checked run

static void fail(const char *format, ...) {
  va_list a;
  va_start(a, format);
  printf("FAIL ");
  vprintf(format, a);
  printf("\n");
  va_end(a);
  exit(1);
}

static void check(cl_int error, const char *call, int line) {
  if (error) fail("line %d: %s returned %d", line, call, error);
}
#define CHECK(call) check((call), #call, __LINE__)

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

// open_device picks device number $CONFORMANCE_DEVICE (default 0) of the first platform.
static void open_device(void) {
  cl_platform_id platform;
  cl_device_id devices[16];
  cl_uint n;
  cl_int e;
  const char *choice = getenv("CONFORMANCE_DEVICE");
  cl_uint index = choice ? (cl_uint)atoi(choice) : 0;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &n));
  if (index >= n) fail("there is no device %u", index);
  device = devices[index];
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "clCreateContext", __LINE__);
  queue = clCreateCommandQueue(context, device, 0, &e);
  check(e, "clCreateCommandQueue", __LINE__);
}

static cl_program build(const char *text, const char *options) {
  cl_int e;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  check(e, "clCreateProgramWithSource", __LINE__);
  e = clBuildProgram(p, 1, &device, options, NULL, NULL);
  if (e) {
    static char log[4096];
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fail("clBuildProgram returned %d: %s", e, log);
  }
  return p;
}

static cl_kernel kernel(cl_program p, const char *name) {
  cl_int e;
  cl_kernel k = clCreateKernel(p, name, &e);
  check(e, name, __LINE__);
  return k;
}

// buffer returns size bytes of device memory, filled from data unless that is NULL.
static cl_mem buffer(size_t size, const void *data) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), size, (void *)data, &e);
  check(e, "clCreateBuffer", __LINE__);
  return m;
}

#define ARG(k, i, v) CHECK(clSetKernelArg(k, i, sizeof(v), &(v)))
#define LOCAL_ARG(k, i, bytes) CHECK(clSetKernelArg(k, i, bytes, NULL))

static void enqueue(cl_kernel k, cl_uint dims, const size_t *global, const size_t *local) {
  CHECK(clEnqueueNDRangeKernel(queue, k, dims, NULL, global, local, 0, NULL, NULL));
}

static void run(cl_kernel k, cl_uint dims, const size_t *global, const size_t *local) {
  double t = now_ms();
  enqueue(k, dims, global, local);
  CHECK(clFinish(queue));
  device_ms += now_ms() - t;
}

static void read_back(cl_mem m, void *to, size_t size) {
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

// random32 is xorshift32 from a fixed seed, so that every run sees the same data.
static uint32_t random32(void) {
  static uint32_t s = 2463534242u;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}
static float random_float(void) { return (random32() >> 8) * (1.0f / 16777216.0f); }

// size scales a program's problem: "small" on the command line is for simulated devices.
static size_t size(int argc, char **argv, size_t normal, size_t small) {
  return argc > 1 && !strcmp(argv[1], "small") ? small : normal;
}

static int passed(void) {
  printf("ok %.3f ms\n", device_ms);
  return 0;
}
#endif
