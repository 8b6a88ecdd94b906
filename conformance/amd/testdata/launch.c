// What a kernel is told: arguments of every kind, where it is in the NDRange, local and private memory.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

static const char *text =
    "typedef struct { char a; long b; float3 c; short d[3]; } record;\n"
    "kernel void kinds(char c, ushort s, int i, ulong l, float f, double d, uchar3 v3, float16 v16, record r,\n"
    "                  global long *out, constant int *table, local int *one, local long *two) {\n"
    "  one[get_local_id(0)] = get_local_id(0); two[get_local_id(0)] = 100 + get_local_id(0);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_global_id(0) != 0) return;\n"
    "  int n = 0; long sum = 0;\n"
    "  for (uint k = 0; k < get_local_size(0); k++) sum += one[k] * two[k];\n"
    "  out[n++] = c; out[n++] = s; out[n++] = i; out[n++] = l; out[n++] = (long)(f * 8); out[n++] = (long)(d * 1024);\n"
    "  out[n++] = v3.x; out[n++] = v3.y; out[n++] = v3.z; out[n++] = (long)v16.sf; out[n++] = r.a; out[n++] = r.b;\n"
    "  out[n++] = (long)r.c.z; out[n++] = r.d[2]; out[n++] = table[3]; out[n++] = sum; }\n"
    "kernel void where(global uint *out, uint width, uint height) {\n"
    "  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1), z = get_global_id(2) - get_global_offset(2);\n"
    "  global uint *o = out + 8 * (x + width * (y + height * z));\n"
    "  o[0] = get_global_id(0) | get_global_id(1) << 8 | get_global_id(2) << 16; o[1] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;\n"
    "  o[2] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16; o[3] = get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16;\n"
    "  o[4] = get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16; o[5] = get_work_dim();\n"
    "  o[6] = get_global_size(0) | get_global_size(1) << 8 | get_global_size(2) << 16; o[7] = 1; }\n"
    "kernel void lds(global uint *out) {\n" // a static local array beside one that is an argument would overlap if sizes were wrong
    "  local uint a[1024]; uint l = get_local_id(0), n = get_local_size(0);\n"
    "  for (uint k = l; k < 1024; k += n) a[k] = k * 3;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  uint s = 0; for (uint k = 0; k < 1024; k += n) s += a[(k + l * 7) % 1024]; out[get_global_id(0)] = s + get_group_id(0); }\n"
    "kernel void spill(global const uint *in, global uint *out) {\n"
    "  uint a[64]; uint g = get_global_id(0);\n"
    "  for (uint k = 0; k < 64; k++) a[k] = in[k] + g;\n"
    "  uint at = g % 64; for (uint k = 0; k < 64; k++) { a[at] += k; at = a[at] % 64; }\n"
    "  uint s = 0; for (uint k = 0; k < 64; k++) s = s * 31 + a[k]; out[g] = s; }\n"
    "kernel void count(global uint *n, local uint *m) {\n"
    "  if (get_local_id(0) == 0) *m = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(m); barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) atomic_add(n, *m); atomic_max(n + 1, (uint)get_global_id(0)); }\n"
    "kernel void tell(int x) { printf(\"told %d\\n\", x); }\n";

static cl_program program;

static void kinds(void) {
  struct { cl_char a; cl_long b; cl_float3 c; cl_short d[3]; } r = {-5, 1ll << 40, {{1, 2, 3}}, {4, 5, -6}};
  cl_kernel k = kernel(program, "kinds");
  cl_char c = -7; cl_ushort s = 65000; cl_int i = -100000; cl_ulong l = 1ull << 60; cl_float f = 2.5f; cl_double d = 0.125;
  cl_uchar3 v3 = {{200, 201, 202}}; cl_float16 v16; cl_int table[4] = {0, 0, 0, 77};
  for (int n = 0; n < 16; n++) v16.s[n] = n;
  cl_mem out = buffer(16 * 8, NULL), constant = buffer(sizeof table, table);
  struct { size_t n; const void *p; } args[] = {{1, &c}, {2, &s}, {4, &i}, {8, &l}, {4, &f}, {8, &d}, {4, &v3}, {64, &v16}, {sizeof r, &r},
    {sizeof out, &out}, {sizeof constant, &constant}, {32 * 4, NULL}, {32 * 8, NULL}};
  for (cl_uint n = 0; n < sizeof args / sizeof *args; n++) CHECK(clSetKernelArg(k, n, args[n].n, args[n].p));
  size_t size = 32;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &size, &size, 0, NULL, NULL));
  cl_long got[16], sum = 0;
  for (int n = 0; n < 32; n++) sum += n * (100 + n);
  cl_long want[16] = {-7, 65000, -100000, 1ll << 60, 20, 128, 200, 201, 202, 15, -5, 1ll << 40, 3, -6, 77, sum};
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int n = 0; n < 16; n++) if (got[n] != want[n]) fail("argument value %d: %lld, not %lld", n, (long long)got[n], (long long)want[n]);
}

static cl_uint three(size_t x, size_t y, size_t z) { return x | y << 8 | z << 16; }

