// A thousand small launches, enqueued one by one and recorded in a command buffer (cl_khr_command_buffer): the same results, for how
// much of the processor's time.
#include "host.h"

#include <sys/resource.h>
SOURCE("replay.cl")

// The declarations of version 0.9.8; installed headers may have those of an older one.
typedef void *command_buffer;
typedef command_buffer (*create_function)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
typedef cl_int (*launch_function)(command_buffer, cl_command_queue, const cl_ulong *, cl_kernel, cl_uint, const size_t *, const size_t *,
                                  const size_t *, cl_uint, const cl_uint *, cl_uint *, void **);
typedef cl_int (*enqueue_function)(cl_uint, cl_command_queue *, command_buffer, cl_uint, const cl_event *, cl_event *);
typedef cl_int (*buffer_function)(command_buffer);

static void *extension(const char *name) {
  cl_platform_id platform;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
  void *f = clGetExtensionFunctionAddressForPlatform(platform, name);
  if (!f) fail("no function %s", name);
  return f;
}

static double cpu_us(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

int main(int argc, char **argv) {
  size_t launches = 1000, rounds = size(argc, argv, 100, 3), n = 64, local = 64;
  cl_uint *out = malloc(n * 4), zero = 0, expect;
  double enqueued = 0, replayed = 0;
  cl_int e;
  open_device();
  static char names[1 << 16];
  CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
  if (!strstr(names, "cl_khr_command_buffer ")) return passed(); // nothing to compare
  create_function create = extension("clCreateCommandBufferKHR");
  launch_function launch = extension("clCommandNDRangeKernelKHR");
  enqueue_function replay = extension("clEnqueueCommandBufferKHR");
  buffer_function finalize = extension("clFinalizeCommandBufferKHR"), release = extension("clReleaseCommandBufferKHR");

  cl_kernel k = kernel(build(source, ""), "step");
  cl_mem m = buffer(n * 4, NULL);
  command_buffer b = create(1, &queue, NULL, &e);
  check(e, "clCreateCommandBufferKHR", __LINE__);
  ARG(k, 0, m);
  for (cl_uint i = 0; i < launches; i++) {
    ARG(k, 1, i);
    CHECK(launch(b, NULL, NULL, k, 1, NULL, &n, &local, 0, NULL, NULL, NULL));
  }
  CHECK(finalize(b));
  expect = 0;
  for (cl_uint i = 0; i < launches; i++) expect = expect * 5 + i;

  for (size_t round = 0; round < 2 * rounds; round++) { // in pairs, as the machine may be busy with other things at times
    CHECK(clEnqueueFillBuffer(queue, m, &zero, 4, 0, n * 4, 0, NULL, NULL));
    CHECK(clFinish(queue));
    double t = now_ms(), cpu = cpu_us();
    if (round % 2)
      CHECK(replay(0, NULL, b, 0, NULL, NULL));
    else
      for (cl_uint i = 0; i < launches; i++) {
        ARG(k, 1, i);
        enqueue(k, 1, &n, &local);
      }
    CHECK(clFinish(queue));
    device_ms += now_ms() - t;
    *(round % 2 ? &replayed : &enqueued) += cpu_us() - cpu;
    read_back(m, out, n * 4);
    for (size_t i = 0; i < n; i++)
      if (out[i] != expect) fail("element %zu is %u, not %u", i, out[i], expect);
  }
  CHECK(release(b));
  printf("ok %.3f ms, %.0f ns of processor time an enqueued launch, %.0f ns a recorded one\n", device_ms, enqueued / rounds, replayed / rounds);
  return 0;
}
