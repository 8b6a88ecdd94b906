// Contexts, queues, events, markers and barriers: what the specification says of bad arguments, and of failed dependencies.
#include "check.h"

static int order[8], ordered;

static void CL_CALLBACK destroyed(cl_context context, void *user)
{
	(void)context;
	order[__atomic_fetch_add(&ordered, 1, __ATOMIC_SEQ_CST)] = (int)(intptr_t)user;
}

static volatile cl_int called[4];

static void CL_CALLBACK callback(cl_event event, cl_int status, void *user)
{
	cl_uint n;
	// the event is valid here, whoever released it
	EXPECT(CL_SUCCESS, clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof n, &n, NULL));
	__atomic_store_n((cl_int *)user, status, __ATOMIC_SEQ_CST);
}

static cl_int wait_for(volatile cl_int *at)
{
	for (int i = 0; i < 5000 && *at == 99; i++)
		usleep(1000);
	return *at;
}

static cl_int status_of(cl_event e)
{
	cl_int s;
	MUST(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s, &s, NULL));
	return s;
}

static void contexts(cl_platform_id platform, cl_device_id device)
{
	cl_int err = 99;
	cl_uint n;
	EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
	EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
	EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 0, NULL, &n));
	EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 0, NULL, &n));
	EXPECT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 0, NULL, &n));

	struct { cl_context_properties p[5]; cl_int want; } bad[] = {
		{ { CL_CONTEXT_PLATFORM, 0, 0 }, CL_INVALID_PLATFORM },
		{ { CL_CONTEXT_PLATFORM, (cl_context_properties)device, 0 }, CL_INVALID_PLATFORM },
		{ { 0x7777, 1, 0 }, CL_INVALID_PROPERTY },
		{ { CL_CONTEXT_INTEROP_USER_SYNC, 17, 0 }, CL_INVALID_PROPERTY },
		{ { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 }, CL_INVALID_PROPERTY },
	};
	// The loader reads CL_CONTEXT_PLATFORM itself, so what it cannot follow goes through the table.
	cl_context (*create)(const cl_context_properties *, cl_uint, const cl_device_id *, void *, void *, cl_int *) =
		((void ***)platform)[0][4];
	cl_context (*create_type)(const cl_context_properties *, cl_device_type, void *, void *, cl_int *) = ((void ***)platform)[0][5];
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		EXPECT(0, (long)create(bad[i].p, 1, &device, NULL, NULL, &err));
		EXPECT(bad[i].want, err);
		EXPECT(0, (long)create_type(bad[i].p, CL_DEVICE_TYPE_ALL, NULL, NULL, &err));
		EXPECT(bad[i].want, err);
	}
	EXPECT(0, (long)create(NULL, 0, &device, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(0, (long)create(NULL, 1, NULL, NULL, NULL, &err));
	EXPECT(CL_INVALID_VALUE, err);
	EXPECT(0, (long)create(NULL, 1, &device, NULL, &err, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_device_id list[2] = { device, (cl_device_id)platform };
	EXPECT(0, (long)create(NULL, 2, list, NULL, NULL, &err));
	EXPECT(CL_INVALID_DEVICE, err);
	EXPECT(0, (long)create(NULL, 1, list + 1, NULL, NULL, NULL)); // errcode_ret may be NULL
	EXPECT(0, (long)create_type(NULL, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &err));
	EXPECT(CL_DEVICE_NOT_FOUND, err);
	EXPECT(0, (long)create_type(NULL, 0, NULL, NULL, &err));
	EXPECT(CL_INVALID_DEVICE_TYPE, err);

	// duplicates are ignored
	list[1] = device;
	cl_context c = clCreateContext(NULL, 2, list, NULL, NULL, &err);
	MUST(err);
	MUST(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
	EXPECT(1, n);
	// destructor callbacks run last registered first, when the last user of the context is gone
	EXPECT(CL_INVALID_VALUE, clSetContextDestructorCallback(c, NULL, NULL));
	for (intptr_t i = 1; i <= 3; i++)
		MUST(clSetContextDestructorCallback(c, destroyed, (void *)i));
	cl_event e = clCreateUserEvent(c, &err);
	MUST(clReleaseContext(c));
	EXPECT(0, ordered);
	MUST(clReleaseEvent(e));
	for (int i = 0; i < 5000 && __atomic_load_n(&ordered, __ATOMIC_SEQ_CST) < 3; i++)
		usleep(1000);
	EXPECT(3, ordered);
	for (int i = 0; i < 3; i++)
		EXPECT(3 - i, order[i]);

	// sub-devices
	cl_device_partition_property equally[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	cl_device_partition_property counts[] = { CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0 };
	cl_device_partition_property two[] = { CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0 };
	cl_device_partition_property none[] = { 0 };
	cl_uint units;
	MUST(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 0, NULL, &n));
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, none, 0, NULL, &n));
	EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, two, 0, NULL, &n));
	EXPECT(units > 1 ? CL_SUCCESS : CL_INVALID_VALUE, clCreateSubDevices(device, equally, 0, NULL, &n));
	if (units > 1) {
		EXPECT(units, n);
		cl_device_id sub = NULL;
		EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, counts, 0, &sub, NULL));
		MUST(clCreateSubDevices(device, counts, 1, &sub, &n));
		EXPECT(1, n);
		cl_device_partition_property type[4];
		size_t size;
		MUST(clGetDeviceInfo(sub, CL_DEVICE_PARTITION_TYPE, sizeof type, type, &size));
		EXPECT(sizeof counts, size);
		EXPECT(0, memcmp(type, counts, sizeof type));
		cl_context both = clCreateContext(NULL, 2, (cl_device_id[]){ device, sub }, NULL, NULL, &err);
		MUST(err);
		cl_command_queue on_sub = clCreateCommandQueueWithProperties(both, sub, NULL, &err);
		MUST(err);
		cl_context parent = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
		MUST(err);
		EXPECT(0, (long)clCreateCommandQueueWithProperties(parent, sub, NULL, &err));
		EXPECT(CL_INVALID_DEVICE, err);
		MUST(clReleaseContext(parent));
		MUST(clEnqueueMarkerWithWaitList(on_sub, 0, NULL, NULL));
		MUST(clFinish(on_sub));
		MUST(clRetainDevice(sub));
		MUST(clGetDeviceInfo(sub, CL_DEVICE_REFERENCE_COUNT, sizeof n, &n, NULL));
		EXPECT(2, n);
		MUST(clReleaseDevice(sub));
		MUST(clReleaseDevice(sub));
		MUST(clReleaseCommandQueue(on_sub));
		MUST(clReleaseContext(both));
		usleep(100000);
		EXPECT(CL_INVALID_DEVICE, clGetDeviceInfo(sub, CL_DEVICE_TYPE, 0, NULL, &size));
	}
	MUST(clRetainDevice(device));
	MUST(clReleaseDevice(device));
	MUST(clReleaseDevice(device));
	MUST(clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof n, &n, NULL));
	EXPECT(1, n);
}

