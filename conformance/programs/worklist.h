// Programs that work through a list which grows as they do: step handles the items of a round, one each, and appends those of
// the next. The host can drive the rounds, which takes a round trip for each. Or the kernel drive can: it enqueues step and then
// itself; or, where an item needs nothing of the others, it goes on from each item by itself, without rounds. Both kernels take the same arguments: those of the program, then lists (two of `capacity` items), capacity,
// counts (of items in each) and the round, whose lowest bit says which list it reads.
#ifndef WORKLIST_H
#define WORKLIST_H
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

// RUNS is how often both take their turn, in all: the fastest of each counts.
#define RUNS 40

static cl_command_queue device_queue;

// can_enqueue opens the device and a default on-device queue, if it has such.
static int can_enqueue(void) {
  open_device();
  cl_device_device_enqueue_capabilities can = 0;
  clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL);
  if (!(can & CL_DEVICE_QUEUE_SUPPORTED)) return 0;
  cl_queue_properties p[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int e;
  device_queue = clCreateCommandQueueWithProperties(context, device, p, &e);
  check(e, "clCreateCommandQueueWithProperties", __LINE__);
  return 1;
}

typedef struct {
  cl_kernel step, drive;
  cl_uint args; // of the program
  cl_mem lists, counts;
  size_t item, capacity;
  size_t group; // work-items that see to an item, a work-group of their own; 0: one, in groups as the driver likes
} worklist;

static worklist make_worklist(const char *text, cl_uint args, size_t item, size_t capacity, size_t group) {
  cl_program p = build(text, "-cl-std=CL3.0");
  worklist w = {kernel(p, "step"), kernel(p, "drive"), args, buffer(2 * item * capacity, NULL), buffer(8, NULL), item, capacity, group};
  return w;
}

static void argument(worklist *w, cl_uint i, size_t bytes, const void *value) {
  CHECK(clSetKernelArg(w->step, i, bytes, value));
  CHECK(clSetKernelArg(w->drive, i, bytes, value));
}

// start fills the first list with n items.
static void start(worklist *w, const void *items, cl_uint n) {
  cl_uint counts[2] = {n, 0}, capacity = w->capacity, round = 0;
  CHECK(clEnqueueWriteBuffer(queue, w->lists, CL_TRUE, 0, n * w->item, items, 0, NULL, NULL));
  CHECK(clEnqueueWriteBuffer(queue, w->counts, CL_TRUE, 0, 8, counts, 0, NULL, NULL));
  argument(w, w->args, sizeof w->lists, &w->lists);
  argument(w, w->args + 1, 4, &capacity);
  argument(w, w->args + 2, sizeof w->counts, &w->counts);
  argument(w, w->args + 3, 4, &round);
}

// by_host and by_device work through the list, and return the milliseconds it takes.
static double by_host(worklist *w, cl_uint n) {
  static const cl_uint none = 0;
  double t = now_ms();
  for (cl_uint round = 0; n; round++) {
    size_t items = n * (w->group ? w->group : 1), next = ~round & 1;
    CHECK(clEnqueueWriteBuffer(queue, w->counts, CL_FALSE, 4 * next, 4, &none, 0, NULL, NULL));
    ARG(w->step, w->args + 3, round);
    enqueue(w->step, 1, &items, w->group ? &w->group : NULL);
    CHECK(clEnqueueReadBuffer(queue, w->counts, CL_TRUE, 4 * next, 4, &n, 0, NULL, NULL));
    if (n > w->capacity) fail("round %u: a list of %u items", round, n);
  }
  return now_ms() - t;
}

static double by_device(worklist *w) {
  size_t one = 1;
  double t = now_ms();
  enqueue(w->drive, 1, &one, &one);
  CHECK(clFinish(queue));
  return now_ms() - t;
}

// compared prints both times.
static int compared(double host, double on_device) {
  printf("ok %.3f ms driven by the device, %.3f ms by the host\n", on_device, host);
  CHECK(clReleaseCommandQueue(device_queue));
  return 0;
}

static int without(void) {
  printf("ok: kernels of this device cannot enqueue kernels\n");
  return 0;
}
#endif