// where launches w*h*d work-items in groups of lx*ly*lz, of which the last ones may be smaller.
static void where(cl_uint dims, cl_uint w, cl_uint h, cl_uint d, size_t lx, size_t ly, size_t lz) {
  cl_uint n = w * h * d, *got = calloc(n, 32);
  cl_mem out = buffer(32 * n, NULL);
  cl_kernel k = kernel(program, "where");
  CHECK(clSetKernelArg(k, 0, sizeof out, &out)), CHECK(clSetKernelArg(k, 1, 4, &w)), CHECK(clSetKernelArg(k, 2, 4, &h));
  size_t offset[3] = {3, 5, 7}, global[3] = {w, h, d}, local[3] = {lx, ly, lz};
  if (dims < 3) offset[2] = 0;
  if (dims < 2) offset[1] = 0;
  CHECK(clEnqueueNDRangeKernel(queue, k, dims, offset, global, local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 32 * n, got, 0, NULL, NULL));
  for (cl_uint z = 0; z < d; z++) for (cl_uint y = 0; y < h; y++) for (cl_uint x = 0; x < w; x++) {
    cl_uint *o = got + 8 * (x + w * (y + h * z));
    cl_uint gx = (w + lx - 1) / lx, gy = (h + ly - 1) / ly, gz = (d + lz - 1) / lz;
    size_t sx = x / lx * lx + lx > w ? w % lx : lx, sy = y / ly * ly + ly > h ? h % ly : ly, sz = z / lz * lz + lz > d ? d % lz : lz;
    cl_uint want[8] = {three(x + offset[0], y + offset[1], z + offset[2]), three(x / lx, y / ly, z / lz), three(x % lx, y % ly, z % lz),
      three(sx, sy, sz), three(gx, gy, gz), dims, three(w, h, d), 1};
    for (int i = 0; i < 8; i++) if (o[i] != want[i]) fail("%ux%ux%u by %zux%zux%zu, item %u,%u,%u: value %d is %#x, not %#x", w, h, d, lx, ly, lz, x, y, z, i, o[i], want[i]);
  }
  free(got);
}

static void lds(void) {
  cl_mem out = buffer(4 * 128, NULL);
  cl_kernel k = kernel(program, "lds");
  size_t global = 128, local = 64;
  cl_uint got[128];
  CHECK(clSetKernelArg(k, 0, sizeof out, &out));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (cl_uint i = 0; i < 128; i++) {
    cl_uint want = i / 64;
    for (cl_uint n = 0; n < 1024; n += 64) want += (n + i % 64 * 7) % 1024 * 3;
    if (got[i] != want) fail("local memory, item %u: %u, not %u", i, got[i], want);
  }
}

static void spill(void) {
  cl_uint in[64], got[100];
  for (cl_uint i = 0; i < 64; i++) in[i] = i * 2654435761u;
  cl_mem a = buffer(sizeof in, in), b = buffer(sizeof got, NULL);
  cl_kernel k = kernel(program, "spill");
  size_t global = 100, local = 50;
  CHECK(clSetKernelArg(k, 0, sizeof a, &a)), CHECK(clSetKernelArg(k, 1, sizeof b, &b));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (cl_uint g = 0; g < 100; g++) {
    cl_uint x[64], at = g % 64, s = 0;
    for (int i = 0; i < 64; i++) x[i] = in[i] + g;
    for (int i = 0; i < 64; i++) x[at] += i, at = x[at] % 64;
    for (int i = 0; i < 64; i++) s = s * 31 + x[i];
    if (got[g] != s) fail("private memory, item %u: %u, not %u", g, got[g], s);
  }
}

static void count(void) {
  cl_uint n[2] = {0, 0};
  cl_mem b = buffer(sizeof n, n);
  cl_kernel k = kernel(program, "count");
  size_t global = 960;
  CHECK(clSetKernelArg(k, 0, sizeof b, &b)), CHECK(clSetKernelArg(k, 1, 4, NULL));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof n, n, 0, NULL, NULL));
  if (n[0] != 960 || n[1] != 959) fail("atomics: %u and %u", n[0], n[1]);
}

static void tell(void) {
  cl_kernel k = kernel(program, "tell");
  cl_int x = 7;
  size_t one = 1;
  CHECK(clSetKernelArg(k, 0, 4, &x));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
}

// load makes the program of a binary in a file.
static cl_program load(const char *path) {
  static unsigned char bytes[1 << 20];
  const unsigned char *binary = bytes;
  FILE *f = fopen(path, "rb");
  if (!f) fail("%s cannot be read", path);
  size_t n = fread(bytes, 1, sizeof bytes, f);
  cl_int st, e;
  cl_program p = clCreateProgramWithBinary(context, 1, &device, &n, &binary, &st, &e);
  check(e, "clCreateProgramWithBinary", __LINE__);
  CHECK(clBuildProgram(p, 1, &device, NULL, NULL, NULL));
  return p;
}

// With an argument the kernels come from the file of that name, a program binary; "source" shows what they are made of.
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "small";
  if (!strcmp(what, "source")) {
    printf("%s", text);
    return 0;
  }
  open_device();
  program = strcmp(what, "small") ? load(what) : build(text, "-cl-std=CL3.0");
  kinds();
  where(1, 64, 1, 1, 16, 1, 1);
  where(2, 12, 10, 1, 4, 5, 1);
  where(3, 6, 4, 6, 3, 2, 2);
  where(1, 50, 1, 1, 16, 1, 1); // non-uniform
  where(3, 7, 5, 3, 4, 2, 2);
  lds();
  spill();
  count();
  tell();
  printf("ok\n");
  return 0;
}
