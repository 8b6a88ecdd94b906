// A context of the CPU and a GPU: both work on the same buffers, in turns that events order.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

static const char *text = "kernel void step(global uint *x, uint a) { x[get_global_id(0)] = x[get_global_id(0)] * 3 + a; }\n";

int main(void) {
  cl_int e;
  cl_platform_id platform;
  cl_device_id d[2];
  cl_uint n;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, d, &n));
  if (n != 2) fail("%u devices", n);
  context = clCreateContext(NULL, 2, d, NULL, NULL, &e);
  check(e, "context", __LINE__);
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  CHECK(clBuildProgram(p, 2, d, "", NULL, NULL));
  cl_kernel k = kernel(p, "step");
  static cl_uint zero[1000], own[1000], got[1000];
  cl_mem m[2] = {buffer(sizeof zero, zero), clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof own, own, &e)};
  check(e, "USE_HOST_PTR", __LINE__);
  cl_command_queue q[2];
  for (int i = 0; i < 2; i++) {
    q[i] = clCreateCommandQueueWithProperties(context, d[i], NULL, &e);
    check(e, "queue", __LINE__);
  }
  cl_uint want = 0;
  cl_event last = NULL;
  for (cl_uint i = 0; i < 10; i++) {
    size_t size = 1000;
    for (int b = 0; b < 2; b++) {
      cl_event next;
      CHECK(clSetKernelArg(k, 0, sizeof m[b], &m[b])), CHECK(clSetKernelArg(k, 1, 4, &i));
      CHECK(clEnqueueNDRangeKernel(q[i % 2], k, 1, NULL, &size, NULL, last != NULL, last ? &last : NULL, &next));
      last = next;
    }
    want = want * 3 + i;
  }
  for (int b = 0; b < 2; b++) {
    CHECK(clEnqueueReadBuffer(q[b], m[b], CL_TRUE, 0, sizeof got, got, 1, &last, NULL));
    for (int i = 0; i < 1000; i++) if (got[i] != want) fail("buffer %d, item %d: %u, not %u", b, i, got[i], want);
  }
  printf("ok\n");
  return 0;
}
