// A million events made and released: memory stays flat.
#include "check.h"

static long resident(void)
{
	long pages = 0, rss = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (fscanf(f, "%ld %ld", &pages, &rss) != 2)
		FAIL("no /proc/self/statm");
	fclose(f);
	return rss * sysconf(_SC_PAGESIZE);
}

int main(void)
{
	alarm(100);
	cl_device_id device = device_of(ours());
	cl_int err;
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	long before = 0;
	for (int i = 0; i < 1000000; i++) {
		cl_event user, event;
		MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
		if (i % 10 == 0) {
			user = clCreateUserEvent(context, &err);
			MUST(err);
			MUST(clSetUserEventStatus(user, CL_COMPLETE));
			MUST(clReleaseEvent(user));
		}
		MUST(clReleaseEvent(event));
		if (i % 1000 == 0)
			MUST(clFinish(queue));
		if (i == 200000)
			before = resident();
	}
	long after = resident();
	if (after > before + (16 << 20))
		FAIL("%ld MiB resident, %ld after a fifth of it", after >> 20, before >> 20);
	MUST(clFinish(queue));
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
