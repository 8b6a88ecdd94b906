// Semaphores and memory that are shared with another process, which is this program once more: it gets their file descriptors.
#define _GNU_SOURCE
#define __CL_EXT_H // which may be too old; extensions.h has what is needed of it
#include "check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "../gen/extensions.h"

#define FUNCTIONS(F)                                                                                                          \
	F(clCreateSemaphoreWithPropertiesKHR) F(clRetainSemaphoreKHR) F(clReleaseSemaphoreKHR) F(clEnqueueWaitSemaphoresKHR)        \
	F(clEnqueueSignalSemaphoresKHR) F(clGetSemaphoreInfoKHR) F(clGetSemaphoreHandleForTypeKHR) F(clReImportSemaphoreSyncFdKHR)  \
	F(clEnqueueAcquireExternalMemObjectsKHR) F(clEnqueueReleaseExternalMemObjectsKHR)
#define F(name) static name##_fn name;
FUNCTIONS(F)
#undef F

enum { N = 1000 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

static cl_semaphore_khr semaphore_of(int fd)
{
	cl_int err;
	cl_semaphore_properties_khr own[] = { CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
		CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
		(cl_semaphore_properties_khr)device, CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR, 0 };
	cl_semaphore_properties_khr theirs[] = { CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, fd, 0 };
	cl_semaphore_khr s = clCreateSemaphoreWithPropertiesKHR(context, fd < 0 ? own : theirs, &err);
	MUST(err);
	return s;
}

static cl_mem memory_of(int fd)
{
	cl_int err;
	cl_mem_properties properties[] = { CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, fd, CL_MEM_DEVICE_HANDLE_LIST_KHR,
		(cl_mem_properties)device, CL_MEM_DEVICE_HANDLE_LIST_END_KHR, 0 };
	cl_mem m = clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, N * 4, NULL, &err);
	MUST(err);
	return m;
}

// add enqueues v more for each element of m, once from is signaled, and signals to.
static void add(cl_mem m, cl_int v, const cl_semaphore_khr *from, const cl_semaphore_khr *to)
{
	size_t n = N;
	cl_semaphore_payload_khr ignored[] = { 77 };
	if (from)
		MUST(clEnqueueWaitSemaphoresKHR(queue, 1, from, ignored, 0, NULL, NULL));
	MUST(clEnqueueAcquireExternalMemObjectsKHR(queue, 1, &m, 0, NULL, NULL));
	MUST(clSetKernelArg(kernel, 0, sizeof m, &m));
	MUST(clSetKernelArg(kernel, 1, sizeof v, &v));
	MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
	MUST(clEnqueueReleaseExternalMemObjectsKHR(queue, 1, &m, 0, NULL, NULL));
	MUST(clEnqueueSignalSemaphoresKHR(queue, 1, to, NULL, 0, NULL, NULL));
}

// The other process: for each signal it doubles what there is, as it adds it to itself, and signals back.
static void other(int memory, int ping, int pong)
{
	cl_mem m = memory_of(memory);
	cl_semaphore_khr from = semaphore_of(ping), to = semaphore_of(pong);
	for (int round = 0; round < 3; round++)
		add(m, 10 << round, &from, &to);
	MUST(clFinish(queue));
	MUST(clReleaseSemaphoreKHR(from));
	MUST(clReleaseSemaphoreKHR(to));
	MUST(clReleaseMemObject(m));
}

static int fd_of(cl_semaphore_khr s)
{
	int fd = -1;
	size_t size = 0;
	MUST(clGetSemaphoreHandleForTypeKHR(s, device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof fd, &fd, &size));
	EXPECT(sizeof fd, size);
	EXPECT(CL_INVALID_VALUE, clGetSemaphoreHandleForTypeKHR(s, device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 3, &fd, NULL));
	EXPECT(CL_INVALID_VALUE, clGetSemaphoreHandleForTypeKHR(s, device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof fd, &fd, NULL));
	return fcntl(fd, F_DUPFD, 100); // one that is there in another program
}

