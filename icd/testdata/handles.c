// Every entry point, with every handle it takes replaced by one that is none: NULL, no pointer, foreign memory, the inside of
// a handle, a handle never given out, a stale one, one of another kind. The functions are called through the dispatch table:
// a loader would follow such pointers itself.
#include "cases.h"
#include "check.h"

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

typedef long (*any)(long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);

static long call(void *f, const long *a)
{
	return ((any)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
}

static cl_int invalid(char kind)
{
	switch (kind) {
	case 'P': return CL_INVALID_PLATFORM;
	case 'D': return CL_INVALID_DEVICE;
	case 'C': return CL_INVALID_CONTEXT;
	case 'Q': return CL_INVALID_COMMAND_QUEUE;
	case 'M': return CL_INVALID_MEM_OBJECT;
	case 'G': return CL_INVALID_PROGRAM;
	case 'K': return CL_INVALID_KERNEL;
	case 'E': return CL_INVALID_EVENT;
	case 'S': return CL_INVALID_SAMPLER;
	case 'B': return -1138; // CL_INVALID_COMMAND_BUFFER_KHR
	case 'U': return -1141; // CL_INVALID_MUTABLE_COMMAND_KHR, which the installed headers may lack
	case 'V': return -1142; // CL_INVALID_SEMAPHORE_KHR
	}
	return 0;
}

int main(void)
{
	cl_platform_id platform = ours();
	cl_device_id device = device_of(platform);
	cl_int err;
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
	MUST(err);
	const char *source = "kernel void k(global int *p) { *p = 1; }";
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(err);
	cl_event event = clCreateUserEvent(context, &err);
	MUST(err);

	long (*create)(cl_uint, const cl_command_queue *, const void *, cl_int *) =
		(void *)clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
	cl_int (*release)(long) = (void *)clGetExtensionFunctionAddressForPlatform(platform, "clReleaseCommandBufferKHR");
	long buffer = create(1, &queue, NULL, &err);
	MUST(err);

	long (*create_semaphore)(cl_context, const cl_ulong *, cl_int *) =
		(void *)clGetExtensionFunctionAddressForPlatform(platform, "clCreateSemaphoreWithPropertiesKHR");
	cl_int (*release_semaphore)(long) = (void *)clGetExtensionFunctionAddressForPlatform(platform, "clReleaseSemaphoreKHR");
	cl_ulong binary[] = { 0x203D, 1, 0 }; // CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR
	long semaphore = create_semaphore(context, binary, &err);
	MUST(err);

	// one of each kind that is valid, and one that was
	long valid[128] = { ['P'] = (long)platform, ['D'] = (long)device, ['C'] = (long)context, ['Q'] = (long)queue,
	                    ['M'] = (long)mem, ['G'] = (long)program, ['E'] = (long)event, ['B'] = buffer, ['V'] = semaphore };
	long stale[128] = { 0 };
	stale['C'] = (long)clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(clReleaseContext((cl_context)stale['C']));
	stale['Q'] = (long)clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(clReleaseCommandQueue((cl_command_queue)stale['Q']));
	stale['M'] = (long)clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
	MUST(clReleaseMemObject((cl_mem)stale['M']));
	stale['G'] = (long)clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(clReleaseProgram((cl_program)stale['G']));
	stale['E'] = (long)clCreateUserEvent(context, &err);
	MUST(clReleaseEvent((cl_event)stale['E']));
	stale['B'] = create(1, &queue, NULL, &err);
	MUST(release(stale['B']));
	stale['V'] = create_semaphore(context, binary, &err);
	MUST(release_semaphore(stale['V']));

	void **table = *(void ***)platform;
	long *foreign = calloc(64, sizeof *foreign);
	foreign[0] = (long)table;
	int checks = 0;
	for (int i = 0; i < COUNT; i++) {
		const char *params = cases[i].params;
		for (int p = 0; params[p]; p++) {
			char kind = params[p];
			if (kind == '-' || kind == 'x')
				continue;
			long bad[] = { 0, 1, 8, -8, (long)&bad, (long)foreign, valid['C'] + 8, valid['C'] + 1, valid['C'] + (1 << 24),
				           stale[(int)kind], kind == 'E' ? valid['C'] : valid['E'] };
			for (unsigned b = 0; b < sizeof bad / sizeof *bad; b++) {
				long args[16] = { 0 };
				cl_int code = 0;
				int reachable = 1;
				for (int j = 0; params[j]; j++) {
					if (params[j] == 'x')
						args[j] = (long)&code;
					else if (params[j] != '-' && j != p) {
						args[j] = valid[(int)params[j]];
						reachable = reachable && (j > p || args[j] != 0);
					}
				}
				args[p] = bad[b];
				if (!reachable)
					continue;
				checks++;
				long r = call(i < SLOT_COUNT ? table[i] : clGetExtensionFunctionAddressForPlatform(platform, cases[i].name), args);
				if (cases[i].returns == STATUS)
					code = (cl_int)r;
				else if (cases[i].returns == OBJECT && r != 0)
					FAIL("%s, bad handle %d as parameter %d: an object came back", cases[i].name, b, p);
				if ((cases[i].returns == STATUS || strchr(params, 'x')) && code != invalid(kind))
					FAIL("%s, bad handle %d as parameter %d: want %d, got %d", cases[i].name, b, p, invalid(kind), code);
			}
		}
	}
	printf("%d checks\n", checks);

	// handles in lists
	cl_event gone = (cl_event)stale['E'], list[2] = { event, gone };
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 2, list, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 0, list, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 2, list, NULL));
	EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, list));
	EXPECT(CL_INVALID_EVENT, ((cl_int(*)(cl_uint, const cl_event *))table[41])(2, list));
	EXPECT(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 2, list));
	EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, list));

	// what was used above is still sound
	MUST(clSetUserEventStatus(event, CL_COMPLETE));
	MUST(clWaitForEvents(1, &event));
	MUST(clFinish(queue));
	MUST(release(buffer));
	MUST(release_semaphore(semaphore));
	MUST(clReleaseEvent(event));
	MUST(clReleaseProgram(program));
	MUST(clReleaseMemObject(mem));
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
