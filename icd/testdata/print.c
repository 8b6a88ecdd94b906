// What kernels print, as C applications see it on stdout.
#define _GNU_SOURCE
#include "check.h"
#include <fcntl.h>

// Failures while stdout is captured have to be seen.
#undef FAIL
#define FAIL(...) (failures++, fprintf(stderr, "FAIL %s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n"))

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static char captured[8 << 20];
static int terminal;

// capture has stdout go to a file until end_capture, which returns what was written.
static void capture(void)
{
	fflush(stdout);
	terminal = dup(1);
	FILE *f = tmpfile();
	dup2(fileno(f), 1);
	fclose(f);
}

static const char *end_capture(void)
{
	fflush(stdout);
	ssize_t n = pread(1, captured, sizeof captured - 1, 0);
	captured[n < 0 ? 0 : n] = 0;
	dup2(terminal, 1);
	close(terminal);
	return captured;
}

static void same(const char *what, const char *want, const char *got)
{
	if (strcmp(want, got))
		FAIL("%s: want\n%s\ngot\n%s", what, want, got);
}

static cl_program make(const char *text)
{
	cl_int err;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	MUST(err);
	return p;
}

static cl_program build(const char *text, const char *options)
{
	cl_program p = make(text);
	MUST(clBuildProgram(p, 0, NULL, options, NULL, NULL));
	return p;
}

// start enqueues a kernel whose one argument, if it has one, is buffer.
static cl_event start(cl_program p, const char *name, size_t global, size_t local, cl_mem buffer)
{
	cl_int err;
	cl_event e;
	cl_kernel k = clCreateKernel(p, name, &err);
	MUST(err);
	cl_uint args;
	MUST(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
	if (args)
		MUST(clSetKernelArg(k, 0, sizeof buffer, &buffer));
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, &e));
	MUST(clReleaseKernel(k));
	return e;
}

static const char *printed(cl_program p, const char *name, size_t global, size_t local)
{
	capture();
	MUST(clReleaseEvent(start(p, name, global, local, NULL)));
	MUST(clFinish(queue));
	return end_capture();
}

static void arguments(void)
{
	cl_program p = build(
		"constant char format[] = \"%d,\";\n"
		"kernel void scalars() { printf(\"%s|%5d|%-5u|%#x|%c|%%|%hhd|%hd|%ld|%lx\\n\", \"text\", -7, 8u, 255, 'c', 300, 70000, -1L, 1UL << 40);\n"
		"	printf(\"%f %.3e %g %a %F\\n\", 1.5f, 12345.678f, 0.0001f, 1.0f, INFINITY); printf(format, 5); printf(\"\\n\"); }\n"
		"kernel void ints() {\n"
		"	printf(\"%v2hhd %v3hhd %v4hhd %v8hhd %v16hhd\\n\", (char2)(-1, 1), (char3)(-1, 1, 2), (char4)(-1, 1, 2, 3), (char8)(-8), (char16)(-16));\n"
		"	printf(\"%v2hu %v3hu %v4hu %v8hu %v16hu\\n\", (ushort2)(65535, 1), (ushort3)(9, 8, 7), (ushort4)(4), (ushort8)(8), (ushort16)(16));\n"
		"	printf(\"%v2hld %v3hld %v4hld %v8hld %v16hld\\n\", (int2)(-1, 1), (int3)(9, 8, 7), (int4)(4), (int8)(8), (int16)(16));\n"
		"	printf(\"%v2lx %v3lx %v4lx %v8lx %v16lx\\n\", (ulong2)(-1, 1), (ulong3)(9, 8, 7), (ulong4)(4), (ulong8)(8), (ulong16)(16)); }\n"
		"kernel void floats() {\n"
		"	printf(\"%v2hlf %v3hlg %v4hlg %v8hlg %v16hlg\\n\", (float2)(-1, 1), (float3)(9, 8, 7.5f), (float4)(4), (float8)(8), (float16)(0.5f));\n"
		"	printf(\"%5.1v2lf %v3lg %v4lg %v8lg %v16lg %d\\n\", (double2)(-1, 1), (double3)(9, 8, 7.5), (double4)(4), (double8)(8), (double16)(0.25), 99); }\n"
		"kernel void wrong() { printf(\"%d %s %v4hld %q %f\\n\", 1.5, 3, 4, 5); printf(\"%s%d\\n\", (constant char *)0x10, 7); printf(\"%d %d\\n\"); printf(\"%\"); }\n",
		"-cl-std=CL1.2 -w");
	same("scalars", "text|   -7|8    |0xff|c|%|44|4464|-1|10000000000\n1.500000 1.235e+04 0.0001 0x1p+0 INF\n5,\n", printed(p, "scalars", 1, 1));
	same("integer vectors",
		"-1,1 -1,1,2 -1,1,2,3 -8,-8,-8,-8,-8,-8,-8,-8 -16,-16,-16,-16,-16,-16,-16,-16,-16,-16,-16,-16,-16,-16,-16,-16\n"
		"65535,1 9,8,7 4,4,4,4 8,8,8,8,8,8,8,8 16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16\n"
		"-1,1 9,8,7 4,4,4,4 8,8,8,8,8,8,8,8 16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16\n"
		"ffffffffffffffff,1 9,8,7 4,4,4,4 8,8,8,8,8,8,8,8 10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10\n", printed(p, "ints", 1, 1));
	same("float vectors",
		"-1.000000,1.000000 9,8,7.5 4,4,4,4 8,8,8,8,8,8,8,8 0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5\n"
		" -1.0,  1.0 9,8,7.5 4,4,4,4 8,8,8,8,8,8,8,8 0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25 99\n",
		printed(p, "floats", 1, 1));
	const char *wrong = printed(p, "wrong", 1, 1);
	if (!strstr(wrong, "%s7\n") || !strstr(wrong, "%d %d\n%"))
		FAIL("wrong formats print %s", wrong);
	MUST(clReleaseProgram(p));
}

