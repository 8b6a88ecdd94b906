// A queue waits for a user event that nobody sets; the watchdog tells who waits for whom, and the process goes on. It tells nothing of
// a queue that has nothing to do.
#include "check.h"

int main(void)
{
	alarm(60);
	cl_device_id d = device_of(ours());
	cl_int err;
	cl_context ctx = clCreateContext(NULL, 1, &d, NULL, NULL, &err);
	MUST(err);
	cl_command_queue idle = clCreateCommandQueue(ctx, d, 0, &err), q = clCreateCommandQueue(ctx, d, 0, &err);
	MUST(err);
	MUST(clEnqueueMarkerWithWaitList(idle, 0, NULL, NULL));
	MUST(clFinish(idle));
	cl_event gate = clCreateUserEvent(ctx, &err), behind;
	MUST(err);
	MUST(clEnqueueMarkerWithWaitList(q, 1, &gate, &behind));
	int ends[2], out = dup(1);
	EXPECT(0, pipe(ends));
	dup2(ends[1], 2);
	static char text[1 << 21];
	for (size_t n = 0; !(text[n] = 0, strstr(text, "aqueduct: end of the dump\n"));) {
		ssize_t k = read(ends[0], text + n, sizeof text - n - 1);
		EXPECT(1, k > 0);
		n += k;
	}
	dprintf(out, "%s", text);
	MUST(clSetUserEventStatus(gate, CL_COMPLETE));
	MUST(clWaitForEvents(1, &behind));
	done();
}
