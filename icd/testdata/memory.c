// Memory objects and transfers as C applications see them: what package cl cannot test because it is decoded before.
#include "check.h"

static int destroyed[3], calls;

static void CL_CALLBACK on_destroy(cl_mem m, void *user) { __atomic_store_n(&destroyed[__atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST)], (int)(intptr_t)user, __ATOMIC_SEQ_CST); }

static void CL_CALLBACK native(void *args)
{
	struct { int *to; int value; } *a = args;
	*a->to = a->value;
}

static void info(cl_context context)
{
	int bits[256];
	cl_int err;
	cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof bits, bits, &err);
	MUST(err);
	cl_buffer_region region = { 256, 128 };
	cl_mem s = clCreateSubBuffer(m, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
	MUST(err);
	size_t size, n;
	MUST(clGetMemObjectInfo(s, CL_MEM_SIZE, sizeof size, &size, &n));
	EXPECT(128, size);
	EXPECT(sizeof size, n);
	EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(s, CL_MEM_SIZE, 4, &size, NULL));
	EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(s, CL_MEM_CONTEXT + 100, sizeof size, &size, NULL));
	MUST(clGetMemObjectInfo(s, CL_MEM_OFFSET, sizeof size, &size, NULL));
	EXPECT(256, size);
	cl_mem_object_type type;
	MUST(clGetMemObjectInfo(s, CL_MEM_TYPE, sizeof type, &type, &n));
	EXPECT(CL_MEM_OBJECT_BUFFER, type);
	EXPECT(sizeof type, n);
	cl_mem_flags flags;
	MUST(clGetMemObjectInfo(s, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
	EXPECT(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, flags);
	void *p;
	MUST(clGetMemObjectInfo(s, CL_MEM_HOST_PTR, sizeof p, &p, NULL));
	EXPECT((char *)bits + 256, p);
	MUST(clGetMemObjectInfo(s, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof p, &p, NULL));
	EXPECT(m, p);
	MUST(clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof p, &p, NULL));
	EXPECT(NULL, p);
	MUST(clGetMemObjectInfo(m, CL_MEM_CONTEXT, sizeof p, &p, NULL));
	EXPECT(context, p);
	cl_uint count;
	MUST(clRetainMemObject(m));
	MUST(clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
	EXPECT(2, count);
	MUST(clReleaseMemObject(m));
	cl_bool svm = CL_TRUE;
	MUST(clGetMemObjectInfo(m, CL_MEM_USES_SVM_POINTER, sizeof svm, &svm, NULL));
	EXPECT(CL_FALSE, svm);
	MUST(clGetMemObjectInfo(m, CL_MEM_PROPERTIES, 0, NULL, &n));
	EXPECT(0, n);
	cl_mem_properties none[] = { 0 };
	cl_mem q = clCreateBufferWithProperties(context, none, CL_MEM_READ_WRITE, 4, NULL, &err);
	MUST(err);
	MUST(clGetMemObjectInfo(q, CL_MEM_PROPERTIES, 0, NULL, &n));
	EXPECT(sizeof none, n);
	MUST(clReleaseMemObject(q));
	cl_mem_properties bad[] = { CL_MEM_SIZE, 1, 0 };
	EXPECT(NULL, clCreateBufferWithProperties(context, bad, CL_MEM_READ_WRITE, 4, NULL, &err));
	EXPECT(CL_INVALID_PROPERTY, err);
	EXPECT(NULL, clCreateBuffer(context, 0, 0, NULL, NULL));
	EXPECT(NULL, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);

	EXPECT(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(s, NULL, NULL));
	MUST(clSetMemObjectDestructorCallback(s, on_destroy, (void *)1));
	MUST(clSetMemObjectDestructorCallback(s, on_destroy, (void *)2));
	MUST(clSetMemObjectDestructorCallback(m, on_destroy, (void *)3));
	MUST(clReleaseMemObject(m));
	MUST(clReleaseMemObject(s));
	for (int i = 0; i < 2000 && __atomic_load_n(&destroyed[2], __ATOMIC_SEQ_CST) == 0; i++)
		usleep(10000);
	EXPECT(2, destroyed[0]);
	EXPECT(1, destroyed[1]);
	EXPECT(3, destroyed[2]);
	EXPECT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(s));
}

