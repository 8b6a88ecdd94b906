// Queues of sub-devices keep to their compute units, which kernels read from the register HW_ID of gfx9: bits 8 to 11 number the units of
// an engine, bits 13 and 14 the engines. A mask's bits are dealt out to the engines in turns.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

static const char *text =
    "#define HW_ID(from, bits) __builtin_amdgcn_s_getreg(4 | (from) << 6 | ((bits) - 1) << 11)\n"
    "kernel void where(global uint *out) { if (get_local_id(0) == 0) out[get_group_id(0)] = HW_ID(8, 4) * 4 + HW_ID(13, 2); }\n";

enum { GROUPS = 400, UNITS = 60 };
static cl_program program;

// seen says which units ran kernels of a queue on a device.
static void seen(cl_device_id d, int *units) {
  cl_int e;
  cl_command_queue q = clCreateCommandQueueWithProperties(context, d, NULL, &e);
  check(e, "queue", __LINE__);
  cl_kernel k = kernel(program, "where");
  cl_mem m = buffer(4 * GROUPS, NULL);
  cl_uint got[GROUPS];
  size_t global = 64 * GROUPS, local = 64;
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  memset(units, 0, UNITS * sizeof *units);
  for (int i = 0; i < GROUPS; i++) {
    if (got[i] >= UNITS) fail("group %d ran on unit %u", i, got[i]);
    units[got[i]] = 1;
  }
  CHECK(clReleaseMemObject(m)), CHECK(clReleaseKernel(k)), CHECK(clReleaseCommandQueue(q));
}

// within fails unless a device's kernels ran on all units from first to last, and no others.
static void within(const char *what, cl_device_id d, int first, int last) {
  int units[UNITS];
  seen(d, units);
  for (int u = 0; u < UNITS; u++)
    if (units[u] != (u >= first && u <= last)) fail("%s: unit %d %s", what, u, units[u] ? "ran its kernel" : "ran nothing");
}

int main(void) {
  cl_int e;
  open_device();
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 40, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 20, 0};
  cl_device_id all[5] = {device};
  CHECK(clCreateSubDevices(device, counts, 2, all + 1, NULL));
  CHECK(clCreateSubDevices(all[2], halves, 2, all + 3, NULL));
  context = clCreateContext(NULL, 5, all, NULL, NULL, &e);
  check(e, "context", __LINE__);
  program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  CHECK(clBuildProgram(program, 5, all, "", NULL, NULL));
  within("a sub-device of three units", all[1], 0, 2);
  within("one of forty", all[2], 3, 42);
  within("its first half", all[3], 3, 22);
  within("its second half", all[4], 23, 42);
  int units[UNITS], n = 0;
  seen(device, units);
  for (int u = 0; u < UNITS; u++) n += units[u];
  if (n < 50) fail("kernels of the whole device ran on %d units", n);
  printf("ok\n");
  return 0;
}
