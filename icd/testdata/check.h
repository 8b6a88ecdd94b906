// What the test programs share.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;

#define FAIL(...) (failures++, printf("FAIL %s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), printf("\n"))
#define EXPECT(want, got)                                                                                                     \
	do {                                                                                                                      \
		long want_ = (long)(want), got_ = (long)(got);                                                                        \
		if (want_ != got_)                                                                                                    \
			FAIL("%s: want %ld, got %ld", #got, want_, got_);                                                                 \
	} while (0)
#define MUST(call)                                                                                                            \
	do {                                                                                                                      \
		cl_int status_ = (call);                                                                                              \
		if (status_ != CL_SUCCESS) {                                                                                          \
			FAIL("%s: %d", #call, status_);                                                                                   \
			exit(1);                                                                                                          \
		}                                                                                                                     \
	} while (0)

// ours is the platform of the driver under test.
static inline cl_platform_id ours(void)
{
	cl_platform_id all[16];
	cl_uint n = 0;
	char name[64];
	MUST(clGetPlatformIDs(16, all, &n));
	for (cl_uint i = 0; i < n; i++)
		if (clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS && strcmp(name, "Aqueduct") == 0)
			return all[i];
	FAIL("no platform Aqueduct");
	exit(1);
}

static inline cl_device_id device_of(cl_platform_id p)
{
	cl_device_id d;
	MUST(clGetDeviceIDs(p, CL_DEVICE_TYPE_DEFAULT, 1, &d, NULL));
	return d;
}

static inline cl_context context_of(cl_device_id device)
{
	cl_int err;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	return context;
}

static inline cl_command_queue queue_of(cl_context context, cl_device_id device)
{
	cl_int err;
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	return queue;
}

// done reports, and ends the program without leaving main, so that exit is tested too.
static inline void done(void)
{
	if (failures == 0)
		printf("ok\n");
	exit(failures != 0);
}
