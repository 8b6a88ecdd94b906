// Works for a while, and then the process ends as the argument says: at once, by a fault of its own, or killed.
#include "check.h"
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	alarm(60);
	cl_device_id d = device_of(ours());
	cl_int err;
	cl_context ctx = clCreateContext(NULL, 1, &d, NULL, NULL, &err);
	MUST(err);
	cl_command_queue q = clCreateCommandQueue(ctx, d, 0, &err);
	MUST(err);
	cl_mem m = clCreateBuffer(ctx, 0, 4096, NULL, &err);
	MUST(err);
	for (int i = 0; i < 20000; i++) {
		cl_int x = i;
		MUST(clEnqueueFillBuffer(q, m, &x, sizeof x, 0, 4096, 0, NULL, NULL));
		if (i % 100 == 99)
			MUST(clFinish(q));
	}
	if (strcmp(argv[argc - 1], "exit") == 0)
		_exit(5);
	if (strcmp(argv[argc - 1], "fault") == 0)
		*(volatile int *)8 = 0;
	raise(SIGKILL);
}
