// Images and samplers as C applications see them, with the real compiler.
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include "check.h"

static const char *source =
	"constant sampler_t corner = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;\n"
	"kernel void ask(read_only image1d_t a, read_only image1d_array_t b, write_only image2d_t c, read_write image2d_array_t d,\n"
	"                read_only image3d_t e, read_only image1d_buffer_t f, read_only image2d_depth_t g, global int *out) {\n"
	"	*out++ = get_image_width(a);\n"
	"	*out++ = get_image_width(b); *out++ = get_image_array_size(b);\n"
	"	*out++ = get_image_dim(c).x; *out++ = get_image_dim(c).y; *out++ = get_image_channel_order(c);\n"
	"	*out++ = get_image_height(d); *out++ = get_image_array_size(d); *out++ = get_image_channel_data_type(d);\n"
	"	*out++ = get_image_depth(e); *out++ = get_image_dim(e).z;\n"
	"	*out++ = get_image_width(f);\n"
	"	*out++ = get_image_width(g); *out++ = get_image_channel_order(g) == CLK_DEPTH;\n"
	"}\n"
	"kernel void shift(read_only image2d_t in, sampler_t s, write_only image2d_t out, int2 by) {\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	write_imageui(out, at, read_imageui(in, s, at + by));\n"
	"}\n"
	"kernel void halve(read_only image2d_depth_t in, write_only image2d_depth_t out) {\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	write_imagef(out, at, read_imagef(in, corner, (convert_float2(at) + 0.5f) / 4) / 2);\n"
	"}\n"
	"kernel void triple(read_write image1d_buffer_t b) {\n"
	"	int i = get_global_id(0);\n"
	"	write_imageui(b, i, 3 * read_imageui(b, i));\n"
	"}\n";

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static cl_mem image(cl_mem_flags flags, cl_channel_order order, cl_channel_type type, cl_image_desc desc, void *host)
{
	cl_int err;
	cl_image_format format = { order, type };
	cl_mem m = clCreateImage(context, flags, &format, &desc, host, &err);
	MUST(err);
	return m;
}

static cl_kernel kernel(const char *name)
{
	cl_int err;
	cl_kernel k = clCreateKernel(program, name, &err);
	MUST(err);
	return k;
}

#define ARG(k, i, v) MUST(clSetKernelArg(k, i, sizeof(v), &(v)))

static void launch(cl_kernel k, size_t w, size_t h)
{
	size_t global[] = { w, h };
	MUST(clEnqueueNDRangeKernel(queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
	MUST(clFinish(queue));
}

#define D1(w) (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = w }
#define D2(w, h) (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = w, .image_height = h }

static void queries(void)
{
	cl_int err, got[14], want[] = { 5, 6, 2, 7, 8, CL_BGRA, 3, 4, CL_HALF_FLOAT, 9, 9, 10, 11, 1 };
	cl_mem buffer = clCreateBuffer(context, 0, 40, NULL, &err), out = clCreateBuffer(context, 0, sizeof got, NULL, &err);
	cl_mem all[] = {
		image(0, CL_R, CL_FLOAT, D1(5), NULL),
		image(0, CL_R, CL_FLOAT, (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 6, .image_array_size = 2 }, NULL),
		image(0, CL_BGRA, CL_UNORM_INT8, D2(7, 8), NULL),
		image(0, CL_RG, CL_HALF_FLOAT, (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 2, .image_height = 3, .image_array_size = 4 }, NULL),
		image(0, CL_R, CL_FLOAT, (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 2, .image_height = 3, .image_depth = 9 }, NULL),
		image(0, CL_R, CL_UNSIGNED_INT32, (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 10, .buffer = buffer }, NULL),
		image(0, CL_DEPTH, CL_FLOAT, D2(11, 1), NULL),
	};
	cl_kernel k = kernel("ask");
	for (cl_uint i = 0; i < 7; i++)
		ARG(k, i, all[i]);
	ARG(k, 7, out);
	launch(k, 1, 1);
	MUST(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	for (int i = 0; i < 14; i++)
		if (got[i] != want[i])
			FAIL("query %d: %d, want %d", i, got[i], want[i]);

	// What goes where: a 2D image is no 1D image, a depth image no other, a buffer none at all.
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof(cl_mem), &all[2]));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 2, sizeof(cl_mem), &all[6]));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 6, sizeof(cl_mem), &all[2]));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof(cl_mem), &buffer));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 7, sizeof(cl_mem), &all[0]));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof(cl_mem), NULL));
	EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof(cl_mem), &(cl_mem){ NULL }));
	EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &all[0]));
	cl_mem write = image(CL_MEM_WRITE_ONLY, CL_R, CL_FLOAT, D1(5), NULL), read = image(CL_MEM_READ_ONLY, CL_R, CL_FLOAT, D2(5, 5), NULL);
	EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 0, sizeof(cl_mem), &write));
	EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 2, sizeof(cl_mem), &read));
	MUST(clReleaseMemObject(write));
	MUST(clReleaseMemObject(read));

	size_t size;
	cl_mem object;
	cl_image_format format;
	MUST(clGetImageInfo(all[3], CL_IMAGE_FORMAT, sizeof format, &format, &size));
	EXPECT(sizeof format, size);
	EXPECT(CL_RG, format.image_channel_order);
	EXPECT(CL_HALF_FLOAT, format.image_channel_data_type);
	MUST(clGetImageInfo(all[3], CL_IMAGE_SLICE_PITCH, sizeof size, &size, NULL));
	EXPECT(2 * 3 * 4, size);
	MUST(clGetImageInfo(all[5], CL_IMAGE_BUFFER, sizeof object, &object, NULL));
	EXPECT(buffer, object);
	EXPECT(CL_INVALID_VALUE, clGetImageInfo(all[3], CL_IMAGE_WIDTH, 7, &size, NULL));
	EXPECT(CL_INVALID_VALUE, clGetImageInfo(all[3], CL_MEM_SIZE, sizeof size, &size, NULL));
	EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof size, &size, NULL));
	for (int i = 0; i < 7; i++)
		MUST(clReleaseMemObject(all[i]));
	MUST(clReleaseMemObject(out));
	MUST(clReleaseMemObject(buffer));
	MUST(clReleaseKernel(k));
}

