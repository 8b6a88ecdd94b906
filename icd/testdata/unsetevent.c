// A family of kernels waits for a user event that no kernel gives a status. A dump of the driver's state names it, other queues go on, and when all
// is released and main ends the process does, with its code.
#include "check.h"
#include <signal.h>

static const char *source =
	"kernel void parent(void) {\n"
	"	clk_event_t u = create_user_event();\n"
	"	enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &u, 0, ^{});\n"
	"}\n"
	"kernel void other(global int *n) { n[get_global_id(0)] = 7; }\n";

int main(void)
{
	alarm(110); // a hang ends the program by a signal
	cl_device_id d = device_of(ours());
	cl_int err;
	cl_context ctx = clCreateContext(NULL, 1, &d, NULL, NULL, &err);
	MUST(err);
	const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	cl_command_queue kernels = clCreateCommandQueueWithProperties(ctx, d, on_device, &err);
	MUST(err);
	cl_command_queue stuck = clCreateCommandQueueWithProperties(ctx, d, NULL, &err);
	cl_command_queue q = clCreateCommandQueueWithProperties(ctx, d, NULL, &err);
	MUST(err);
	cl_program p = clCreateProgramWithSource(ctx, 1, &source, NULL, &err);
	MUST(err);
	MUST(clBuildProgram(p, 1, &d, "-cl-std=CL3.0", NULL, NULL));
	cl_kernel parent = clCreateKernel(p, "parent", &err), other = clCreateKernel(p, "other", &err);
	MUST(err);
	int ends[2], out = dup(1);
	EXPECT(0, pipe(ends));
	dup2(ends[1], 2);
	const size_t one = 1, many = 100000;
	MUST(clEnqueueNDRangeKernel(stuck, parent, 1, NULL, &one, NULL, 0, NULL, NULL));
	MUST(clFlush(stuck));
	static char text[1 << 20];
	while (!strstr(text, "that no kernel has given a status")) { // until the family is so far
		usleep(1000);
		raise(SIGQUIT);
		for (size_t n = 0; !(text[n] = 0, strstr(text, "aqueduct: end of the dump\n"));) {
			ssize_t k = read(ends[0], text + n, sizeof text - n - 1);
			EXPECT(1, k > 0);
			n += k;
		}
	}
	dprintf(out, "%s", text);
	cl_mem m = clCreateBuffer(ctx, 0, many * 4, NULL, &err);
	MUST(err);
	MUST(clSetKernelArg(other, 0, sizeof m, &m));
	MUST(clEnqueueNDRangeKernel(q, other, 1, NULL, &many, NULL, 0, NULL, NULL));
	static cl_int numbers[100000];
	MUST(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
	EXPECT(7, numbers[many - 1]);
	MUST(clReleaseMemObject(m));
	MUST(clReleaseKernel(parent));
	MUST(clReleaseKernel(other));
	MUST(clReleaseProgram(p));
	MUST(clReleaseCommandQueue(q));
	MUST(clReleaseCommandQueue(stuck));
	MUST(clReleaseCommandQueue(kernels));
	MUST(clReleaseContext(ctx));
	return 9;
}
