// What goes wrong on the device ends the command, with a reason; what depends on it ends, too, and all else goes on.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "told.h"

static const char *text =
    "kernel void fault(ulong address) { *(global volatile uint *)address = 1; }\n"
    "kernel void trap(ulong unused) { __builtin_trap(); }\n"
    "kernel void add(global uint *x, uint a) { x[get_global_id(0)] += a; }\n";

static char first[4096];

int main(int argc, char **argv) {
  const char *bad = argc > 1 ? argv[1] : "fault";
  cl_int e;
  open_device();
  cl_context c = telling_context();
  cl_queue_properties out[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue q = clCreateCommandQueueWithProperties(c, device, NULL, &e), other = clCreateCommandQueueWithProperties(c, device, out, &e);
  check(e, "queue", __LINE__);
  cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, &e);
  CHECK(clBuildProgram(p, 1, &device, "", NULL, NULL));
  cl_kernel broken = kernel(p, bad), add = kernel(p, "add");
  cl_uint zero[64] = {0}, got[64];
  cl_mem m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &e);
  check(e, "buffer", __LINE__);
  cl_ulong nowhere = 0x7654321000;
  size_t one = 1, n = 64;
  CHECK(clSetKernelArg(broken, 0, 8, &nowhere));
  CHECK(clSetKernelArg(add, 0, sizeof m, &m));
  for (int round = 1; round <= 2; round++) {
    cl_uint a = 1;
    cl_event before, failed, depends, far, after;
    CHECK(clSetKernelArg(add, 1, 4, &a));
    CHECK(clEnqueueNDRangeKernel(q, add, 1, NULL, &n, NULL, 0, NULL, &before));
    CHECK(clEnqueueNDRangeKernel(q, broken, 1, NULL, &one, NULL, 0, NULL, &failed));
    a = 100;
    CHECK(clSetKernelArg(add, 1, 4, &a));
    CHECK(clEnqueueNDRangeKernel(q, add, 1, NULL, &n, NULL, 1, &failed, &depends));
    CHECK(clEnqueueNDRangeKernel(other, add, 1, NULL, &n, NULL, 1, &failed, &far));
    a = 10;
    CHECK(clSetKernelArg(add, 1, 4, &a));
    CHECK(clEnqueueNDRangeKernel(q, add, 1, NULL, &n, NULL, 0, NULL, &after));
    CHECK(clFlush(q)), CHECK(clFlush(other));
    CHECK(clFinish(q)), CHECK(clFinish(other));
    expect_status(before, CL_COMPLETE, "the command before");
    expect_status(failed, CL_OUT_OF_RESOURCES, "the broken command");
    expect_status(depends, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "what depends on it");
    expect_status(far, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "what depends on it elsewhere");
    expect_status(after, CL_COMPLETE, "what comes after");
    await_notes(round);
    if (!strstr(told, bad)) fail("round %d: told: %s", round, told);
    if (round == 1) strcpy(first, told);
    CHECK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 64; i++) if (got[i] != (cl_uint)(11 * round)) fail("round %d: item %d is %u", round, i, got[i]);
  }
  printf("ok: %s\n", first);
  return 0;
}