static void kernels(void)
{
	enum { W = 37, H = 9 };
	static cl_uchar in[H][W], got[H][W];
	for (int i = 0; i < W * H; i++)
		in[0][i] = 1 + i % 200;
	cl_int err, by[] = { 3, -2 };
	cl_mem a = image(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, CL_R, CL_UNSIGNED_INT8, D2(W, H), in), b = image(0, CL_R, CL_UNSIGNED_INT8, D2(W, H), NULL);
	cl_sampler s = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
	MUST(err);
	cl_kernel k = kernel("shift");
	ARG(k, 0, a);
	ARG(k, 1, s);
	ARG(k, 2, b);
	ARG(k, 3, by);
	EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(k, 1, sizeof(cl_sampler), NULL));
	EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(k, 1, sizeof(cl_sampler), &a));
	MUST(clReleaseSampler(s)); // the kernel has its value
	launch(k, W, H);
	size_t origin[3] = { 0 }, region[] = { W, H, 1 };
	MUST(clEnqueueReadImage(queue, b, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			EXPECT(x + 3 < W && y >= 2 ? in[y - 2][x + 3] : 0, got[y][x]);

	// What is released may be no argument any more.
	MUST(clReleaseMemObject(a));
	EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 2, NULL, region, NULL, 0, NULL, NULL));
	MUST(clReleaseMemObject(b));
	MUST(clReleaseKernel(k));

	cl_mem depth = image(0, CL_DEPTH, CL_FLOAT, D2(4, 4), NULL), half = image(0, CL_DEPTH, CL_UNORM_INT16, D2(4, 4), NULL);
	cl_float far = 0.5f;
	cl_ushort values[16];
	MUST(clEnqueueFillImage(queue, depth, &far, origin, (size_t[]){ 4, 4, 1 }, 0, NULL, NULL));
	k = kernel("halve");
	ARG(k, 0, depth);
	ARG(k, 1, half);
	launch(k, 4, 4);
	MUST(clEnqueueReadImage(queue, half, CL_TRUE, origin, (size_t[]){ 4, 4, 1 }, 0, 0, values, 0, NULL, NULL));
	for (int i = 0; i < 16; i++)
		EXPECT(16384, values[i]); // 65535 / 4, rounded
	MUST(clReleaseMemObject(depth));
	MUST(clReleaseMemObject(half));
	MUST(clReleaseKernel(k));

	cl_uint numbers[100];
	for (cl_uint i = 0; i < 100; i++)
		numbers[i] = i;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &err);
	cl_mem view = image(0, CL_R, CL_UNSIGNED_INT32, (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 100, .buffer = buffer }, NULL);
	k = kernel("triple");
	ARG(k, 0, view);
	launch(k, 100, 1);
	MUST(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
	for (cl_uint i = 0; i < 100; i++)
		EXPECT(3 * i, numbers[i]);
	MUST(clReleaseMemObject(buffer));
	MUST(clReleaseMemObject(view));
	MUST(clReleaseKernel(k));
}

