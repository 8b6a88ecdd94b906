// A list whose nodes the host and a GPU link by pointers, in shared virtual memory, in turns.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"

static const char *text =
    "typedef struct node { global struct node *next; int value; } node;\n"
    "kernel void sum(global const node *first, global int *out) { int s = 0; for (global const node *n = first; n; n = n->next) s += n->value; *out = s; }\n"
    "kernel void link(global node *nodes, int n) { int i = get_global_id(0); nodes[i].value = i * i; nodes[i].next = i + 3 < n ? nodes + i + 3 : 0; }\n";

typedef struct node { struct node *next; cl_int value; } node;

enum { N = 300 };

int main(void) {
  open_device();
  cl_device_svm_capabilities svm;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
  if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) fail("capabilities %#llx", (unsigned long long)svm);
  cl_program p = build(text, "-cl-std=CL3.0");
  cl_kernel sum = kernel(p, "sum"), link = kernel(p, "link");
  node *nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, N * sizeof(node), 0), *apart = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(node), 0);
  cl_int *out = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *out, 0);
  if (!nodes || !apart || !out) fail("clSVMAlloc");
  CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, N * sizeof(node), 0, NULL, NULL));
  CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, apart, sizeof(node), 0, NULL, NULL));
  int want = 1000;
  for (int i = 0; i < N; i++) nodes[i] = (node){i + 7 < N ? nodes + i + 7 : NULL, i}; // a list of every seventh
  for (int i = 0; i < N; i += 7) want += i;
  *apart = (node){nodes, 1000};
  CHECK(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL)), CHECK(clEnqueueSVMUnmap(queue, apart, 0, NULL, NULL));
  size_t one = 1, n = N;
  cl_int count = N;
  void *reached[] = {nodes};
  CHECK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, reached));
  CHECK(clSetKernelArgSVMPointer(sum, 0, apart)), CHECK(clSetKernelArgSVMPointer(sum, 1, out));
  CHECK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 0, NULL, NULL));
  CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, out, sizeof *out, 0, NULL, NULL));
  if (*out != want) fail("the kernel adds up %d, not %d", *out, want);
  CHECK(clEnqueueSVMUnmap(queue, out, 0, NULL, NULL));

  CHECK(clSetKernelArgSVMPointer(link, 0, nodes)), CHECK(clSetKernelArg(link, 1, sizeof count, &count));
  CHECK(clEnqueueNDRangeKernel(queue, link, 1, NULL, &n, NULL, 0, NULL, NULL));
  CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, nodes, N * sizeof(node), 0, NULL, NULL));
  int at = 1, steps = 0;
  for (node *x = nodes + 1; x; x = x->next, at += 3, steps++)
    if (x != nodes + at || x->value != at * at) fail("node %d: %d", at, x->value);
  if (steps != (N + 1) / 3) fail("%d nodes", steps);
  CHECK(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));

  node filled[4], zero[4] = {0};
  cl_uint pattern = 0x01020304;
  CHECK(clEnqueueSVMMemFill(queue, nodes, &pattern, 4, sizeof filled, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(queue, CL_TRUE, filled, nodes, sizeof filled, 0, NULL, NULL));
  for (size_t i = 0; i < sizeof filled / 4; i++) if (((cl_uint *)filled)[i] != pattern) fail("word %zu is not filled", i);
  CHECK(clEnqueueSVMMemcpy(queue, CL_TRUE, nodes + 1, zero, sizeof zero, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(queue, CL_TRUE, filled, nodes + 1, sizeof filled, 0, NULL, NULL));
  if (memcmp(filled, zero, sizeof zero)) fail("a copy between the host's memory and shared memory");
  void *all[] = {nodes, apart, out};
  CHECK(clEnqueueSVMFree(queue, 3, all, NULL, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  printf("ok\n");
  return 0;
}
