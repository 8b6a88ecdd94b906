// exit while a command runs and others wait for it: the program ends at once, with its code.
#include "check.h"

static volatile int running;

static void CL_CALLBACK spin(void *args)
{
	(void)args;
	running = 1;
	for (;;)
		usleep(1000);
}

int main(void)
{
	alarm(20); // a hang ends the program by a signal
	cl_device_id device = device_of(ours());
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	MUST(clEnqueueNativeKernel(queue, spin, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
	for (int i = 0; i < 100; i++)
		MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
	MUST(clFlush(queue));
	while (!running)
		usleep(100);
	exit(9);
}