// The application's own output and that of kernels come in the order of the calls, in whatever way stdout is buffered.
static void order(void)
{
	cl_program p = build("kernel void k(global int *out) { out[0] += printf(\"kernel %d\\n\", out[1]++); }", "");
	cl_int err, zero[2] = { 0 };
	cl_mem m = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &err);
	MUST(err);
	capture();
	for (int i = 0; i < 3; i++) {
		printf("host %d\n", i);
		cl_event e = start(p, "k", 1, 1, m);
		MUST(clWaitForEvents(1, &e));
		MUST(clReleaseEvent(e));
		struct { off_t before, after; } size = { lseek(1, 0, SEEK_END), 0 };
		fflush(stdout);
		size.after = lseek(1, 0, SEEK_END);
		if (size.before != size.after)
			FAIL("%ld bytes were not there when the event was complete", (long)(size.after - size.before));
	}
	same("order", "host 0\nkernel 0\nhost 1\nkernel 1\nhost 2\nkernel 2\n", end_capture());
	int out[2];
	MUST(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	EXPECT(0, out[0]);
	EXPECT(3, out[1]);
	MUST(clReleaseMemObject(m));
	MUST(clReleaseProgram(p));
}

// Every program prints its own strings, also one made of several, and one that was saved.
static void programs(void)
{
	cl_int err;
	cl_program a = make("void tell(int); kernel void k() { printf(\"first %s\\n\", \"one\"); tell(1); }");
	cl_program b = make("void tell(int n) { printf(\"second %d %s\\n\", n, \"two\"); }");
	MUST(clCompileProgram(a, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	MUST(clCompileProgram(b, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	cl_program both[] = { a, b }, linked = clLinkProgram(context, 0, NULL, NULL, 2, both, NULL, NULL, &err);
	MUST(err);
	cl_program other = build("kernel void k() { printf(\"other %s\\n\", \"three\"); }", "");
	same("linked", "first one\nsecond 1 two\n", printed(linked, "k", 1, 1));
	same("other", "other three\n", printed(other, "k", 1, 1));
	size_t size;
	MUST(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	unsigned char *bin = malloc(size);
	const unsigned char *saved = bin;
	MUST(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof bin, &bin, NULL));
	cl_program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &saved, NULL, &err);
	MUST(err);
	MUST(clBuildProgram(loaded, 0, NULL, NULL, NULL, NULL));
	same("loaded", "first one\nsecond 1 two\n", printed(loaded, "k", 1, 1));
	free(bin);
	cl_program all[] = { a, b, linked, other, loaded };
	for (int i = 0; i < 5; i++)
		MUST(clReleaseProgram(all[i]));
}

// Many work-items print more than fits the buffer: no message is torn or lost, and each work-item's are in order.
static void many(void)
{
	enum { items = 2048, calls = 40 };
	cl_program p = build(
		"kernel void k() { int i = get_global_id(0); for (int j = 0; j < 40; j++) { printf(\"item %d call %d %v4hld end\\n\", i, j, (int4)(i));\n"
		"	if (j % 16 == 3) barrier(CLK_LOCAL_MEM_FENCE); } }", "");
	const char *text = printed(p, "k", items, 32);
	static int next[items];
	int lines = 0;
	for (const char *at = text; *at; lines++) {
		int i, j, v[4], n = 0;
		if (sscanf(at, "item %d call %d %d,%d,%d,%d end%n", &i, &j, &v[0], &v[1], &v[2], &v[3], &n) != 6 || n == 0 || at[n] != '\n' || i < 0 || i >= items) {
			FAIL("line %d is %.80s", lines, at);
			return;
		}
		EXPECT(i, v[3]);
		EXPECT(next[i], j);
		next[i] = j + 1;
		at += n + 1;
	}
	EXPECT(items * calls, lines);
	MUST(clReleaseProgram(p));
}

// Of the lanes of a vector each prints what is its own, if it does: no line is lost or comes twice.
static void lanes(void)
{
	enum { items = 150 };
	cl_program p = build(
		"kernel void k() { int i = get_global_id(0);\n"
		"	if (i % 3) printf(\"<%d %v3hlg %ld>\\n\", i, (float3)(i, 2 * i, 0.5f), (long)i << 32);\n"
		"	else for (int j = 0; j < i % 4; j++) printf(\"<%d %d %s %v16hd %lg>\\n\", i, j, j & 1 ? \"odd\" : \"even\", (short16)(i), j / 4.0); }", "");
	const char *text = printed(p, "k", items, 50);
	size_t length = 0;
	for (int i = 0; i < items; i++)
		for (int j = 0; j < (i % 3 ? 1 : i % 4); j++) {
			char line[256];
			int n = i % 3 ? sprintf(line, "<%d %d,%d,0.5 %ld>\n", i, i, 2 * i, (long)i << 32) : sprintf(line, "<%d %d %s %d", i, j, j & 1 ? "odd" : "even", i);
			if (i % 3 == 0) {
				for (int k = 1; k < 16; k++)
					n += sprintf(line + n, ",%d", i);
				n += sprintf(line + n, " %g>\n", j / 4.0);
			}
			if (!strstr(text, line))
				FAIL("no line is %s", line);
			length += n;
		}
	EXPECT(length, strlen(text));
	MUST(clReleaseProgram(p));
}

// What a kernel printed before it failed is there; the command fails all the same.
static void trap(void)
{
	cl_program p = build("kernel void k(global int *p) { printf(\"before\\n\"); *p = 1; printf(\"after\\n\"); }", "");
	capture();
	cl_event e = start(p, "k", 1, 1, NULL);
	clWaitForEvents(1, &e);
	same("trap", "before\n", end_capture());
	cl_int status;
	MUST(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	if (status >= 0)
		FAIL("the kernel ended with %d", status);
	MUST(clReleaseEvent(e));
	MUST(clReleaseProgram(p));
}

int main(void)
{
	cl_int err;
	device = device_of(ours());
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	size_t size;
	MUST(clGetDeviceInfo(device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof size, &size, NULL));
	if (size < 1 << 20)
		FAIL("CL_DEVICE_PRINTF_BUFFER_SIZE is %zu", size);
	arguments();
	order();
	programs();
	many();
	lanes();
	trap();
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
