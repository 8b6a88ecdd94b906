// A limit on the size of files (ulimit -f) is no end of the process: what cannot be done for it is an error, and once the limit is
// gone, all is well.
#include "check.h"
#include <signal.h>
#include <sys/resource.h>

// run builds a program that no cache has and runs it. It returns the first error.
static cl_int run(cl_context context, cl_device_id device, cl_command_queue queue, int number)
{
	char source[200];
	const char *lines = source;
	snprintf(source, sizeof source, "kernel void store(global int *to) { to[0] = %d + %d; }", (int)getpid(), number);
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &lines, NULL, &err);
	MUST(err);
	cl_int result = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
	if (result == CL_SUCCESS) {
		cl_kernel kernel = clCreateKernel(program, "store", &result);
		if (result == CL_SUCCESS) {
			cl_mem buffer = clCreateBuffer(context, 0, sizeof(cl_int), NULL, &err);
			MUST(err);
			cl_int value = 0;
			size_t one = 1;
			MUST(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
			MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
			MUST(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
			EXPECT((int)getpid() + number, value);
			clReleaseMemObject(buffer);
			clReleaseKernel(kernel);
		}
	}
	clReleaseProgram(program);
	return result;
}

int main(void)
{
	alarm(100);
	signal(SIGXFSZ, SIG_DFL);
	cl_device_id device = device_of(ours());
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	struct rlimit all, none;
	getrlimit(RLIMIT_FSIZE, &all);
	none = all;
	for (int k = 0; k < 4; k++) {
		none.rlim_cur = k % 2 * 5000;
		setrlimit(RLIMIT_FSIZE, &none);
		printf("with at most %ld bytes: %d\n", (long)none.rlim_cur, run(context, device, queue, k));
	}
	setrlimit(RLIMIT_FSIZE, &all);
	EXPECT(CL_SUCCESS, run(context, device, queue, 4));
	done();
}
