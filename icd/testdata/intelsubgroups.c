// cl_intel_subgroups against a serial reference, in OpenCL C 1.2 and 3.0; cl_intel_required_subgroup_size;
// cl_intel_device_partition_by_names.
#include "check.h"

enum { width = 16, items = 64, rows = 8 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

// Each work-item writes what the shuffles of a type give, always six elements of it.
static const char *shuffles =
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
	"#ifndef cl_intel_subgroups\n#error not defined\n#endif\n"
	"__attribute__((intel_reqd_sub_group_size(16))) kernel void shuffles(global ulong *out, global uint *delta) {\n"
	"	size_t i = get_global_id(0); uint l = get_sub_group_local_id(), d = delta[i];\n"
	"#if N == 1\n"
	"	T x = (T)(i + 1), y = (T)(100 + i);\n"
	"#else\n"
	"	T x, y; for (int k = 0; k < N; k++) { ((E *)&x)[k] = (E)(i + 1 + 7 * k); ((E *)&y)[k] = (E)(100 + i + 7 * k); }\n"
	"#endif\n"
	"	T r[4] = { intel_sub_group_shuffle(x, d & 15), intel_sub_group_shuffle_xor(x, d & 15),\n"
	"		intel_sub_group_shuffle_down(x, y, d), intel_sub_group_shuffle_up(y, x, d) };\n"
	"	for (int f = 0; f < 4; f++) for (int k = 0; k < N; k++) out[(i * 4 + f) * N + k] = (ulong)((E *)&r[f])[k];\n"
	"}\n";

// Rows of an image and parts of a buffer go through a sub-group unchanged.
static const char *blocks =
	"kernel void buffers(global uint *in, global uint *out) {\n"
	"	size_t g = get_group_id(0) * 16 * 15;\n"
	"	in += g; out += g;\n"
	"	intel_sub_group_block_write(out, intel_sub_group_block_read(in) + 1);\n"
	"	intel_sub_group_block_write2(out + 16, intel_sub_group_block_read2(in + 16) + 1);\n"
	"	intel_sub_group_block_write4(out + 48, intel_sub_group_block_read4(in + 48) + 1);\n"
	"	intel_sub_group_block_write8(out + 112, intel_sub_group_block_read8(in + 112) + 1);\n"
	"}\n"
	"kernel void images(read_only image2d_t in, write_only image2d_t out, int x, int y) {\n"
	"	intel_sub_group_block_write8(out, (int2)(x & -4, y), intel_sub_group_block_read8(in, (int2)(x, y)));\n"
	"}\n"
	"#if __OPENCL_C_VERSION__ >= 200\n"
	"kernel void both(read_write image2d_t im, int x) {\n"
	"	intel_sub_group_block_write2(im, (int2)(x, 2), intel_sub_group_block_read2(im, (int2)(x, 0)) ^ 1u);\n"
	"}\n"
	"#endif\n";

static cl_program build(const char *source, const char *options, cl_int want)
{
	cl_int err;
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(err);
	err = clBuildProgram(p, 1, &device, options, NULL, NULL);
	static char text[1 << 16];
	if (err != want) {
		clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
		FAIL("%s: %d %s", options, err, text);
		exit(1);
	}
	return p;
}

static cl_mem memory(size_t size, void *host)
{
	cl_int err;
	cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, host, &err);
	MUST(err);
	return m;
}

static cl_kernel kernel(cl_program p, const char *name)
{
	cl_int err;
	cl_kernel k = clCreateKernel(p, name, &err);
	MUST(err);
	return k;
}

static void run(cl_kernel k, size_t global, size_t local)
{
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
	MUST(clFinish(queue));
}

static void show(cl_mem m)
{
	cl_int err;
	void *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &err);
	MUST(err);
	MUST(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
	MUST(clFinish(queue));
	MUST(clReleaseMemObject(m));
}