static void calls(void)
{
	cl_int err;
	cl_image_format format = { CL_RGBA, CL_UNORM_INT8 }, formats[200];
	cl_image_desc desc = D2(4, 4);
	cl_uint n = 0, rest = 0;
	EXPECT(NULL, clCreateImage(context, 0, NULL, &desc, NULL, &err));
	EXPECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, err);
	EXPECT(NULL, clCreateImage(context, 0, &format, NULL, NULL, &err));
	EXPECT(CL_INVALID_IMAGE_DESCRIPTOR, err);
	desc.mem_object = (cl_mem)queue;
	EXPECT(NULL, clCreateImage(context, 0, &format, &desc, NULL, &err));
	EXPECT(CL_INVALID_IMAGE_DESCRIPTOR, err);
	MUST(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
	MUST(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 200, formats, &rest));
	EXPECT(n, rest);
	EXPECT(1, n > 80);
	formats[1].image_channel_order = 0;
	MUST(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 1, formats, NULL));
	EXPECT(0, formats[1].image_channel_order);
	EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, formats, &n));
	EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, NULL, &n));

	// OpenCL 1.0 has errors of its own.
	EXPECT(NULL, clCreateImage2D(context, 0, &format, 0, 4, 0, NULL, &err));
	EXPECT(CL_INVALID_IMAGE_SIZE, err);
	EXPECT(NULL, clCreateImage3D(context, 0, &format, 4, 4, 0, 0, 0, NULL, &err));
	EXPECT(CL_INVALID_IMAGE_SIZE, err);
	cl_mem m = clCreateImage3D(context, 0, &format, 4, 5, 6, 0, 0, NULL, &err);
	MUST(err);
	size_t row = 0, slice = 0, origin[] = { 1, 2, 3 }, region[] = { 2, 2, 2 };
	char *p = clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_WRITE, origin, region, &row, &slice, 0, NULL, NULL, &err);
	MUST(err);
	EXPECT(16, row);
	EXPECT(80, slice);
	p[row + slice] = 77;
	MUST(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
	EXPECT(NULL, clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_READ, origin, region, NULL, &slice, 0, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_uchar pixel[4];
	MUST(clEnqueueReadImage(queue, m, CL_TRUE, (size_t[]){ 1, 3, 4 }, (size_t[]){ 1, 1, 1 }, 0, 0, pixel, 0, NULL, NULL));
	EXPECT(77, pixel[0]);
	MUST(clReleaseMemObject(m));

	cl_sampler_properties properties[] = { CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0 }, got[4];
	cl_sampler s = clCreateSamplerWithProperties(context, properties, &err);
	MUST(err);
	cl_uint mode;
	MUST(clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, NULL));
	EXPECT(CL_ADDRESS_REPEAT, mode);
	MUST(clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof mode, &mode, NULL));
	EXPECT(CL_FILTER_NEAREST, mode);
	MUST(clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, sizeof got, got, &row));
	EXPECT(sizeof properties, row);
	EXPECT(0, memcmp(properties, got, sizeof properties));
	EXPECT(CL_INVALID_VALUE, clGetSamplerInfo(s, CL_SAMPLER_LOD_MIN, sizeof got, got, NULL));
	MUST(clReleaseSampler(s));
	EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(s));
	EXPECT(NULL, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP, &err));
	EXPECT(CL_INVALID_VALUE, err);
}

int main(void)
{
	cl_device_id device = device_of(ours());
	cl_int err;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(err);
	if (clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) != CL_SUCCESS) {
		char log[1 << 14] = "";
		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
		FAIL("build: %s", log);
		done();
	}
	queries();
	kernels();
	calls();
	MUST(clReleaseProgram(program));
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
