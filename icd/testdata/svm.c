// Memory known by its address: shared virtual memory of every grain, cl_intel_unified_shared_memory, cl_ext_buffer_device_address.
#include "check.h"
#include <stdatomic.h>

#define MEM_DEVICE_PRIVATE_ADDRESS 0x5000
#define MEM_DEVICE_ADDRESS 0x5001
#define EXEC_INFO_DEVICE_PTRS 0x5002

static const char *source =
	"typedef struct node { global struct node *next; int value; } node;\n"
	"kernel void sum(global node *n, global int *out) { int s = 0; for (; n; n = n->next) { s += n->value; n->value = -1; } *out = s; }\n"
	"kernel void pass(global atomic_int *turn, int rounds) {\n"
	"	for (int i = 0; i < rounds; i++) {\n"
	"		while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_all_svm_devices) != 2 * i + 1) {}\n"
	"		atomic_store_explicit(turn, 2 * i + 2, memory_order_release, memory_scope_all_svm_devices);\n"
	"	}\n"
	"}\n"
	"kernel void fetch(global ulong *at, global int *out) { *out = **(global int **)at; }\n"
	"kernel void none(local int *l, int v) {}\n";

struct node {
	struct node *next;
	int value;
};

static cl_context context;
static cl_command_queue queue;
static cl_platform_id platform;
static cl_program program;

static cl_kernel kernel(const char *name)
{
	cl_int err;
	cl_kernel k = clCreateKernel(program, name, &err);
	MUST(err);
	return k;
}

static void run(cl_kernel k)
{
	size_t one = 1;
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
	MUST(clFinish(queue));
}

static void *need(const char *name)
{
	void *f = clGetExtensionFunctionAddressForPlatform(platform, name);
	if (!f) {
		FAIL("no %s", name);
		exit(1);
	}
	return f;
}

// lists whose nodes are in memory of every sort, and where the sum goes
static void lists(void)
{
	cl_kernel k = kernel("sum");
	struct node on_stack = { NULL, 1 }, *on_heap = malloc(sizeof *on_heap);
	struct node *coarse = clSVMAlloc(context, CL_MEM_READ_WRITE, 4 * sizeof *coarse, 0);
	struct node *fine = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 4 * sizeof *fine, 0);
	int *out = clSVMAlloc(context, CL_MEM_WRITE_ONLY | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof *out, sizeof *out);
	MUST(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, coarse, 4 * sizeof *coarse, 0, NULL, NULL));
	*on_heap = (struct node){ &on_stack, 20 };
	fine[2] = (struct node){ on_heap, 300 };
	coarse[1] = (struct node){ &fine[2], 4000 };
	MUST(clEnqueueSVMUnmap(queue, coarse, 0, NULL, NULL));
	EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(k, 2, coarse));
	MUST(clSetKernelArgSVMPointer(k, 0, coarse + 1));
	MUST(clSetKernelArgSVMPointer(k, 1, out));
	void *used[] = { fine };
	MUST(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used));
	cl_bool yes = CL_TRUE;
	MUST(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
	run(k);
	EXPECT(4321, *out);
	EXPECT(-1, on_stack.value + on_heap->value + fine[2].value + 2);

	EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL));
	EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, used));
	EXPECT(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
	EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 8, &yes));
	EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, NULL));
	EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(k, 77, 4, &yes));
	cl_kernel n = kernel("none");
	EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(n, 0, out));
	EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(n, 1, out));
	MUST(clReleaseKernel(n));

	// a pointer to nothing ends one launch
	struct node bad = { (struct node *)8, 0 };
	MUST(clSetKernelArgSVMPointer(k, 0, &bad));
	cl_event e;
	size_t one = 1;
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, &e));
	EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &e));
	MUST(clReleaseEvent(e));
	MUST(clSetKernelArgSVMPointer(k, 0, NULL));
	run(k);
	EXPECT(0, *out);
	MUST(clReleaseKernel(k));
	clSVMFree(context, coarse);
	clSVMFree(context, fine);
	clSVMFree(context, out);
	free(on_heap);
}

