// Who waits for whom: chains in one queue and across queues, out of order with wait lists, user events, callbacks, times.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"
#include <stdatomic.h>
#include <unistd.h>

static const char *text =
    "kernel void step(global uint *x, uint a, uint n) { uint i = get_global_id(0); if (i < n) x[i] = x[i] * 3 + a; }\n"
    "kernel void slow(global uint *x, uint a, uint n) { uint i = get_global_id(0); uint v = x[i];\n"
    "  for (uint k = 0; k < 200; k++) v = v * 1664525 + 1013904223; if (i < n) x[i] = v + a; }\n";

enum { N = 256 };
static cl_program program;

static cl_kernel stepper(const char *name, cl_mem m, cl_uint a) {
  cl_kernel k = kernel(program, name);
  cl_uint n = N;
  CHECK(clSetKernelArg(k, 0, sizeof m, &m)), CHECK(clSetKernelArg(k, 1, 4, &a)), CHECK(clSetKernelArg(k, 2, 4, &n));
  return k;
}

static void launch(cl_command_queue q, cl_kernel k, cl_uint waits, const cl_event *wait, cl_event *e) {
  size_t n = N, local = 64;
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, waits, wait, e));
}

static void expect(cl_mem m, cl_uint want, const char *what) {
  cl_uint got[N];
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int i = 0; i < N; i++) if (got[i] != want) fail("%s: item %d is %#x, not %#x", what, i, got[i], want);
}

static cl_mem zeroes(void) {
  static const cl_uint zero[N];
  return buffer(sizeof zero, zero);
}

static cl_uint slowly(cl_uint v, cl_uint a) {
  for (int k = 0; k < 200; k++) v = v * 1664525 + 1013904223;
  return v + a;
}

// inorder enqueues many commands that each need what the one before left, nothing between them.
static void inorder(void) {
  cl_mem m = zeroes();
  cl_uint want = 0;
  for (cl_uint i = 0; i < 40; i++) {
    cl_kernel k = stepper(i % 8 ? "step" : "slow", m, i);
    launch(queue, k, 0, NULL, NULL);
    want = i % 8 ? want * 3 + i : slowly(want, i);
    CHECK(clReleaseKernel(k));
    if (i == 20) {
      cl_uint v = 77;
      CHECK(clEnqueueFillBuffer(queue, m, &v, 4, 0, 4 * N, 0, NULL, NULL));
      want = v;
    }
  }
  expect(m, want, "a chain in an in-order queue");
  CHECK(clReleaseMemObject(m));
}

// across passes one buffer between queues, in order and out of order, by events alone.
static void across(void) {
  cl_int e;
  cl_queue_properties out[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue q[4];
  for (int i = 0; i < 4; i++) {
    q[i] = clCreateCommandQueueWithProperties(context, device, i % 2 ? out : NULL, &e);
    check(e, "queue", __LINE__);
  }
  cl_mem m = zeroes();
  cl_uint want = 0;
  cl_event last = NULL;
  for (cl_uint i = 0; i < 48; i++) {
    cl_kernel k = stepper(i % 5 ? "step" : "slow", m, i);
    cl_event next;
    launch(q[i % 4], k, last != NULL, last ? &last : NULL, &next);
    want = i % 5 ? want * 3 + i : slowly(want, i);
    if (last) CHECK(clReleaseEvent(last));
    last = next;
    CHECK(clReleaseKernel(k));
    CHECK(clFlush(q[i % 4]));
  }
  CHECK(clWaitForEvents(1, &last));
  expect(m, want, "a chain across queues");
  CHECK(clReleaseEvent(last));
  for (int i = 0; i < 4; i++) CHECK(clReleaseCommandQueue(q[i]));
  CHECK(clReleaseMemObject(m));
}

static atomic_int called, too_early, user_set;
static void CL_CALLBACK note(cl_event e, cl_int status, void *unused) {
  (void)e, (void)unused;
  if (!atomic_load(&user_set) || status != CL_COMPLETE) atomic_fetch_add(&too_early, 1);
  atomic_fetch_add(&called, 1);
}

// user holds commands back by a user event, while another queue goes on.
static void user(void) {
  cl_int e;
  cl_mem held = zeroes(), free = zeroes();
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, &e);
  check(e, "queue", __LINE__);
  cl_event gate = clCreateUserEvent(context, &e), done, passed;
  check(e, "user event", __LINE__);
  launch(other, stepper("step", held, 5), 1, &gate, &done);
  CHECK(clSetEventCallback(done, CL_COMPLETE, note, NULL));
  CHECK(clFlush(other));
  launch(queue, stepper("step", free, 9), 0, NULL, &passed);
  CHECK(clWaitForEvents(1, &passed));
  expect(held, 0, "what waits for a user event");
  expect(free, 9, "what does not");
  atomic_store(&user_set, 1);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &done));
  expect(held, 5, "what has waited for a user event");
  for (int i = 0; !atomic_load(&called) && i < 20000; i++) usleep(1000);
  if (atomic_load(&called) != 1 || atomic_load(&too_early)) fail("the callback ran %d times, %d of them too early", called, too_early);
  CHECK(clReleaseCommandQueue(other));
}

// times are in the order of what happened.
static void times(void) {
  cl_int e;
  cl_queue_properties p[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue q = clCreateCommandQueueWithProperties(context, device, p, &e);
  check(e, "queue", __LINE__);
  cl_mem m = zeroes();
  cl_event ev[6];
  cl_uint v = 1;
  cl_ulong before, after, host, last = 0;
  CHECK(clGetDeviceAndHostTimer(device, &before, &host));
  for (int i = 0; i < 4; i++) launch(q, stepper("slow", m, i), 0, NULL, &ev[i]);
  CHECK(clEnqueueFillBuffer(q, m, &v, 4, 0, 4 * N, 0, NULL, &ev[4]));
  CHECK(clEnqueueMarkerWithWaitList(q, 0, NULL, &ev[5]));
  CHECK(clFinish(q));
  CHECK(clGetDeviceAndHostTimer(device, &after, &host));
  for (int i = 0; i < 6; i++) {
    cl_ulong t[5];
    for (int k = 0; k < 5; k++) CHECK(clGetEventProfilingInfo(ev[i], CL_PROFILING_COMMAND_QUEUED + (k < 4 ? k : 4), 8, &t[k], NULL));
    for (int k = 1; k < 5; k++) if (t[k] < t[k - 1]) fail("command %d: time %d is before the one before it", i, k);
    if (t[0] < before || t[4] > after) fail("command %d: its times are not those of the device's timer", i);
    if (i < 5 && t[3] == t[2]) fail("command %d took no time", i);
    if (t[2] < last) fail("command %d began before the one before it had ended", i);
    last = t[3];
  }
}

int main(void) {
  open_device();
  program = build(text, "");
  inorder();
  across();
  user();
  times();
  printf("ok\n");
  return 0;
}