static void transfers(cl_context context, cl_command_queue queue)
{
	cl_int err;
	unsigned char host[96], back[96];
	for (int i = 0; i < 96; i++)
		host[i] = i;
	cl_mem m = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof host, host, &err);
	MUST(err);
	size_t origin[] = { 1, 2, 0 }, beside[] = { 2, 0, 0 }, zero[] = { 0, 0, 0 }, region[] = { 3, 2, 1 };
	MUST(clEnqueueReadBufferRect(queue, m, CL_TRUE, origin, zero, region, 10, 0, 0, 0, back, 0, NULL, NULL));
	unsigned char want[] = { 21, 22, 23, 31, 32, 33 };
	EXPECT(0, memcmp(want, back, sizeof want));
	EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, m, CL_TRUE, NULL, zero, region, 10, 0, 0, 0, back, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, m, CL_TRUE, origin, NULL, region, 10, 0, 0, 0, back, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, m, CL_TRUE, origin, zero, NULL, 10, 0, 0, 0, back, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, m, CL_TRUE, origin, zero, region, 10, 0, 0, 0, NULL, 0, NULL, NULL));
	EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(queue, m, m, beside, zero, region, 5, 10, 5, 10, 0, NULL, NULL));
	EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, m, m, 0, 4, 8, 0, NULL, NULL));
	short pattern = 0x0102;
	MUST(clEnqueueFillBuffer(queue, m, &pattern, sizeof pattern, 90, 6, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, NULL, sizeof pattern, 90, 6, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, &pattern, 0, 90, 6, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, &pattern, 1 << 20, 0, 0, 0, NULL, NULL));
	unsigned char *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 88, 8, 0, NULL, NULL, &err);
	MUST(err);
	unsigned char filled[] = { 88, 89, 2, 1, 2, 1, 2, 1 };
	EXPECT(0, memcmp(filled, p, sizeof filled));
	cl_uint count;
	MUST(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
	EXPECT(1, count);
	EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, m, p + 1, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, m, NULL, 0, NULL, NULL));
	MUST(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
	EXPECT(NULL, clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 90, 8, 0, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);

	EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, &m, 0, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, NULL, 0, 0, NULL, NULL));
	cl_mem mixed[] = { m, NULL };
	EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 2, mixed, 0, 0, NULL, NULL));
	MUST(clEnqueueMigrateMemObjects(queue, 1, &m, 0, 0, NULL, NULL));

	struct { void *to; int value; } args = { m, 77 };
	const void *at[] = { &args.to };
	MUST(clEnqueueNativeKernel(queue, native, &args, sizeof args, 1, &m, at, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, &args, sizeof args, 1, &m, at, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, NULL, sizeof args, 0, NULL, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, &args, 0, 0, NULL, NULL, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, &args, sizeof args, 1, NULL, at, 0, NULL, NULL));
	EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, &args, sizeof args, 0, &m, NULL, 0, NULL, NULL));
	cl_mem wrong = (cl_mem)queue;
	EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueNativeKernel(queue, native, &args, sizeof args, 1, &wrong, at, 0, NULL, NULL));
	int got = 0;
	MUST(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
	EXPECT(77, got);

	// a failed dependency of a blocking call
	cl_event bad = clCreateUserEvent(context, &err), e = NULL;
	MUST(err);
	MUST(clSetUserEventStatus(bad, -5));
	EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 1, &bad, &e));
	EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, &got, 1, &bad, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 1, NULL, NULL));
	EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 0, &bad, NULL));
	MUST(clReleaseEvent(bad));
	MUST(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
	MUST(clReleaseMemObject(m));
}

static void no_module(cl_context context)
{
	cl_int err;
	EXPECT(NULL, clCreateProgramWithIL(context, "\3\2\43\7", 4, &err));
	EXPECT(CL_INVALID_VALUE, err);
}

int main(void)
{
	cl_device_id device = device_of(ours());
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	info(context);
	transfers(context, queue);
	no_module(context);
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