static void check_shuffles(const char *type, const char *element, int n, const char *std)
{
	char options[200];
	snprintf(options, sizeof options, "-cl-std=%s -DT=%s -DE=%s -DN=%d", std, type, element, n);
	cl_program p = build(shuffles, options, CL_SUCCESS);
	static cl_ulong out[items * 4 * 16];
	static cl_uint delta[items];
	for (int i = 0; i < items; i++)
		delta[i] = (i * 5 + i / 16) % 17; // 16 is all of the second operand
	cl_kernel k = kernel(p, "shuffles");
	cl_mem a = memory(sizeof out, out), b = memory(sizeof delta, delta);
	MUST(clSetKernelArg(k, 0, sizeof a, &a));
	MUST(clSetKernelArg(k, 1, sizeof b, &b));
	size_t size = 0;
	MUST(clGetKernelSubGroupInfo(k, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL, sizeof size, &size, NULL));
	EXPECT(width, size);
	run(k, items, 32);
	show(a);
	show(b);
	for (int i = 0; i < items && failures < 10; i++)
		for (int e = 0; e < n; e++) {
			int l = i % width, first = i - l, d = delta[i];
			cl_ulong *got = out + i * 4 * n + e;
			int down = l + d, up = l - d;
			EXPECT(first + (d & 15) + 1 + 7 * e, got[0]);
			EXPECT(first + (l ^ (d & 15)) + 1 + 7 * e, got[n]);
			EXPECT((down < width ? first + down + 1 : 100 + first + down - width) + 7 * e, got[2 * n]);
			EXPECT((up >= 0 ? first + up + 1 : 100 + first + up + width) + 7 * e, got[3 * n]);
		}
	MUST(clReleaseKernel(k));
	MUST(clReleaseProgram(p));
}

static void check_buffers(cl_program p)
{
	enum { count = 2 * 16 * 15 };
	static cl_uint in[count], out[count];
	for (int i = 0; i < count; i++)
		in[i] = i * 2654435761u;
	cl_kernel k = kernel(p, "buffers");
	cl_mem a = memory(sizeof in, in), b = memory(sizeof out, out);
	MUST(clSetKernelArg(k, 0, sizeof a, &a));
	MUST(clSetKernelArg(k, 1, sizeof b, &b));
	run(k, 32, 16);
	show(b);
	MUST(clReleaseMemObject(a));
	for (int i = 0; i < count && failures < 10; i++)
		EXPECT(in[i] + 1, out[i]);
	size_t size = 1;
	MUST(clGetKernelSubGroupInfo(k, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL, sizeof size, &size, NULL));
	EXPECT(0, size);
	cl_ulong spill = 0;
	MUST(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof spill, &spill, NULL));
	if (spill == 0)
		FAIL("it cannot be known that nothing is spilled");
	MUST(clReleaseKernel(k));
}

static cl_mem image(cl_channel_order order, size_t w, const void *pixels)
{
	cl_image_format format = { order, CL_UNSIGNED_INT8 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = w, .image_height = rows };
	cl_int err;
	cl_mem m = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, (void *)pixels, &err);
	MUST(err);
	return m;
}

static void pixels_of(cl_mem m, size_t w, void *to)
{
	size_t origin[3] = { 0 }, region[3] = { w, rows, 1 };
	MUST(clEnqueueReadImage(queue, m, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL));
}

// A row of pixels, of a byte or of four, is 80 bytes: reads that start at x, and writes, are of 64.
static void check_images(cl_program p, cl_channel_order order, int pixel, int x, int y)
{
	enum { row = 80 };
	unsigned char in[rows][row], out[rows][row], got[rows][row];
	for (int i = 0; i < rows * row; i++)
		in[i / row][i % row] = i * 7 + i / row, out[i / row][i % row] = 99;
	cl_mem a = image(order, row / pixel, in), b = image(order, row / pixel, out);
	cl_kernel k = kernel(p, "images");
	MUST(clSetKernelArg(k, 0, sizeof a, &a));
	MUST(clSetKernelArg(k, 1, sizeof b, &b));
	MUST(clSetKernelArg(k, 2, sizeof x, &x));
	MUST(clSetKernelArg(k, 3, sizeof y, &y));
	run(k, 16, 16);
	for (int l = 0; l < width; l++)
		for (int v = 0; v < 8; v++) {
			int from = x + 4 * l, to = (x & -4) + 4 * l, fy = y + v;
			from = from < 0 ? 0 : from > row - 4 ? row - 4 : from;
			int ty = fy;
			fy = fy < 0 ? 0 : fy >= rows ? rows - 1 : fy;
			if (to >= 0 && to + 4 <= row && ty >= 0 && ty < rows)
				memcpy(&out[ty][to], &in[fy][from], 4);
		}
	pixels_of(b, row / pixel, got);
	if (memcmp(got, out, sizeof got))
		FAIL("images of pixels of %d bytes from (%d, %d)", pixel, x, y);
	MUST(clReleaseMemObject(a));
	MUST(clReleaseMemObject(b));
	MUST(clReleaseKernel(k));
}

