// A process that hangs is asked by a signal what it is doing, and goes on. Without the setting the signal is left alone.
#define _GNU_SOURCE
#include "check.h"
#include <signal.h>

int main(void)
{
	alarm(60);
	cl_device_id d = device_of(ours());
	cl_int err;
	cl_context ctx = clCreateContext(NULL, 1, &d, NULL, NULL, &err);
	MUST(err);
	cl_command_queue q = clCreateCommandQueue(ctx, d, 0, &err);
	MUST(err);
	struct sigaction now;
	sigaction(SIGQUIT, NULL, &now);
	if (!getenv("AQUEDUCT_DUMP_SIGNAL")) {
		EXPECT(1, now.sa_handler == SIG_DFL);
		done();
	}
	cl_event gate = clCreateUserEvent(ctx, &err), behind;
	MUST(err);
	MUST(clEnqueueMarkerWithWaitList(q, 1, &gate, &behind));
	int ends[2], out = dup(1);
	EXPECT(0, pipe(ends));
	dup2(ends[1], 2);
	kill(getpid(), SIGQUIT);
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
