// Sub-groups of a GPU, which are its wavefronts: what they are told of themselves, and every function of OpenCL C 3.0 for each type.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

static const char *text =
    "#define FUNCTIONS(T) kernel void of_##T(global const T *in, global T *out) {\\\n"
    "  size_t i = get_global_linear_id(); T x = in[i]; out += i * 10;\\\n"
    "  out[0] = sub_group_reduce_add(x); out[1] = sub_group_reduce_min(x); out[2] = sub_group_reduce_max(x);\\\n"
    "  out[3] = sub_group_scan_inclusive_add(x); out[4] = sub_group_scan_inclusive_min(x); out[5] = sub_group_scan_inclusive_max(x);\\\n"
    "  out[6] = sub_group_scan_exclusive_add(x); out[7] = sub_group_scan_exclusive_min(x); out[8] = sub_group_scan_exclusive_max(x);\\\n"
    "  out[9] = sub_group_broadcast(x, get_sub_group_size() - 1); }\n"
    "FUNCTIONS(int) FUNCTIONS(uint) FUNCTIONS(long) FUNCTIONS(ulong) FUNCTIONS(float) FUNCTIONS(double)\n"
    "kernel void about(global const int *in, global uint *out) {\n"
    "  local uint shared[256]; size_t i = get_global_linear_id(), l = get_local_linear_id(); int x = in[i]; out += i * 10;\n"
    "  uint size = get_sub_group_size(), at = get_sub_group_local_id(), first = l - at;\n"
    "  out[0] = size; out[1] = get_max_sub_group_size(); out[2] = get_num_sub_groups(); out[3] = get_enqueued_num_sub_groups();\n"
    "  out[4] = get_sub_group_id(); out[5] = at; out[6] = sub_group_all(x < 90) != 0; out[7] = sub_group_any(x > 97) != 0;\n"
    "  shared[l] = x; sub_group_barrier(CLK_LOCAL_MEM_FENCE); out[8] = shared[first + (at + 1) % size];\n"
    "  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group); shared[l] = 2 * x;\n"
    "  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group); out[9] = shared[first + (at + size - 1) % size]; }\n";

enum { WAVE = 64, MOST = 1024, ANSWERS = 10 };

static cl_program program;

// ranges are NDRanges: items in a work-group and in all, in two dimensions. The last work-groups may be smaller, in the first.
static const struct { size_t local[2], global[2]; } ranges[] = {
  {{64, 1}, {128, 1}}, {{256, 1}, {512, 1}}, {{96, 1}, {192, 1}}, {{1, 1}, {3, 1}}, {{8, 12}, {16, 24}}, {{128, 1}, {300, 1}}, {{63, 1}, {63, 1}},
};

// place is where a work-item is: its sub-group begins at item first of the range, of which it has the items that step by step follow.
struct place { size_t item[WAVE], size, at, id, groups; };

static struct place find(int r, size_t x, size_t y) {
  const size_t *local = ranges[r].local, *global = ranges[r].global;
  size_t gx = x / local[0] * local[0], gy = y / local[1] * local[1];
  size_t width = global[0] - gx < local[0] ? global[0] - gx : local[0], items = width * local[1];
  size_t linear = x - gx + (y - gy) * width;
  struct place p = {.at = linear % WAVE, .id = linear / WAVE, .groups = (items + WAVE - 1) / WAVE};
  for (size_t l = linear - p.at; l < items && p.size < WAVE; l++) p.item[p.size++] = gx + l % width + global[0] * (gy + l / width);
  return p;
}

static void launch(const char *name, int r, const void *in, void *out, size_t each) {
  size_t n = ranges[r].global[0] * ranges[r].global[1];
  cl_kernel k = kernel(program, name);
  cl_mem a = buffer(n * each, in), b = buffer(n * each * ANSWERS, NULL);
  CHECK(clSetKernelArg(k, 0, sizeof a, &a)), CHECK(clSetKernelArg(k, 1, sizeof b, &b));
  CHECK(clEnqueueNDRangeKernel(queue, k, 2, NULL, ranges[r].global, ranges[r].local, 0, NULL, NULL));
  read_back(b, out, n * each * ANSWERS);
  CHECK(clReleaseMemObject(a)), CHECK(clReleaseMemObject(b)), CHECK(clReleaseKernel(k));
}