static void check_both(cl_program p)
{
	enum { row = 80 };
	unsigned char in[rows][row], got[rows][row];
	for (int i = 0; i < rows * row; i++)
		in[i / row][i % row] = i * 7 + i / row;
	cl_mem a = image(CL_RGBA, row / 4, in);
	cl_kernel k = kernel(p, "both");
	cl_int x = 8;
	MUST(clSetKernelArg(k, 0, sizeof a, &a));
	MUST(clSetKernelArg(k, 1, sizeof x, &x));
	run(k, 16, 16);
	for (int v = 0; v < 2; v++)
		for (int i = 0; i < 64; i++)
			in[2 + v][x + i] = in[v][x + i] ^ (i % 4 == 0);
	pixels_of(a, row / 4, got);
	if (memcmp(got, in, sizeof got))
		FAIL("an image read and written in blocks");
	MUST(clReleaseMemObject(a));
	MUST(clReleaseKernel(k));
}

static void check_names(void)
{
	cl_uint units, n = 0;
	MUST(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
	if (units < 2)
		return; // such a device cannot be partitioned
	enum { names = CL_DEVICE_PARTITION_BY_NAMES_INTEL, end = CL_PARTITION_BY_NAMES_LIST_END_INTEL };
	cl_device_partition_property last[] = { names, units - 1, end, 0 }, twice[] = { names, 0, 0, end, 0 }, beyond[] = { names, units, end, 0 },
		empty[] = { names, end, 0 }, equally[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 }, type[4];
	cl_device_id sub, other;
	MUST(clCreateSubDevices(device, last, 1, &sub, &n));
	EXPECT(1, n);
	size_t size;
	MUST(clGetDeviceInfo(sub, CL_DEVICE_PARTITION_TYPE, sizeof type, type, &size));
	EXPECT(sizeof last, size);
	EXPECT(0, memcmp(last, type, size));
	EXPECT(CL_OUT_OF_RESOURCES, clCreateSubDevices(device, last, 1, &other, NULL)); // they must not overlap
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(sub, equally, 1, &other, NULL));
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, twice, 1, &other, NULL));
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, beyond, 1, &other, NULL));
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, empty, 1, &other, NULL));
	MUST(clReleaseDevice(sub));
	MUST(clCreateSubDevices(device, last, 1, &sub, NULL));
	MUST(clReleaseDevice(sub));
}

int main(void)
{
	static const struct { const char *type, *element; int n; } types[] = {
		{ "float", "float", 1 }, { "float2", "float", 2 }, { "float3", "float", 3 }, { "float16", "float", 16 }, { "int4", "int", 4 },
		{ "uint8", "uint", 8 }, { "long", "long", 1 }, { "ulong", "ulong", 1 }, { "double", "double", 1 }, { "half", "half", 1 },
	};
	cl_int err;
	device = device_of(ours());
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	size_t sizes[8], got = 0;
	MUST(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &got));
	EXPECT(sizeof *sizes, got);
	EXPECT(width, sizes[0]);
	for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
		check_shuffles(types[t].type, types[t].element, types[t].n, t % 2 ? "CL1.2" : "CL3.0");
	for (int modern = 0; modern < 2; modern++) {
		cl_program p = build(blocks, modern ? "-cl-std=CL3.0" : "-cl-std=CL1.2", CL_SUCCESS);
		check_buffers(p);
		for (int y = -3; y <= 3; y += 3)
			for (int x = -20; x <= 28; x += 4) {
				check_images(p, CL_RGBA, 4, x, y);
				check_images(p, CL_R, 1, x, y);
			}
		check_images(p, CL_R, 1, 7, 0); // from any byte
		if (modern)
			check_both(p);
		MUST(clReleaseProgram(p));
	}
	MUST(clReleaseProgram(build("__attribute__((intel_reqd_sub_group_size(32))) kernel void k() {}", "", CL_BUILD_PROGRAM_FAILURE)));
	check_names();
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
