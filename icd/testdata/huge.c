// An NDRange with more than 2^32 work-items in a dimension takes several AQL packets, whose grids have 32 bits a dimension: each
// work-item runs once, with its own id.
#include "check.h"

enum { SEEN = 8192, BEHIND = 8192, ELSEWHERE = SEEN + BEHIND };

static const char *const source =
	"kernel void near_the_border(global uint *runs, ulong seen, ulong elsewhere) {\n"
	"	ulong id = get_global_id(0) - get_global_offset(0), from = (1ul << 32) - seen;\n"
	"	if (id >= from) atomic_inc(&runs[min(id - from, elsewhere)]);\n"
	"}\n";

int main(void)
{
	alarm(300);
	cl_int err;
	cl_device_id device = device_of(ours());
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err);
	MUST(err);
	MUST(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	cl_kernel kernel = clCreateKernel(program, "near_the_border", &err);
	MUST(err);
	static cl_uint runs[ELSEWHERE + 1];
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof runs, runs, &err);
	MUST(err);
	cl_ulong seen = SEEN, elsewhere = ELSEWHERE;
	MUST(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
	MUST(clSetKernelArg(kernel, 1, sizeof seen, &seen));
	MUST(clSetKernelArg(kernel, 2, sizeof elsewhere, &elsewhere));
	size_t offset = 5, global = (1ul << 32) + BEHIND, local = 4096;
	MUST(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, &local, 0, NULL, NULL));
	MUST(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof runs, runs, 0, NULL, NULL));
	for (int i = 0; i < ELSEWHERE; i++)
		if (runs[i] != 1) {
			FAIL("work-item %d from the border ran %u times", i, runs[i]);
			break;
		}
	EXPECT(0, runs[ELSEWHERE]);
	done();
}
