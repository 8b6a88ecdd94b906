// The driver and ROCr on the simulated GPU in one process: the driver's CPU device and the GPU work at the same time, and a kernel of the
// CPU that accesses memory it must not ends its command while the GPU goes on. Both libraries are Go, each with a runtime of its own.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "hsa.h"

enum { N = 4096, ROUNDS = 30 };

static volatile bool stop;
static int launches;

static void *use_gpu(void *data)
{
	hsa_executable_t x = load(data);
	hsa_queue_t *q = queue_with(64, NULL, NULL);
	int *a = shared(N * 4);
	struct { void *a; } args = {a};
	for (launches = 0; launches < 10 || !stop; launches++)
		run(q, kernel_of(x, "increment"), N, 1, 64, 1, 0, &args, sizeof args);
	for (int i = 0; i < N; i++)
		EXPECT(a[i] == launches, "GPU: element %d is %d after %d launches", i, a[i], launches);
	CHECK(hsa_queue_destroy(q));
	return NULL;
}

int main(int argc, char **argv)
{
	begin();
	pthread_t thread;
	pthread_create(&thread, NULL, use_gpu, argv[1]);

	cl_platform_id platform;
	cl_device_id device;
	cl_int e = clGetPlatformIDs(1, &platform, NULL);
	EXPECT(!e, "no platform: %d", e);
	EXPECT(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "no CPU");
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	const char *source = "kernel void add(global int *a) { a[get_global_id(0)] += 2; }"
			     "kernel void bad(global int *a, ulong p) { *(global int *)p = a[0]; }";
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	EXPECT(!clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
	cl_kernel add = clCreateKernel(program, "add", &e), bad = clCreateKernel(program, "bad", &e);
	int *zero = calloc(N, 4);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, N * 4, zero, &e);
	clSetKernelArg(add, 0, sizeof buffer, &buffer);
	clSetKernelArg(bad, 0, sizeof buffer, &buffer);
	cl_ulong null = 8;
	clSetKernelArg(bad, 1, sizeof null, &null);
	size_t size = N, one = 1;
	for (int i = 0; i < ROUNDS; i++) {
		EXPECT(!clEnqueueNDRangeKernel(queue, add, 1, NULL, &size, NULL, 0, NULL, NULL), "launch");
		EXPECT(!clFinish(queue), "finish");
		cl_event event;
		if (!clEnqueueNDRangeKernel(queue, bad, 1, NULL, &one, NULL, 0, NULL, &event)) {
			cl_int status;
			clWaitForEvents(1, &event);
			clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
			EXPECT(status < 0, "a write to address 8 ended with %d", status);
			clReleaseEvent(event);
		}
	}
	int *got = malloc(N * 4);
	EXPECT(!clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, N * 4, got, 0, NULL, NULL), "read");
	for (int i = 0; i < N; i++)
		EXPECT(got[i] == 2 * ROUNDS, "CPU: element %d is %d", i, got[i]);
	stop = true;
	pthread_join(thread, NULL);
	CHECK(hsa_shut_down());
	return 0;
}