// host and kernel take turns by atomics
static void turns(void)
{
	enum { ROUNDS = 100 };
	cl_kernel k = kernel("pass");
	atomic_int *turn = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof *turn, 0);
	atomic_init(turn, 0);
	int rounds = ROUNDS;
	MUST(clSetKernelArgSVMPointer(k, 0, turn));
	MUST(clSetKernelArg(k, 1, sizeof rounds, &rounds));
	size_t one = 1;
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
	MUST(clFlush(queue));
	for (int i = 0; i < ROUNDS; i++) {
		while (atomic_load_explicit(turn, memory_order_acquire) != 2 * i)
			usleep(1);
		atomic_store_explicit(turn, 2 * i + 1, memory_order_release);
	}
	MUST(clFinish(queue));
	EXPECT(2 * ROUNDS, atomic_load(turn));
	MUST(clReleaseKernel(k));
	clSVMFree(context, turn);
}

static atomic_int freed;

static void CL_CALLBACK release(cl_command_queue q, cl_uint n, void *ptrs[], void *user)
{
	if (q != queue || user != &freed)
		FAIL("what the callback is given");
	for (cl_uint i = 0; i < n; i++)
		clSVMFree(context, ptrs[i]);
	atomic_fetch_add(&freed, n);
}

static void frees(void)
{
	void *both[2] = { clSVMAlloc(context, 0, 64, 0), clSVMAlloc(context, 0, 64, 0) };
	EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 0, both, NULL, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL));
	cl_event e;
	MUST(clEnqueueSVMFree(queue, 2, both, release, &freed, 0, NULL, &e));
	both[0] = both[1] = NULL; // "can be reused or freed after the function returns"
	MUST(clWaitForEvents(1, &e));
	cl_command_type type;
	MUST(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
	EXPECT(CL_COMMAND_SVM_FREE, type);
	for (int i = 0; i < 10000 && atomic_load(&freed) < 2; i++)
		usleep(1000);
	EXPECT(2, atomic_load(&freed));
	MUST(clReleaseEvent(e));
	void *alone = clSVMAlloc(context, 0, 64, 0);
	MUST(clEnqueueSVMFree(queue, 1, &alone, NULL, NULL, 0, NULL, NULL));
	MUST(clFinish(queue));
}

