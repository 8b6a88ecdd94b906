// What a loader that manages its own dispatch tables does (cl_khr_icd 2.0): find the tags, ask for functions by name, store
// data that all handles of the platform carry.
#include "cases.h"
#include "check.h"
#include <dlfcn.h>

#define TAG ((void *)0x4F50454E434C3331)

struct handle {
	void **dispatch;
	void *data;
};

int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	void *(*extension)(const char *) = dlsym(library, "clGetExtensionFunctionAddress");
	cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *) = extension("clIcdGetPlatformIDsKHR");
	void *(*address)(cl_platform_id, const char *) = extension("clIcdGetFunctionAddressForPlatformKHR");
	cl_int (*set)(cl_platform_id, void *) = extension("clIcdSetPlatformDispatchDataKHR");
	EXPECT(0, (long)extension("clNoSuchFunctionKHR"));
	EXPECT(0, (long)extension(NULL));
	if (!extension("clCreateCommandQueueWithPropertiesKHR"))
		FAIL("no clCreateCommandQueueWithPropertiesKHR");

	cl_platform_id platform;
	cl_uint n;
	MUST(platforms(0, NULL, &n));
	EXPECT(1, n);
	EXPECT(CL_INVALID_VALUE, platforms(0, &platform, NULL));
	EXPECT(CL_INVALID_VALUE, platforms(1, NULL, NULL));
	MUST(platforms(1, &platform, NULL));
	struct handle *p = (struct handle *)platform;
	EXPECT((long)TAG, (long)p->dispatch[0]);
	EXPECT((long)TAG, (long)p->dispatch[31]);

	EXPECT(CL_INVALID_PLATFORM, set(NULL, p));
	EXPECT(CL_INVALID_PLATFORM, set((cl_platform_id)&p, p));
	MUST(set(platform, argv));
	EXPECT((long)argv, (long)p->data);
#define CASE(i, name, returns, params)                                                                                        \
	if (!address(platform, #name))                                                                                            \
		FAIL("no address of " #name);
	CASES(CASE)
#undef CASE
	EXPECT(0, (long)address(platform, "clNoSuchFunction"));

	cl_int (*ids)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *) = address(platform, "clGetDeviceIDs");
	cl_context (*create)(const cl_context_properties *, cl_uint, const cl_device_id *, void *, void *, cl_int *) =
		address(platform, "clCreateContext");
	cl_int (*release)(cl_context) = address(platform, "clReleaseContext");
	cl_int (*count)(cl_uint, cl_platform_id *, cl_uint *) = address(platform, "clGetPlatformIDs");
	cl_int (*unload)(void) = address(platform, "clUnloadCompiler");
	cl_device_id device;
	MUST(ids(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	EXPECT((long)argv, (long)((struct handle *)device)->data);
	cl_int err;
	cl_context context = create(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	EXPECT((long)argv, (long)((struct handle *)context)->data);
	MUST(release(context));
	MUST(count(0, NULL, &n));
	MUST(unload());

	// "a Go runtime cannot be unloaded": closing and opening again finds the same driver
	dlclose(library);
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	EXPECT((long)address, (long)dlsym(library, "clIcdGetFunctionAddressForPlatformKHR"));
	MUST(ids(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	done();
}
