// Command buffers as an application has them: functions found by name, lists of properties, handles, and what a buffer computes.
#define __CL_EXT_H // which may be too old; extensions.h has what is needed of it
#include "check.h"

#include "../gen/extensions.h"

#define FUNCTIONS(F)                                                                                                          \
	F(clCreateCommandBufferKHR) F(clRetainCommandBufferKHR) F(clReleaseCommandBufferKHR) F(clFinalizeCommandBufferKHR)          \
	F(clEnqueueCommandBufferKHR) F(clGetCommandBufferInfoKHR) F(clCommandBarrierWithWaitListKHR) F(clCommandCopyBufferKHR)      \
	F(clCommandCopyBufferRectKHR) F(clCommandCopyBufferToImageKHR) F(clCommandCopyImageKHR) F(clCommandCopyImageToBufferKHR)    \
	F(clCommandFillBufferKHR) F(clCommandFillImageKHR) F(clCommandNDRangeKernelKHR) F(clCommandSVMMemcpyKHR)                    \
	F(clCommandSVMMemFillKHR) F(clRemapCommandBufferKHR) F(clUpdateMutableCommandsKHR) F(clGetMutableCommandInfoKHR)
#define F(name) static name##_fn name;
FUNCTIONS(F)
#undef F

enum { N = 64 };

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem a, b;