static void unified(cl_device_id device)
{
	clHostMemAllocINTEL_fn host = need("clHostMemAllocINTEL");
	clDeviceMemAllocINTEL_fn on_device = need("clDeviceMemAllocINTEL");
	clSharedMemAllocINTEL_fn shared = need("clSharedMemAllocINTEL");
	clMemFreeINTEL_fn release = need("clMemFreeINTEL");
	clMemBlockingFreeINTEL_fn blocking = need("clMemBlockingFreeINTEL");
	clGetMemAllocInfoINTEL_fn info = need("clGetMemAllocInfoINTEL");
	clSetKernelArgMemPointerINTEL_fn set = need("clSetKernelArgMemPointerINTEL");
	clEnqueueMemFillINTEL_fn fill = need("clEnqueueMemFillINTEL");
	clEnqueueMemcpyINTEL_fn copy = need("clEnqueueMemcpyINTEL");
	clEnqueueMigrateMemINTEL_fn migrate = need("clEnqueueMigrateMemINTEL");
	clEnqueueMemAdviseINTEL_fn advise = need("clEnqueueMemAdviseINTEL");
	cl_int err;
	struct node *h = host(context, NULL, sizeof *h, 0, &err);
	MUST(err);
	struct node *d = on_device(context, device, NULL, sizeof *d, 0, &err);
	MUST(err);
	int *out = shared(context, NULL, NULL, sizeof *out, 4, &err);
	MUST(err);
	EXPECT(0, (long)shared(context, (cl_device_id)queue, NULL, 4, 4, &err));
	EXPECT(CL_INVALID_DEVICE, err);
	EXPECT(0, (long)host(context, NULL, 0, 0, &err));
	EXPECT(CL_INVALID_BUFFER_SIZE, err);
	*h = (struct node){ d, 5 };
	struct node last = { NULL, 60 };
	MUST(copy(queue, CL_FALSE, d, &last, sizeof last, 0, NULL, NULL));
	MUST(migrate(queue, d, sizeof *d, 0, 0, NULL, NULL));
	MUST(advise(queue, d, sizeof *d, 0, 0, NULL, NULL));
	int seven = 7;
	MUST(fill(queue, out, &seven, 4, 4, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, fill(queue, out, NULL, 4, 4, 0, NULL, NULL));
	cl_kernel k = kernel("sum");
	MUST(set(k, 0, h));
	MUST(set(k, 1, out));
	cl_bool yes = CL_TRUE;
	MUST(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes));
	run(k);
	EXPECT(65, *out);
	cl_unified_shared_memory_type_intel type;
	MUST(info(context, d, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
	EXPECT(CL_MEM_TYPE_DEVICE_INTEL, type);
	size_t size = 0;
	MUST(info(context, d, CL_MEM_ALLOC_DEVICE_INTEL, 0, NULL, &size));
	EXPECT(sizeof(cl_device_id), size);
	MUST(clReleaseKernel(k));
	MUST(release(context, h));
	MUST(release(context, d));
	MUST(release(context, NULL));
	EXPECT(CL_INVALID_VALUE, release(context, &err));
	MUST(blocking(context, out));
}

static void addresses(void)
{
	cl_int(*set)(cl_kernel, cl_uint, cl_ulong) = need("clSetKernelArgDevicePointerEXT");
	cl_mem_properties fixed[] = { MEM_DEVICE_PRIVATE_ADDRESS, CL_TRUE, 0 };
	cl_int err, result[4] = { 0 }, value = 42;
	cl_mem m = clCreateBufferWithProperties(context, fixed, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &err);
	MUST(err);
	cl_mem out = clCreateBufferWithProperties(context, fixed, CL_MEM_USE_HOST_PTR, sizeof result, result, &err);
	MUST(err);
	cl_ulong at, to;
	MUST(clGetMemObjectInfo(m, MEM_DEVICE_ADDRESS, sizeof at, &at, NULL));
	MUST(clGetMemObjectInfo(out, MEM_DEVICE_ADDRESS, sizeof to, &to, NULL));
	cl_mem pointer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof at, &at, &err);
	MUST(err);
	EXPECT(CL_INVALID_OPERATION, clGetMemObjectInfo(pointer, MEM_DEVICE_ADDRESS, sizeof at, &at, NULL));
	cl_kernel k = kernel("fetch");
	MUST(clSetKernelArg(k, 0, sizeof pointer, &pointer));
	MUST(set(k, 1, to + 3 * sizeof(cl_int)));
	EXPECT(CL_INVALID_ARG_INDEX, set(k, 2, to));
	MUST(clSetKernelExecInfo(k, EXEC_INFO_DEVICE_PTRS, sizeof at, &at));
	run(k);
	EXPECT(42, result[3]);
	MUST(clReleaseKernel(k));
	MUST(clReleaseMemObject(pointer));
	MUST(clReleaseMemObject(out));
	MUST(clReleaseMemObject(m));
}

int main(void)
{
	platform = ours();
	cl_device_id device = device_of(platform);
	cl_int err;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	cl_device_svm_capabilities can;
	MUST(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
	EXPECT(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS,
	       can);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(err);
	MUST(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
	lists();
	turns();
	frees();
	unified(device);
	addresses();
	MUST(clReleaseProgram(program));
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
