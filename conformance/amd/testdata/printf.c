// What kernels print, in an order that does not depend on the device: one work-item at a time, but for a line that all print.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

static const char *text =
    "constant int one = 1;\n"
    "void tell(int x) { printf(\"told: %d\\n\", x); }\n"
    "kernel void types(int i, long l, float f, double d, char c) {\n"
    "  printf(\"%d %5d|%-5d|%+d %x %#o %ld %lx\\n\", i, i, i, i, i, i, l, l);\n"
    "  printf(\"%f %.3e %g %a %10.2f|\\n\", f, f, d, d, d);\n"
    "  printf(\"%c %s %.2s|%8s|%s\\n\", c, \"str:ing\", \"cut\", \"right\", \"\");\n"
    "  printf(\"%v4d %v2f %v3hd %v4hhx %v2ld %v8hlf\\n\", (int4)(1, -2, 3, i), (float2)(f, -0.5f), (short3)(1, 2, -3), (uchar4)(255, 1, 2, 3),\n"
    "         (long2)(l, -l), (float8)(f));\n"
    "  printf(\"100%% \\\\n \\\\72 :\\t\\\"quoted\\\" \\xff\\n\");\n"
    "  printf(\"%F %.2A %s.%s.%s\\n\", d, d, \"four\", \"eightbit\", \"a\");\n"
    "  printf(\"%v2hhx\\n\", (uchar2)(250, 251));\n"
    "  printf(\"%d\\n\", &one != 0 ? one : 0);\n"
    "  printf(\"%.0s%d\\n\", \"none\", &one == 0);\n"
    "  printf(\"%d\\n\", i, \"unused\", 3);\n"
    "  tell(i);\n"
    "  printf(\"no end\");\n"
    "}\n"
    "kernel void all(void) { printf(\"item %d\\n\", (int)get_global_id(0)); }\n"
    "kernel void silent(global int *x) { x[get_global_id(0)]++; }\n";

int main(void) {
  open_device();
  cl_program p = build(text, "");
  cl_kernel types = kernel(p, "types"), all = kernel(p, "all"), silent = kernel(p, "silent");
  cl_int i = 42;
  cl_long l = -5000000000;
  cl_float f = 1.5f;
  cl_double d = 0.1;
  cl_char c = 'x';
  CHECK(clSetKernelArg(types, 0, 4, &i)), CHECK(clSetKernelArg(types, 1, 8, &l)), CHECK(clSetKernelArg(types, 2, 4, &f));
  CHECK(clSetKernelArg(types, 3, 8, &d)), CHECK(clSetKernelArg(types, 4, 1, &c));
  size_t one = 1, many = 100;
  printf("before\n");
  fflush(stdout);
  for (int k = 0; k < 3; k++) CHECK(clEnqueueNDRangeKernel(queue, types, 1, NULL, &one, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  printf("|between\n");
  fflush(stdout);
  cl_event e;
  CHECK(clEnqueueNDRangeKernel(queue, all, 1, NULL, &many, NULL, 0, NULL, &e));
  CHECK(clWaitForEvents(1, &e));
  cl_int zero[64] = {0};
  cl_mem m = buffer(sizeof zero, zero);
  size_t n = 64;
  CHECK(clSetKernelArg(silent, 0, sizeof m, &m));
  CHECK(clEnqueueNDRangeKernel(queue, silent, 1, NULL, &n, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof zero, zero, 0, NULL, NULL));
  for (int k = 0; k < 64; k++) if (zero[k] != 1) fail("item %d is %d", k, zero[k]);
  printf("ok\n");
  return 0;
}
