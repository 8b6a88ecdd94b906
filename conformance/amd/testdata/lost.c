// An application takes memory away that a copy still needs: the copy ends with an error, what depends on it, too, and all else goes on.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "told.h"
#include <sys/mman.h>

enum { SIZE = 1 << 16 };

static const char *text = "kernel void slow(global uint *x) { uint v = *x; for (uint k = 0; k < 300000; k++) v = v * 1664525 + 1013904223; *x = v; }\n"
                          "kernel void add(global uint *x) { x[get_global_id(0)]++; }\n";

int main(void) {
  cl_int e;
  open_device();
  cl_context c = telling_context();
  cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
  cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, &e);
  CHECK(clBuildProgram(p, 1, &device, "", NULL, NULL));
  static cl_uint zero[SIZE / 4], got[SIZE / 4];
  cl_mem m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, SIZE, zero, &e), x = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, SIZE, zero, &e);
  cl_kernel slow = kernel(p, "slow"), add = kernel(p, "add");
  CHECK(clSetKernelArg(slow, 0, sizeof x, &x)), CHECK(clSetKernelArg(add, 0, sizeof x, &x));
  void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t one = 1, n = SIZE / 4;
  cl_event before, lost, depends, after;
  CHECK(clEnqueueNDRangeKernel(q, slow, 1, NULL, &one, NULL, 0, NULL, &before));
  CHECK(clEnqueueWriteBuffer(q, m, CL_FALSE, 0, SIZE, memory, 0, NULL, &lost));
  CHECK(clEnqueueNDRangeKernel(q, add, 1, NULL, &n, NULL, 1, &lost, &depends));
  CHECK(clEnqueueNDRangeKernel(q, add, 1, NULL, &n, NULL, 0, NULL, &after));
  CHECK(clFlush(q));
  munmap(memory, SIZE); // the kernel runs for longer
  CHECK(clFinish(q));
  expect_status(before, CL_COMPLETE, "the command before");
  expect_status(lost, CL_OUT_OF_RESOURCES, "the copy");
  expect_status(depends, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "what depends on it");
  expect_status(after, CL_COMPLETE, "what comes after");
  await_notes(1);
  CHECK(clEnqueueReadBuffer(q, x, CL_TRUE, 0, SIZE, got, 0, NULL, NULL));
  for (int i = 1; i < SIZE / 4; i++) if (got[i] != 1) fail("item %d is %u", i, got[i]);
  for (int i = 0; i < SIZE / 4; i++) zero[i] = i;
  CHECK(clEnqueueWriteBuffer(q, m, CL_TRUE, 0, SIZE, zero, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, SIZE, got, 0, NULL, NULL));
  if (memcmp(zero, got, SIZE)) fail("a later copy moves something else");
  printf("ok: %s\n", told);
  return 0;
}
