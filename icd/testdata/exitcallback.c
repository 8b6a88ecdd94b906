// exit from a callback, while main waits for ever and commands are pending: the program ends at once, with that code.
#include "check.h"

static void CL_CALLBACK leave(cl_event event, cl_int status, void *user)
{
	(void)event, (void)status;
	exit((int)(intptr_t)user);
}

int main(void)
{
	alarm(10); // a hang ends the program by a signal
	cl_device_id device = device_of(ours());
	cl_int err;
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	cl_event never = clCreateUserEvent(context, &err), event;
	MUST(err);
	MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
	MUST(clEnqueueMarkerWithWaitList(queue, 1, &never, NULL));
	MUST(clSetEventCallback(event, CL_COMPLETE, leave, (void *)7));
	MUST(clFinish(queue));
	FAIL("clFinish came back");
	return 1;
}
