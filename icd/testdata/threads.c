// Sixteen threads that create, build, run and release at once, most things before they have ended.
#include <pthread.h>

#include "check.h"

enum { THREADS = 16, ROUNDS = 12, ITEMS = 1000 };

static cl_context context;
static cl_device_id device;
static cl_program common; // whose kernels all threads launch

static const char *source =
	"kernel void add(global int *out, int v) { out[get_global_id(0)] += v * SCALE; }\n"
	"kernel void rotate_group(global int *out, local int *tmp) {\n"
	"	size_t l = get_local_id(0), n = get_local_size(0);\n"
	"	tmp[l] = out[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	out[get_global_id(0)] = tmp[(l + 1) % n];\n"
	"}\n";

static cl_program build(const char *options)
{
	cl_int err;
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(err);
	MUST(clBuildProgram(p, 0, NULL, options, NULL, NULL));
	return p;
}

static void CL_CALLBACK count(cl_event e, cl_int status, void *user)
{
	if (status == CL_COMPLETE)
		__atomic_fetch_add((int *)user, 1, __ATOMIC_SEQ_CST);
}

static void *work(void *arg)
{
	long id = (long)arg;
	char options[32];
	for (int round = 0; round < ROUNDS; round++) {
		cl_int err;
		cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES, round % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0 };
		cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
		MUST(err);
		snprintf(options, sizeof options, "-DSCALE=%ld", 1 + id % 4);
		cl_program own = round % 4 ? NULL : build(options);
		int scale = own ? 1 + id % 4 : 1;
		cl_program p = own ? own : common;
		int zero = 0, out[ITEMS], ended = 0;
		cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &err);
		MUST(err);
		cl_event last, next;
		MUST(clEnqueueFillBuffer(queue, m, &zero, sizeof zero, 0, sizeof out, 0, NULL, &last));
		cl_event gate = clCreateUserEvent(context, &err);
		MUST(err);
		for (int i = 1; i <= 10; i++) {
			cl_kernel k = clCreateKernel(p, i % 3 ? "add" : "rotate_group", &err);
			MUST(err);
			MUST(clSetKernelArg(k, 0, sizeof m, &m));
			if (i % 3)
				MUST(clSetKernelArg(k, 1, sizeof i, &i));
			else
				MUST(clSetKernelArg(k, 1, 100 * sizeof(int), NULL));
			size_t global = ITEMS, local = 100;
			cl_event wait[] = { last, gate };
			MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 2, wait, &next));
			MUST(clSetEventCallback(next, CL_COMPLETE, count, &ended));
			MUST(clReleaseKernel(k));
			MUST(clReleaseEvent(last));
			last = next;
		}
		if (own)
			MUST(clReleaseProgram(own));
		MUST(clSetUserEventStatus(gate, CL_COMPLETE));
		MUST(clReleaseEvent(gate));
		MUST(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof out, out, 1, &last, NULL));
		MUST(clReleaseEvent(last));
		MUST(clReleaseMemObject(m));
		MUST(clReleaseCommandQueue(queue));
		int want = scale * (1 + 2 + 4 + 5 + 7 + 8 + 10);
		for (int i = 0; i < ITEMS; i++)
			if (out[i] != want) {
				FAIL("thread %ld, round %d, item %d: want %d, got %d", id, round, i, want, out[i]);
				break;
			}
		for (int i = 0; i < 3000 && __atomic_load_n(&ended, __ATOMIC_SEQ_CST) != 10; i++)
			usleep(10000);
		EXPECT(10, ended);
	}
	return NULL;
}

int main(void)
{
	device = device_of(ours());
	cl_int err;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	common = build("-DSCALE=1");
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MUST(clReleaseProgram(common));
	MUST(clReleaseContext(context));
	done();
}
