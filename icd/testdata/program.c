// Programs and kernels as C applications see them, with the real compiler.
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "check.h"

static const char *source =
	"#ifndef SCALE\n#define SCALE 1\n#endif\n"
	"kernel void scale(global int *out, const global int *in, int by) {\n"
	"	size_t i = get_global_id(0);\n"
	"	out[i] = in[i] * by * SCALE;\n"
	"}\n"
	"kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *out) {\n"
	"	out[get_global_id(1) * 8 + get_global_id(0)] = get_local_id(0);\n"
	"}\n"
	"kernel void shared(global int *out, local int *tmp, constant int *c) {\n"
	"	tmp[get_local_id(0)] = get_local_id(0) + c[0];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	out[get_global_id(0)] = tmp[get_local_size(0) - 1 - get_local_id(0)];\n"
	"}\n";

static cl_program make(cl_context context, const char *text)
{
	cl_int err;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	MUST(err);
	return p;
}

static char *log_of(cl_program p, cl_device_id d)
{
	static char text[1 << 16];
	MUST(clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
	return text;
}

static cl_build_status status_of(cl_program p, cl_device_id d)
{
	cl_build_status s;
	MUST(clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_STATUS, sizeof s, &s, NULL));
	return s;
}

static void sources(cl_context context, cl_device_id d)
{
	cl_int err;
	const char *parts[] = { "kernel void a()JUNK", " {}", "\n" }, *hole[] = { "x", NULL };
	size_t lengths[] = { 15, 0, 1 };
	EXPECT(NULL, clCreateProgramWithSource(context, 0, parts, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(NULL, clCreateProgramWithSource(context, 1, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(NULL, clCreateProgramWithSource(context, 2, hole, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_program p = clCreateProgramWithSource(context, 3, parts, lengths, &err);
	MUST(err);
	char text[64];
	size_t n;
	MUST(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, &n));
	EXPECT(0, strcmp("kernel void a() {}\n", text));
	EXPECT(strlen(text) + 1, n);
	EXPECT(CL_BUILD_NONE, status_of(p, d));
	EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
	MUST(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
	MUST(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, &n));
	EXPECT(0, strcmp("a", text));
	MUST(clReleaseProgram(p));
}

static void failures_of_builds(cl_context context, cl_device_id d)
{
	static const struct { const char *what, *text, *reason; } bad[] = {
		{ "syntax", "kernel void f( {", "error" },
		{ "undefined function", "int g(int); kernel void f(global int *o) { *o = g(1); }", "g" },
		{ "undeclared", "kernel void f(global int *o) { *o = nothing; }", "nothing" },
		{ "assembly", "kernel void f(global int *o) { __asm__(\"int3\"); }", "inline assembly" },
		{ "recursion", "int r(int n) { return n ? r(n - 1) + 1 : 0; } kernel void f(global int *o) { *o = r(*o); }", "recurs" },
		{ "#error", "#error by design\n", "by design" },
	};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		cl_program p = make(context, bad[i].text);
		EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
		EXPECT(CL_BUILD_ERROR, status_of(p, d));
		if (!strstr(log_of(p, d), bad[i].reason))
			FAIL("%s: the log says: %s", bad[i].what, log_of(p, d));
		cl_int err;
		EXPECT(NULL, clCreateKernel(p, "f", &err));
		EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, err);
		MUST(clReleaseProgram(p));
	}
	cl_program p = make(context, source);
	const char *options[] = { "-no-such-option", "-D", "-cl-std=CL9.9", "-I", "-create-library", "-D \"A" };
	for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
		cl_int got = clBuildProgram(p, 0, NULL, options[i], NULL, NULL);
		if (got != CL_INVALID_BUILD_OPTIONS)
			FAIL("%s: %d", options[i], got);
	}
	EXPECT(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(p, 0, NULL, "-no-such-option", 0, NULL, NULL, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clBuildProgram(p, 1, NULL, NULL, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clBuildProgram(p, 0, &d, NULL, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clBuildProgram(p, 0, NULL, NULL, NULL, &p));
	cl_device_id wrong = (cl_device_id)context;
	EXPECT(CL_INVALID_DEVICE, clBuildProgram(p, 1, &wrong, NULL, NULL, NULL));
	MUST(clBuildProgram(p, 1, &d, "-D 'SCALE=(1 + 1)' -DOTHER=\"a b\" -w", NULL, NULL));
	MUST(clReleaseProgram(p));
}

static void CL_CALLBACK notified(cl_program p, void *user) { __atomic_store_n((cl_program *)user, p, __ATOMIC_SEQ_CST); }

static void wait_for(cl_program *p)
{
	for (int i = 0; i < 3000 && __atomic_load_n(p, __ATOMIC_SEQ_CST) == NULL; i++)
		usleep(10000);
}

static void separate(cl_context context, cl_device_id d)
{
	cl_int err;
	cl_program header = make(context, "int twice(int);\n");
	cl_program main = make(context, "#include <lib/twice.h>\nkernel void f(global int *o) { *o = twice(*o); }\n");
	cl_program lib = make(context, "int twice(int v) { return 2 * v; }\n");
	const char *names[] = { "lib/twice.h" };
	EXPECT(CL_INVALID_VALUE, clCompileProgram(main, 0, NULL, NULL, 1, NULL, names, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clCompileProgram(main, 0, NULL, NULL, 0, &header, names, NULL, NULL));
	cl_program wrong = (cl_program)context;
	EXPECT(CL_INVALID_PROGRAM, clCompileProgram(main, 0, NULL, NULL, 1, &wrong, names, NULL, NULL));
	EXPECT(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram(main, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	MUST(clCompileProgram(main, 0, NULL, NULL, 1, &header, names, NULL, NULL));
	cl_program told = NULL;
	MUST(clCompileProgram(lib, 0, NULL, NULL, 0, NULL, NULL, notified, &told));
	wait_for(&told);
	EXPECT(lib, told);
	cl_program_binary_type type;
	MUST(clGetProgramBuildInfo(lib, d, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
	EXPECT(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, type);

	EXPECT(NULL, clLinkProgram(context, 0, NULL, NULL, 0, NULL, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(NULL, clLinkProgram(context, 0, NULL, NULL, 1, &wrong, NULL, NULL, &err));
	EXPECT(CL_INVALID_PROGRAM, err);
	EXPECT(NULL, clLinkProgram(context, 0, NULL, "-no-such-option", 1, &lib, NULL, NULL, &err));
	EXPECT(CL_INVALID_LINKER_OPTIONS, err);
	EXPECT(NULL, clLinkProgram(context, 0, NULL, NULL, 1, &header, NULL, NULL, &err));
	EXPECT(CL_INVALID_OPERATION, err);
	cl_program half = clLinkProgram(context, 0, NULL, NULL, 1, &main, NULL, NULL, &err);
	EXPECT(CL_LINK_PROGRAM_FAILURE, err);
	if (half == NULL)
		FAIL("a failed link has no program to ask for its log");
	else {
		EXPECT(CL_BUILD_ERROR, status_of(half, d));
		if (!strstr(log_of(half, d), "twice"))
			FAIL("the log says: %s", log_of(half, d));
		MUST(clReleaseProgram(half));
	}
	cl_program archive = clLinkProgram(context, 1, &d, "-create-library", 1, &lib, NULL, NULL, &err);
	MUST(err);
	cl_program both[] = { main, archive };
	told = NULL;
	cl_program whole = clLinkProgram(context, 0, NULL, NULL, 2, both, notified, &told, &err);
	MUST(err);
	wait_for(&told);
	EXPECT(whole, told);
	EXPECT(CL_BUILD_SUCCESS, status_of(whole, d));
	cl_kernel k = clCreateKernel(whole, "f", &err);
	MUST(err);
	MUST(clReleaseKernel(k));
	MUST(clReleaseProgram(whole));
	MUST(clReleaseProgram(archive));
	MUST(clReleaseProgram(lib));
	MUST(clReleaseProgram(main));
	MUST(clReleaseProgram(header));
}

static void binaries(cl_context context, cl_device_id d)
{
	cl_int err, status = 1;
	cl_program p = make(context, source);
	size_t size = 1;
	MUST(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	EXPECT(0, size);
	MUST(clBuildProgram(p, 0, NULL, "-cl-kernel-arg-info", NULL, NULL));
	MUST(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	unsigned char *bin = malloc(size);
	MUST(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bin, &bin, NULL));
	unsigned char *none = NULL;
	MUST(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof none, &none, NULL));
	const unsigned char *cbin = bin, *null = NULL;
	cl_program q = clCreateProgramWithBinary(context, 1, &d, &size, &cbin, &status, &err);
	MUST(err);
	EXPECT(CL_SUCCESS, status);
	MUST(clBuildProgram(q, 0, NULL, NULL, NULL, NULL));
	cl_kernel k = clCreateKernel(q, "scale", &err);
	MUST(err);
	char text[64];
	MUST(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
	EXPECT(0, strcmp("scale", text));
	EXPECT(CL_INVALID_OPERATION, clBuildProgram(q, 0, NULL, NULL, NULL, NULL));
	MUST(clReleaseKernel(k));
	EXPECT(CL_INVALID_OPERATION, clCompileProgram(q, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	MUST(clReleaseProgram(q));

	bin[size / 2] ^= 1;
	EXPECT(NULL, clCreateProgramWithBinary(context, 1, &d, &size, &cbin, &status, &err));
	EXPECT(CL_INVALID_BINARY, err);
	EXPECT(CL_INVALID_BINARY, status);
	EXPECT(NULL, clCreateProgramWithBinary(context, 1, &d, &size, &null, &status, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(CL_INVALID_VALUE, status);
	EXPECT(NULL, clCreateProgramWithBinary(context, 0, NULL, &size, &cbin, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(NULL, clCreateProgramWithBuiltInKernels(context, 1, &d, "any", &err));
	EXPECT(CL_INVALID_VALUE, err);
	free(bin);
	EXPECT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(p, 0, 4, &err)); // not one of IL
	EXPECT(CL_INVALID_OPERATION, clSetProgramReleaseCallback(p, notified, NULL));
	MUST(clReleaseProgram(p));
}

static void arguments(cl_context context, cl_device_id d, cl_command_queue queue)
{
	cl_int err, three = 3;
	cl_program p = make(context, source);
	MUST(clBuildProgram(p, 0, NULL, "-cl-kernel-arg-info -DSCALE=10", NULL, NULL));
	cl_kernel ks[3];
	cl_uint n;
	EXPECT(CL_INVALID_VALUE, clCreateKernelsInProgram(p, 2, ks, &n));
	MUST(clCreateKernelsInProgram(p, 3, ks, &n));
	EXPECT(3, n);
	for (int i = 0; i < 3; i++)
		MUST(clReleaseKernel(ks[i]));
	EXPECT(NULL, clCreateKernel(p, "none", &err));
	EXPECT(CL_INVALID_KERNEL_NAME, err);
	EXPECT(NULL, clCreateKernel(p, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_kernel k = clCreateKernel(p, "scale", &err);
	MUST(err);
	MUST(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
	EXPECT(3, n);
	char text[64];
	MUST(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
	EXPECT(0, strcmp("int*", text));
	MUST(clGetKernelArgInfo(k, 2, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
	EXPECT(0, strcmp("by", text));
	cl_kernel_arg_address_qualifier space;
	MUST(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
	EXPECT(CL_KERNEL_ARG_ADDRESS_GLOBAL, space);
	cl_kernel_arg_type_qualifier qualifier;
	MUST(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
	EXPECT(CL_KERNEL_ARG_TYPE_CONST, qualifier);
	EXPECT(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(k, 3, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
	EXPECT(CL_INVALID_VALUE, clGetKernelArgInfo(k, 0, CL_KERNEL_NUM_ARGS, sizeof text, text, NULL));
	size_t limit;
	MUST(clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL));
	if (limit < 1)
		FAIL("no work-group is small enough");
	EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, d, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof limit, &limit, NULL));
	EXPECT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(k, (cl_device_id)context, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL));

	int in[64], out[64];
	for (int i = 0; i < 64; i++)
		in[i] = i;
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &err);
	MUST(err);
	cl_mem b = clCreateBuffer(context, 0, sizeof out, NULL, &err);
	MUST(err);
	size_t global = 64;
	EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 3, sizeof b, &b));
	EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &b));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof b, &queue));
	EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 8, &in));
	EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 2, 4, NULL));
	MUST(clSetKernelArgSVMPointer(k, 0, in)); // any pointer, where the device shares all memory
	MUST(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL)); // the empty set
	MUST(clSetKernelArg(k, 0, sizeof b, &b));
	MUST(clSetKernelArg(k, 1, sizeof a, &a));
	MUST(clSetKernelArg(k, 2, sizeof three, &three));
	EXPECT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 0, NULL, &global, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 1u << 31, NULL, &global, NULL, 0, NULL, NULL));
	size_t odd = 24, zero = 0, most = ~(size_t)0;
	EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &odd, 0, NULL, NULL));
	EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &zero, 0, NULL, NULL));
	EXPECT(CL_INVALID_GLOBAL_OFFSET, clEnqueueNDRangeKernel(queue, k, 1, &most, &global, NULL, 0, NULL, NULL));
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, NULL, NULL, 0, NULL, NULL));
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &zero, NULL, 0, NULL, NULL));
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
	MUST(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	for (int i = 0; i < 64; i++)
		EXPECT(30 * i, out[i]);
	cl_kernel clone = clCloneKernel(k, &err);
	MUST(err);
	int four = 4;
	MUST(clSetKernelArg(k, 2, sizeof four, &four));
	MUST(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &global, NULL, 0, NULL, NULL));
	MUST(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	EXPECT(30 * 63, out[63]);
	MUST(clReleaseKernel(clone));
	MUST(clReleaseKernel(k));

	k = clCreateKernel(p, "shared", &err);
	MUST(err);
	MUST(clSetKernelArg(k, 0, sizeof b, &b));
	EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, 64, in));
	EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 0, NULL));
	MUST(clSetKernelArg(k, 1, 64, NULL));
	MUST(clSetKernelArg(k, 2, sizeof a, &a));
	size_t local = 16;
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
	MUST(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	for (int i = 0; i < 64; i++)
		EXPECT(15 - i % 16, out[i]);
	MUST(clSetKernelArg(k, 1, 1 << 30, NULL));
	EXPECT(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
	MUST(clReleaseKernel(k));

	k = clCreateKernel(p, "fixed", &err);
	MUST(err);
	size_t required[3];
	MUST(clGetKernelWorkGroupInfo(k, d, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL));
	EXPECT(4, required[0]);
	EXPECT(2, required[1]);
	EXPECT(1, required[2]);
	MUST(clSetKernelArg(k, 0, sizeof b, &b));
	size_t global2[] = { 8, 4 }, wrong[] = { 2, 4 }, right[] = { 4, 2 };
	EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 2, NULL, global2, wrong, 0, NULL, NULL));
	EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, k, 0, NULL, NULL));
	MUST(clEnqueueNDRangeKernel(queue, k, 2, NULL, global2, right, 0, NULL, NULL));
	MUST(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	for (int i = 0; i < 32; i++)
		EXPECT(i % 4, out[i]);
	MUST(clReleaseKernel(k));
	MUST(clReleaseMemObject(a));
	MUST(clReleaseMemObject(b));
	MUST(clReleaseProgram(p));
}

int main(void)
{
	cl_device_id device = device_of(ours());
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	sources(context, device);
	failures_of_builds(context, device);
	separate(context, device);
	binaries(context, device);
	arguments(context, device, queue);
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
