// Threads of the application come and go, many at a time, with stacks of the smallest size, and use one context.
#include "check.h"
#include <limits.h>
#include <pthread.h>

static cl_context context;
static cl_device_id device;

static void *work(void *unused)
{
	(void)unused;
	cl_int err;
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
	MUST(err);
	int in[16], out[16] = { 0 };
	for (int i = 0; i < 16; i++)
		in[i] = i * 3;
	cl_event event;
	MUST(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof in, in, 0, NULL, &event));
	MUST(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof out, out, 1, &event, NULL));
	EXPECT(0, memcmp(in, out, sizeof in));
	MUST(clReleaseEvent(event));
	MUST(clReleaseMemObject(mem));
	MUST(clReleaseCommandQueue(queue));
	return NULL;
}

static int threads(void)
{
	char line[256];
	int n = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof line, f))
		sscanf(line, "Threads: %d", &n);
	fclose(f);
	return n;
}

int main(void)
{
	alarm(100);
	device = device_of(ours());
	cl_int err;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	work(NULL);
	int before = threads();
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN > 32768 ? PTHREAD_STACK_MIN : 32768);
	for (int round = 0; round < 25; round++) {
		pthread_t t[8];
		for (int i = 0; i < 8; i++)
			if (pthread_create(&t[i], &small, work, NULL))
				FAIL("pthread_create");
		for (int i = 0; i < 8; i++)
			pthread_join(t[i], NULL);
	}
	// 1000 queues, each used
	static cl_command_queue queues[1000];
	for (int i = 0; i < 1000; i++) {
		queues[i] = clCreateCommandQueueWithProperties(context, device, NULL, &err);
		MUST(err);
		MUST(clEnqueueMarkerWithWaitList(queues[i], 0, NULL, NULL));
		MUST(clFlush(queues[i]));
	}
	if (threads() > before + 16)
		FAIL("%d threads, %d before", threads(), before);
	for (int i = 0; i < 1000; i++) {
		MUST(clFinish(queues[i]));
		MUST(clReleaseCommandQueue(queues[i]));
	}
	MUST(clReleaseContext(context));
	done();
}