// on_device is what the host can do with an on-device queue.
static void on_device(cl_context context, cl_device_id device)
{
	cl_int err;
	cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 16384, 0 };
	cl_command_queue q = clCreateCommandQueueWithProperties(context, device, properties, &err);
	MUST(err);
	cl_uint size = 0;
	MUST(clGetCommandQueueInfo(q, CL_QUEUE_SIZE, sizeof size, &size, NULL));
	if (size < 16384)
		FAIL("a queue of %u bytes", size);
	MUST(clSetDefaultDeviceCommandQueue(context, device, q));
	EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(q, 0, NULL, NULL));
	EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(q));
	MUST(clReleaseCommandQueue(q));
}

static void queues(cl_context context, cl_device_id device)
{
	cl_int err = 99;
	struct { cl_queue_properties p[5]; cl_int want; } bad[] = {
		{ { CL_QUEUE_PROPERTIES, 1 << 10, 0 }, CL_INVALID_VALUE },
		{ { 0x7777, 0, 0 }, CL_INVALID_VALUE },
		{ { CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0 }, CL_INVALID_VALUE },
		{ { CL_QUEUE_SIZE, 4096, 0 }, CL_INVALID_VALUE },
		{ { CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0 }, CL_INVALID_VALUE },
		{ { CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0 }, CL_INVALID_VALUE },
	};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		EXPECT(0, (long)clCreateCommandQueueWithProperties(context, device, bad[i].p, &err));
		EXPECT(bad[i].want, err);
	}
	EXPECT(0, (long)clCreateCommandQueue(context, device, 1 << 10, &err));
	EXPECT(CL_INVALID_VALUE, err);
	cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &err);
	MUST(err);
	cl_command_queue_properties bits;
	MUST(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
	EXPECT(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, bits);
	size_t size = 99;
	MUST(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
	EXPECT(0, size);
	EXPECT(CL_INVALID_OPERATION, clSetCommandQueueProperty(q, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, NULL));
	EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, q)); // not one on the device
	EXPECT(CL_INVALID_VALUE, clEnqueueMarker(q, NULL));
	EXPECT(CL_INVALID_VALUE, clGetHostTimer(device, NULL));
	EXPECT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, NULL));
	cl_event e;
	MUST(clEnqueueMarker(q, &e));
	MUST(clEnqueueBarrier(q));
	MUST(clEnqueueWaitForEvents(q, 1, &e));
	MUST(clFlush(q));
	MUST(clFinish(q));
	EXPECT(CL_COMPLETE, status_of(e));
	cl_uint type;
	MUST(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
	EXPECT(CL_COMMAND_MARKER, type);
	MUST(clReleaseEvent(e));
	// a queue may be released with commands pending
	cl_event user = clCreateUserEvent(context, &err);
	MUST(clEnqueueMarkerWithWaitList(q, 1, &user, &e));
	MUST(clReleaseCommandQueue(q));
	MUST(clSetUserEventStatus(user, CL_COMPLETE));
	MUST(clWaitForEvents(1, &e));
	MUST(clReleaseEvent(e));
	MUST(clReleaseEvent(user));
}