#define OF_TYPE(T, LEAST, LOWEST, HIGHEST) \
  static void of_##T(int r) { \
    static cl_##T in[MOST], got[MOST * ANSWERS]; \
    size_t w = ranges[r].global[0], h = ranges[r].global[1]; \
    for (size_t i = 0; i < w * h; i++) in[i] = (cl_##T)(random32() % 1000) + LEAST; \
    launch("of_" #T, r, in, got, sizeof *in); \
    for (size_t y = 0; y < h; y++) for (size_t x = 0; x < w; x++) { \
      struct place p = find(r, x, y); \
      cl_##T want[ANSWERS] = {0, HIGHEST, LOWEST, 0, HIGHEST, LOWEST, 0, HIGHEST, LOWEST, in[p.item[p.size - 1]]}; \
      for (size_t i = 0; i < p.size; i++) for (int scan = 0; scan < 9; scan += 3) { \
        if ((scan == 3 && i > p.at) || (scan == 6 && i >= p.at)) continue; \
        cl_##T v = in[p.item[i]]; \
        want[scan] += v; \
        if (v < want[scan + 1]) want[scan + 1] = v; \
        if (v > want[scan + 2]) want[scan + 2] = v; \
      } \
      for (int i = 0; i < ANSWERS; i++) if (got[(x + w * y) * ANSWERS + i] != want[i]) \
        fail(#T ", range %d, item %zu,%zu, function %d: %g, not %g", r, x, y, i, (double)got[(x + w * y) * ANSWERS + i], (double)want[i]); \
    } \
  }
OF_TYPE(int, -500, CL_INT_MIN, CL_INT_MAX)
OF_TYPE(uint, 0, 0, CL_UINT_MAX)
OF_TYPE(long, -500, CL_LONG_MIN, CL_LONG_MAX)
OF_TYPE(ulong, 0, 0, CL_ULONG_MAX)
OF_TYPE(float, -500, -INFINITY, INFINITY)
OF_TYPE(double, -500, -INFINITY, INFINITY)

static void about(int r) {
  static cl_int in[MOST];
  static cl_uint got[MOST * ANSWERS];
  size_t w = ranges[r].global[0], h = ranges[r].global[1], full = ranges[r].local[0] * ranges[r].local[1];
  for (size_t i = 0; i < w * h; i++) in[i] = random32() % 100;
  launch("about", r, in, got, sizeof *in);
  for (size_t y = 0; y < h; y++) for (size_t x = 0; x < w; x++) {
    struct place p = find(r, x, y);
    cl_uint all = 1, any = 0, *g = got + (x + w * y) * ANSWERS;
    for (size_t i = 0; i < p.size; i++) all = all && in[p.item[i]] < 90, any = any || in[p.item[i]] > 97;
    cl_uint want[ANSWERS] = {p.size, full < WAVE ? full : WAVE, p.groups, (full + WAVE - 1) / WAVE, p.id, p.at, all, any,
      in[p.item[(p.at + 1) % p.size]], 2 * in[p.item[(p.at + p.size - 1) % p.size]]};
    for (int i = 0; i < ANSWERS; i++) if (g[i] != want[i]) fail("range %d, item %zu,%zu, answer %d: %u, not %u", r, x, y, i, g[i], want[i]);
  }
}

static size_t ask(cl_kernel k, cl_kernel_sub_group_info what, size_t n, const size_t *in) {
  size_t answer = 0;
  CHECK(clGetKernelSubGroupInfo(k, device, what, n * sizeof *in, in, sizeof answer, &answer, NULL));
  return answer;
}

int main(void) {
  open_device();
  program = build(text, "-cl-std=CL3.0");
  for (int r = 0; r < (int)(sizeof ranges / sizeof *ranges); r++) {
    about(r);
    of_int(r), of_uint(r), of_long(r), of_ulong(r), of_float(r), of_double(r);
  }
  cl_kernel k = kernel(program, "about");
  cl_uint most;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
  const size_t range[] = {12, 8}, count = 3;
  if (most != 4) fail("%u sub-groups at most", most);
  if (ask(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 2, range) != WAVE) fail("size of the sub-groups of a range");
  if (ask(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 2, range) != 2) fail("number of the sub-groups of a range");
  if (ask(k, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1, &count) != 3 * WAVE) fail("size of three sub-groups");
  if (ask(k, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL) != 4) fail("sub-groups of the kernel");
  printf("ok\n");
  return 0;
}
