// All platforms of the process side by side: each gets a context, a queue, commands and callbacks.
#include "check.h"

static void CL_CALLBACK count(cl_event event, cl_int status, void *user)
{
	(void)event, (void)status;
	__atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
	alarm(60);
	cl_platform_id all[16];
	cl_uint n = 0;
	MUST(clGetPlatformIDs(16, all, &n));
	EXPECT(2, n);
	cl_context contexts[16];
	cl_command_queue queues[16];
	cl_mem mems[16];
	int counts[16] = { 0 };
	cl_int err;
	for (cl_uint i = 0; i < n; i++) {
		char name[64];
		MUST(clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
		printf("%u: %s\n", i, name);
		cl_device_id d = device_of(all[i]);
		cl_context_properties p[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)all[i], 0 };
		contexts[i] = clCreateContext(p, 1, &d, NULL, NULL, &err);
		MUST(err);
		queues[i] = clCreateCommandQueueWithProperties(contexts[i], d, NULL, &err);
		MUST(err);
		mems[i] = clCreateBuffer(contexts[i], CL_MEM_READ_WRITE, 1 << 16, NULL, &err);
		MUST(err);
	}
	for (int round = 1; round <= 100; round++)
		for (cl_uint i = 0; i < n; i++) {
			unsigned char in[256], out[256];
			memset(in, round, sizeof in);
			memset(out, 0, sizeof out);
			cl_event e;
			MUST(clEnqueueWriteBuffer(queues[i], mems[i], CL_FALSE, 128, sizeof in, in, 0, NULL, NULL));
			MUST(clEnqueueReadBuffer(queues[i], mems[i], CL_TRUE, 128, sizeof out, out, 0, NULL, &e));
			EXPECT(0, memcmp(in, out, sizeof in));
			MUST(clSetEventCallback(e, CL_COMPLETE, count, &counts[i]));
			MUST(clReleaseEvent(e));
		}
	for (cl_uint i = 0; i < n; i++) {
		while (__atomic_load_n(&counts[i], __ATOMIC_SEQ_CST) < 100)
			usleep(1000);
		MUST(clReleaseMemObject(mems[i]));
		MUST(clReleaseCommandQueue(queues[i]));
		MUST(clReleaseContext(contexts[i]));
	}
	done();
}