static void with_another(const char *program)
{
	int memory = memfd_create("shared", 0);
	if (ftruncate(memory, N * 4) != 0)
		FAIL("ftruncate");
	cl_int *mapped = mmap(NULL, N * 4, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	cl_semaphore_khr ping = semaphore_of(-1), pong = semaphore_of(-1);
	char args[3][16];
	snprintf(args[0], 16, "%d", memory);
	snprintf(args[1], 16, "%d", fd_of(ping));
	snprintf(args[2], 16, "%d", fd_of(pong));
	pid_t child = fork();
	if (child == 0) {
		execl(program, program, args[0], args[1], args[2], NULL);
		_exit(127);
	}
	cl_mem m = memory_of(dup(memory));
	add(m, 1, NULL, &ping);
	add(m, 2, &pong, &ping);
	add(m, 3, &pong, &ping);
	MUST(clEnqueueWaitSemaphoresKHR(queue, 1, &pong, NULL, 0, NULL, NULL));
	MUST(clFinish(queue));
	for (int i = 0; i < N; i++)
		if (mapped[i] != 76) {
			FAIL("element %d is %d", i, mapped[i]);
			break;
		}
	int status = -1;
	waitpid(child, &status, 0);
	EXPECT(0, status);
	cl_semaphore_payload_khr payload = 9;
	MUST(clGetSemaphoreInfoKHR(pong, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
	EXPECT(0, payload);
	MUST(clReleaseSemaphoreKHR(ping));
	MUST(clReleaseSemaphoreKHR(pong));
	MUST(clReleaseMemObject(m));
}

static void rules(void)
{
	cl_int err;
	cl_semaphore_khr s = semaphore_of(-1), bad[2] = { s, (cl_semaphore_khr)context };
	cl_device_id of[4];
	size_t size;
	MUST(clGetSemaphoreInfoKHR(s, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, sizeof of, of, &size));
	EXPECT(sizeof *of, size);
	EXPECT((long)device, (long)of[0]);
	EXPECT(CL_INVALID_SEMAPHORE_KHR, clEnqueueWaitSemaphoresKHR(queue, 2, bad, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_SEMAPHORE_KHR, clEnqueueSignalSemaphoresKHR(queue, 2, bad, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueWaitSemaphoresKHR(queue, 0, bad, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueSignalSemaphoresKHR(queue, 1, NULL, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSignalSemaphoresKHR(queue, 1, &s, NULL, 1, NULL, NULL));
	EXPECT(CL_INVALID_SEMAPHORE_KHR, clReImportSemaphoreSyncFdKHR(s, NULL, -1));
	MUST(clRetainSemaphoreKHR(s));
	MUST(clReleaseSemaphoreKHR(s));
	MUST(clReleaseSemaphoreKHR(s));
	EXPECT(CL_INVALID_SEMAPHORE_KHR, clReleaseSemaphoreKHR(s));
	EXPECT(0, (long)clCreateSemaphoreWithPropertiesKHR(context, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);

	cl_semaphore_properties_khr done[] = { CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
		(cl_semaphore_properties_khr)-1, 0 };
	s = clCreateSemaphoreWithPropertiesKHR(context, done, &err);
	MUST(err);
	for (int i = 0; i < 2; i++) {
		MUST(clEnqueueWaitSemaphoresKHR(queue, 1, &s, NULL, 0, NULL, NULL));
		MUST(clFinish(queue));
		MUST(clReImportSemaphoreSyncFdKHR(s, NULL, -1));
	}
	MUST(clReleaseSemaphoreKHR(s));

	cl_mem m = clCreateBuffer(context, 0, 64, NULL, &err);
	EXPECT(CL_INVALID_VALUE, clEnqueueAcquireExternalMemObjectsKHR(queue, 0, &m, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueReleaseExternalMemObjectsKHR(queue, 1, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueReleaseExternalMemObjectsKHR(queue, 1, &m, 0, NULL, NULL));
	EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueAcquireExternalMemObjectsKHR(queue, 1, (cl_mem *)bad, 0, NULL, NULL));
	MUST(clEnqueueAcquireExternalMemObjectsKHR(queue, 0, NULL, 0, NULL, NULL));
	MUST(clReleaseMemObject(m));
}

int main(int argc, char **argv)
{
	cl_platform_id platform = ours();
	device = device_of(platform);
	cl_int err;
#define F(name)                                                                                                               \
	if (!(name = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name)))                                         \
		FAIL("no " #name);
	FUNCTIONS(F)
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	const char *source = "kernel void add(global int *p, int v) { p[get_global_id(0)] += v; }";
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	kernel = clCreateKernel(program, "add", &err);
	MUST(err);
	if (argc > 3) {
		other(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	} else {
		rules();
		with_another(argv[0]);
	}
	MUST(clReleaseKernel(kernel));
	MUST(clReleaseProgram(program));
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
