// The threads of Go's runtime wake late, and no others: not the one that loads the driver, nor one that calls what is the application's.
#include "check.h"
#include <dirent.h>
#include <sys/prctl.h>

enum { OWN = 70000, WIDE = 1000000 };

static volatile int in_callback;

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *user)
{
	in_callback = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
}

// wide is how many threads wake late.
static int wide(void)
{
	int n = 0;
	DIR *threads = opendir("/proc/self/task");
	for (struct dirent *d; (d = readdir(threads));) {
		char path[300];
		long slack = 0;
		snprintf(path, sizeof path, "/proc/%s/timerslack_ns", d->d_name);
		FILE *f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%ld", &slack) == 1 && slack == WIDE)
			n++;
		fclose(f);
	}
	closedir(threads);
	return n;
}

int main(void)
{
	alarm(60);
	prctl(PR_SET_TIMERSLACK, OWN, 0, 0, 0);
	cl_device_id device = device_of(ours()); // loads the driver
	EXPECT(OWN, prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	if (geteuid() == 0 && wide() == 0) // other users are not told
		FAIL("no thread wakes late");
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	cl_event event;
	MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
	MUST(clSetEventCallback(event, CL_COMPLETE, on_complete, NULL));
	MUST(clFinish(queue));
	for (int i = 0; i < 10000 && !in_callback; i++)
		usleep(1000);
	EXPECT(OWN, in_callback);
	EXPECT(OWN, prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	done();
}
