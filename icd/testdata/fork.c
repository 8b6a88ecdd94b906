// A forked child gets an error from every function, at once, whatever way it calls; the parent does not notice.
#include "cases.h"
#include "check.h"
#include <dlfcn.h>
#include <sys/wait.h>

enum returns { STATUS, OBJECT, NOTHING };

static const struct {
	const char *name;
	enum returns returns;
	const char *params;
} cases[] = {
#define CASE(i, name, returns, params) [i] = { #name, returns, params },
	CASES(CASE)
};

enum { COUNT = sizeof cases / sizeof *cases };

typedef long (*any)(long, long, long, long, long, long, long, long, long, long, long, long);

static void child(cl_platform_id platform, cl_device_id device, cl_command_queue queue, void **by_name)
{
	alarm(5); // a hang ends the child by a signal
	EXPECT(CL_OUT_OF_RESOURCES, clFinish(queue));
	EXPECT(CL_OUT_OF_RESOURCES, clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
	cl_uint n;
	EXPECT(CL_OUT_OF_RESOURCES, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n));
	cl_int err = 0;
	EXPECT(0, (long)clCreateContext(NULL, 1, &device, NULL, NULL, &err));
	EXPECT(CL_OUT_OF_RESOURCES, err);
	void **table = *(void ***)platform;
	for (int i = 0; i < COUNT; i++) {
		void *ways[] = { by_name[i], i < SLOT_COUNT ? table[i] : NULL };
		for (int w = 0; w < 2 && ways[w]; w++) {
			if (w == 1 && (strcmp(cases[i].name, "clGetPlatformIDs") == 0 || strcmp(cases[i].name, "clUnloadCompiler") == 0))
				continue; // these hold the tags of cl_khr_icd 2.0
			long a[12] = { 0 };
			cl_int code = 0;
			const char *x = strchr(cases[i].params, 'x');
			if (x)
				a[x - cases[i].params] = (long)&code;
			long r = ((any)ways[w])(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
			if (cases[i].returns == STATUS && (cl_int)r != CL_OUT_OF_RESOURCES || cases[i].returns == OBJECT && r != 0 ||
			    x && code != CL_OUT_OF_RESOURCES)
				FAIL("%s, way %d: returned %ld, %d", cases[i].name, w, r, code);
		}
	}
	fflush(stdout);
	_exit(failures != 0);
}

int main(int argc, char **argv)
{
	cl_platform_id platform = ours();
	cl_device_id device = device_of(platform);
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	cl_event event;
	MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
	MUST(clFinish(queue));

	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	void *(*address)(cl_platform_id, const char *) = dlsym(library, "clIcdGetFunctionAddressForPlatformKHR");
	void *by_name[COUNT];
	for (int i = 0; i < COUNT; i++)
		if (!(by_name[i] = address(platform, cases[i].name)))
			FAIL("no address of %s", cases[i].name);

	int status;
	pid_t pid = fork();
	if (pid == 0)
		child(platform, device, queue, by_name);
	waitpid(pid, &status, 0);
	EXPECT(0, status);

	// a child that runs another program is not bothered
	pid = fork();
	if (pid == 0)
		execlp("true", "true", NULL);
	waitpid(pid, &status, 0);
	EXPECT(0, status);

	MUST(clEnqueueMarkerWithWaitList(queue, 1, &event, NULL));
	MUST(clFinish(queue));
	MUST(clReleaseEvent(event));
	done();
}