static void expect_values(cl_mem m, cl_int (*want)(int), const char *what)
{
	cl_int out[N];
	MUST(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	for (int i = 0; i < N; i++)
		if (out[i] != want(i)) {
			FAIL("%s: element %d is %d, not %d", what, i, out[i], want(i));
			return;
		}
}

static cl_int seven(int i) { return 7; }
static cl_int ids(int i) { return 7 + i; }
static cl_int twice(int i) { return 7 + i + (i < N / 2 ? 100 * i : 0); }
static cl_int picture(int i) { return i / 8 < 4 && i % 8 < 4 ? 9 : 7; }

// All recording functions, in the order of their sync-points.
static void everything(void)
{
	cl_int err, v = 7, w = 9, x = 3;
	size_t n = N, zero[3] = { 0 }, all[3] = { 8, 8, 1 }, part[3] = { 4, 4, 1 }, bytes[3] = { 16, 4, 1 };
	cl_image_format format = { CL_R, CL_SIGNED_INT32 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8 };
	cl_mem i1 = clCreateImage(context, 0, &format, &desc, NULL, &err), i2 = clCreateImage(context, 0, &format, &desc, NULL, &err);
	MUST(err);
	cl_int *svm = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 2 * N * 4, 0);
	cl_command_buffer_khr c = clCreateCommandBufferKHR(1, &queue, NULL, &err);
	MUST(err);
	cl_sync_point_khr p[16];
	cl_int colour[4] = { 9 };
	MUST(clCommandFillBufferKHR(c, NULL, NULL, a, &v, 4, 0, N * 4, 0, NULL, p, NULL));
	MUST(clCommandCopyBufferToImageKHR(c, NULL, NULL, a, i1, 0, zero, all, 1, p, p + 1, NULL));
	MUST(clCommandCopyImageKHR(c, queue, NULL, i1, i2, zero, zero, all, 2, p, p + 2, NULL));
	MUST(clCommandFillImageKHR(c, NULL, NULL, i2, colour, zero, part, 1, p + 2, p + 3, NULL));
	MUST(clCommandCopyImageToBufferKHR(c, NULL, NULL, i2, b, zero, all, 0, 1, p + 3, p + 4, NULL));
	MUST(clCommandBarrierWithWaitListKHR(c, NULL, NULL, 1, p + 4, p + 5, NULL));
	MUST(clCommandCopyBufferRectKHR(c, NULL, NULL, a, b, zero, zero, bytes, 32, 0, 32, 0, 0, NULL, p + 6, NULL));
	MUST(clCommandFillBufferKHR(c, NULL, NULL, a, &w, 4, 0, N * 4, 1, p + 6, p + 7, NULL));
	MUST(clCommandCopyBufferRectKHR(c, NULL, NULL, a, b, zero, zero, bytes, 32, 0, 32, 0, 1, p + 7, NULL, NULL));
	MUST(clCommandCopyBufferKHR(c, NULL, NULL, b, a, 0, 0, N * 4, 0, NULL, NULL, NULL));
	MUST(clCommandSVMMemFillKHR(c, NULL, NULL, svm, &x, 4, N * 4, 0, NULL, NULL, NULL));
	MUST(clCommandSVMMemcpyKHR(c, NULL, NULL, svm + N, svm, N * 4, 0, NULL, NULL, NULL));
	MUST(clFinalizeCommandBufferKHR(c));
	MUST(clReleaseMemObject(i1));
	MUST(clReleaseMemObject(i2));
	for (int round = 0; round < 3; round++) {
		MUST(clEnqueueCommandBufferKHR(0, NULL, c, 0, NULL, NULL));
		expect_values(a, picture, "copies, fills and images");
		EXPECT(3, svm[2 * N - 1]);
		memset(svm, 0, 2 * N * 4);
	}
	MUST(clReleaseCommandBufferKHR(c));
	EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR(c));

	// what is given where nothing may be
	cl_mutable_command_khr h;
	c = clCreateCommandBufferKHR(1, &queue, NULL, &err);
	EXPECT(CL_INVALID_VALUE, clCommandFillBufferKHR(c, NULL, NULL, a, &v, 4, 0, N * 4, 0, NULL, NULL, &h));
	EXPECT(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, clCommandFillBufferKHR(c, NULL, NULL, a, &v, 4, 0, N * 4, 1, NULL, NULL, NULL));
	EXPECT(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, clCommandFillBufferKHR(c, NULL, NULL, a, &v, 4, 0, N * 4, 0, p, NULL, NULL));
	EXPECT(CL_INVALID_COMMAND_QUEUE, clCommandFillBufferKHR(c, (cl_command_queue)c, NULL, a, &v, 4, 0, N * 4, 0, NULL, NULL, NULL));
	cl_command_properties_khr none = ~(cl_command_properties_khr)0; // no list at all
	EXPECT(CL_INVALID_VALUE, clCommandNDRangeKernelKHR(c, NULL, &none, kernel, 1, NULL, &n, NULL, 0, NULL, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clCommandBarrierWithWaitListKHR(c, NULL, &none, 0, NULL, NULL, NULL));
	EXPECT(0, (long)clCreateCommandBufferKHR(0, &queue, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(0, (long)clCreateCommandBufferKHR(1, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_command_queue bad[2] = { queue, (cl_command_queue)c };
	EXPECT(0, (long)clCreateCommandBufferKHR(2, bad, NULL, &err));
	EXPECT(CL_INVALID_COMMAND_QUEUE, err);
	EXPECT(0, (long)clCreateCommandBufferKHR(1, &queue, &none, &err));
	EXPECT(CL_INVALID_VALUE, err);
	MUST(clFinalizeCommandBufferKHR(c));
	EXPECT(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(1, NULL, c, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(0, &queue, c, 0, NULL, NULL));
	EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueCommandBufferKHR(1, bad + 1, c, 0, NULL, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCommandBufferKHR(0, NULL, c, 1, NULL, NULL));
	MUST(clReleaseCommandBufferKHR(c));
	clSVMFree(context, svm);
}

static void updates(void)
{
	cl_int err, v = 7, one = 1, hundred = 100;
	size_t n = N, half = N / 2, few = 4, size, offsets[3] = { 9, 9, 9 };
	cl_command_buffer_properties_khr flags[] = { CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0 }, back[4];
	cl_command_properties_khr fields[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
		CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, 0 };
	cl_command_buffer_khr c = clCreateCommandBufferKHR(1, &queue, flags, &err);
	MUST(err);
	MUST(clSetKernelArg(kernel, 0, sizeof a, &a));
	MUST(clSetKernelArg(kernel, 1, sizeof one, &one));
	cl_mutable_command_khr h = NULL;
	MUST(clCommandNDRangeKernelKHR(c, NULL, fields, kernel, 1, NULL, &n, NULL, 0, NULL, NULL, &h));
	MUST(clFinalizeCommandBufferKHR(c));
	MUST(clEnqueueFillBuffer(queue, a, &v, 4, 0, N * 4, 0, NULL, NULL));
	expect_values(a, seven, "fill");
	MUST(clEnqueueCommandBufferKHR(0, NULL, c, 0, NULL, NULL));
	expect_values(a, ids, "launch");

	cl_int *svm = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
	cl_mutable_dispatch_arg_khr args[] = { { 1, sizeof hundred, &hundred } }, pointer = { 0, 0, svm };
	cl_mutable_dispatch_exec_info_khr info = { CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm };
	cl_mutable_dispatch_config_khr config = { .command = h, .num_args = 1, .arg_list = args, .global_work_size = &half };
	const void *configs[] = { &config };
	cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, wrong = 77;
	MUST(clUpdateMutableCommandsKHR(c, 1, &type, configs));
	MUST(clEnqueueCommandBufferKHR(0, NULL, c, 0, NULL, NULL));
	expect_values(a, twice, "updated launch");

	MUST(clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof offsets, offsets, &size));
	EXPECT(sizeof *offsets, size);
	EXPECT(half, offsets[0]);
	EXPECT(9, offsets[1]);
	EXPECT(CL_INVALID_VALUE, clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, 7, offsets, NULL));
	cl_kernel k;
	MUST(clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_KERNEL_KHR, sizeof k, &k, NULL));
	EXPECT((long)kernel, (long)k);
	MUST(clGetCommandBufferInfoKHR(c, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof back, back, &size));
	EXPECT(sizeof flags, size);
	EXPECT(0, memcmp(flags, back, size));

	// with a pointer, and told of it
	cl_mutable_dispatch_config_khr shared = {
		.command = h, .num_svm_args = 1, .num_exec_infos = 1, .arg_svm_list = &pointer, .exec_info_list = &info, .global_work_size = &few };
	configs[0] = &shared;
	memset(svm, 0, 64);
	MUST(clUpdateMutableCommandsKHR(c, 1, &type, configs));
	MUST(clEnqueueCommandBufferKHR(0, NULL, c, 0, NULL, NULL));
	MUST(clFinish(queue));
	EXPECT(300, svm[3]);

	configs[0] = NULL;
	EXPECT(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(c, 1, &type, configs));
	configs[0] = &config;
	EXPECT(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(c, 1, &wrong, configs));
	EXPECT(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(c, 1, NULL, configs));
	EXPECT(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(c, 0, &type, NULL));
	config.num_args = 0;
	EXPECT(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(c, 1, &type, configs));
	config.num_args = 1;
	args[0].arg_size = 3;
	EXPECT(CL_INVALID_ARG_SIZE, clUpdateMutableCommandsKHR(c, 1, &type, configs));
	config.command = (cl_mutable_command_khr)c;
	EXPECT(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR(c, 1, &type, configs));

	// a copy, with a handle of its own
	cl_mutable_command_khr copied = NULL;
	EXPECT(0, (long)clRemapCommandBufferKHR(c, CL_FALSE, 1, &queue, 1, &h, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_command_buffer_khr d = clRemapCommandBufferKHR(c, CL_FALSE, 1, &queue, 1, &h, &copied, &err);
	MUST(err);
	cl_command_buffer_khr of = NULL;
	MUST(clGetMutableCommandInfoKHR(copied, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof of, &of, NULL));
	EXPECT((long)d, (long)of);
	MUST(clReleaseCommandBufferKHR(c));
	EXPECT(CL_INVALID_MUTABLE_COMMAND_KHR, clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_KERNEL_KHR, sizeof k, &k, NULL));
	MUST(clEnqueueCommandBufferKHR(0, NULL, d, 0, NULL, NULL));
	MUST(clFinish(queue));
	EXPECT(600, svm[3]);
	MUST(clRetainCommandBufferKHR(d));
	MUST(clReleaseCommandBufferKHR(d));
	MUST(clReleaseCommandBufferKHR(d));
	clSVMFree(context, svm);
}

int main(void)
{
	cl_platform_id platform = ours();
	cl_device_id device = device_of(platform);
	cl_int err;
#define F(name)                                                                                                               \
	if (!(name = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name)))                                         \
		FAIL("no " #name);
	FUNCTIONS(F)
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	const char *source = "kernel void add(global int *p, int v) { p[get_global_id(0)] += v * (int)get_global_id(0); }";
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	kernel = clCreateKernel(program, "add", &err);
	MUST(err);
	a = clCreateBuffer(context, 0, N * 4, NULL, &err);
	b = clCreateBuffer(context, 0, N * 4, NULL, &err);
	MUST(err);
	everything();
	updates();
	MUST(clReleaseMemObject(a));
	MUST(clReleaseMemObject(b));
	MUST(clReleaseKernel(kernel));
	MUST(clReleaseProgram(program));
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