static void events(cl_context context, cl_context other, cl_device_id device)
{
	cl_int err;
	for (int in_order = 0; in_order < 2; in_order++) {
		cl_queue_properties p[] = { CL_QUEUE_PROPERTIES, in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
		cl_command_queue q = clCreateCommandQueueWithProperties(context, device, p, &err), q2 = clCreateCommandQueueWithProperties(context, device, p, &err);
		MUST(err);
		cl_event user = clCreateUserEvent(context, &err), strange = clCreateUserEvent(other, &err), a, b, c;
		EXPECT(CL_SUBMITTED, status_of(user));
		EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_SUBMITTED));
		EXPECT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(q, 1, &strange, NULL));
		EXPECT(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(q, 1, &strange, NULL));
		cl_event mixed[] = { user, strange };
		EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed));
		MUST(clEnqueueMarkerWithWaitList(q, 1, &user, &a));
		MUST(clEnqueueBarrierWithWaitList(q, 1, &a, &b));
		MUST(clEnqueueMarkerWithWaitList(q2, 1, &b, &c)); // in another queue
		EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(a, CL_COMPLETE));
		EXPECT(CL_INVALID_VALUE, clSetEventCallback(a, CL_COMPLETE, NULL, NULL));
		EXPECT(CL_INVALID_VALUE, clSetEventCallback(a, CL_QUEUED, callback, NULL));
		EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(a, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
		for (int i = 0; i < 4; i++)
			called[i] = 99;
		MUST(clSetEventCallback(c, CL_COMPLETE, callback, (void *)&called[0]));
		MUST(clSetEventCallback(user, CL_COMPLETE, callback, (void *)&called[1]));
		MUST(clSetEventCallback(user, CL_SUBMITTED, callback, (void *)&called[2]));
		EXPECT(CL_SUBMITTED, wait_for(&called[2]));
		MUST(clSetUserEventStatus(user, -1234));
		EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
		EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &c));
		EXPECT(-1234, status_of(user));
		EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, status_of(a));
		EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, status_of(b));
		EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, status_of(c));
		EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, wait_for(&called[0]));
		EXPECT(-1234, wait_for(&called[1]));
		EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(a, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
		MUST(clFinish(q)); // the queue goes on
		MUST(clEnqueueMarkerWithWaitList(q, 0, NULL, NULL));
		MUST(clFinish(q));
		// released before its callback runs
		cl_event late = clCreateUserEvent(context, &err), done_event;
		MUST(clEnqueueMarkerWithWaitList(q, 1, &late, &done_event));
		MUST(clSetEventCallback(done_event, CL_COMPLETE, callback, (void *)&called[3]));
		MUST(clReleaseEvent(done_event));
		MUST(clSetUserEventStatus(late, CL_COMPLETE));
		EXPECT(CL_COMPLETE, wait_for(&called[3]));
		MUST(clFinish(q));
		cl_event gone[] = { user, strange, a, b, c, late };
		for (int i = 0; i < 6; i++)
			MUST(clReleaseEvent(gone[i]));
		MUST(clReleaseCommandQueue(q));
		MUST(clReleaseCommandQueue(q2));
	}
}

int main(void)
{
	alarm(60);
	cl_platform_id platform = ours();
	cl_device_id device = device_of(platform);
	contexts(platform, device);
	cl_int err;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err), other = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queues(context, device);
	on_device(context, device);
	events(context, other, device);
	MUST(clReleaseContext(other));
	MUST(clReleaseContext(context));
	done();
}
