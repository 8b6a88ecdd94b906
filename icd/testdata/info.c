// Every clGet*Info of platform, device, context, queue and event: the size alone, exactly, one byte short, nowhere, and for a
// parameter that does not exist.
#include "check.h"

typedef cl_int (*query)(void *object, cl_uint param, size_t size, void *value, size_t *size_ret);

struct param {
	cl_uint name;
	long size;         // what the specification says; -1: not fixed
	const char *text;
};
#define P(name, type) { name, sizeof(type), #name }
#define PV(name) { name, -1, #name }

static void ask(const char *what, query get, void *object, const struct param *p, int n)
{
	unsigned char value[8192];
	for (int i = 0; i < n; i++) {
		size_t size = 77777, again = 77777;
		cl_int st = get(object, p[i].name, 0, NULL, &size);
		if (st != CL_SUCCESS) {
			FAIL("%s %s: size alone: %d", what, p[i].text, st);
			continue;
		}
		if (p[i].size >= 0 && size != (size_t)p[i].size)
			FAIL("%s %s: want %ld bytes, got %zu", what, p[i].text, p[i].size, size);
		memset(value, 0xAB, sizeof value);
		if ((st = get(object, p[i].name, size, value, &again)) != CL_SUCCESS || again != size)
			FAIL("%s %s: exact size %zu: %d, %zu bytes", what, p[i].text, size, st, again);
		if (value[size] != 0xAB)
			FAIL("%s %s: wrote beyond its %zu bytes", what, p[i].text, size);
		if ((st = get(object, p[i].name, size + 5, value, NULL)) != CL_SUCCESS)
			FAIL("%s %s: more room than needed: %d", what, p[i].text, st);
		memset(value, 0xAB, sizeof value);
		if (size > 0 && (st = get(object, p[i].name, size - 1, value, NULL)) != CL_INVALID_VALUE)
			FAIL("%s %s: one byte short: %d", what, p[i].text, st);
		if (value[0] != 0xAB)
			FAIL("%s %s: one byte short, and it wrote", what, p[i].text);
		if ((st = get(object, p[i].name, 0, NULL, NULL)) != CL_SUCCESS)
			FAIL("%s %s: nowhere: %d", what, p[i].text, st);
	}
	cl_uint unknown[] = { 0, 1, 0x0899, 0x7FFFFFFF, 0xFFFFFFFF };
	for (int i = 0; i < 5; i++)
		EXPECT(CL_INVALID_VALUE, get(object, unknown[i], sizeof value, value, NULL));
}
#define ASK(get, object, table) ask(#get, (query)get, object, table, sizeof table / sizeof *table)

static const struct param platform_params[] = {
	PV(CL_PLATFORM_PROFILE), PV(CL_PLATFORM_VERSION), P(CL_PLATFORM_NUMERIC_VERSION, cl_version), PV(CL_PLATFORM_NAME),
	PV(CL_PLATFORM_VENDOR), PV(CL_PLATFORM_EXTENSIONS), PV(CL_PLATFORM_EXTENSIONS_WITH_VERSION),
	P(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong), PV(CL_PLATFORM_ICD_SUFFIX_KHR),
};

static const struct param device_params[] = {
	P(CL_DEVICE_TYPE, cl_device_type), P(CL_DEVICE_VENDOR_ID, cl_uint), P(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint),
	P(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint), P(CL_DEVICE_MAX_WORK_ITEM_SIZES, size_t[3]), P(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t),
	P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint), P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint),
	P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint), P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint),
	P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint), P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint),
	P(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint), P(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint),
	P(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint), P(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint),
	P(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint), P(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint),
	P(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint), P(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint),
	P(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint), P(CL_DEVICE_ADDRESS_BITS, cl_uint), P(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong),
	P(CL_DEVICE_IMAGE_SUPPORT, cl_bool), P(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint), P(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint),
	P(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint), PV(CL_DEVICE_IL_VERSION), PV(CL_DEVICE_ILS_WITH_VERSION),
	P(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t), P(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t), P(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t),
	P(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t), P(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t), P(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t),
	P(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t), P(CL_DEVICE_MAX_SAMPLERS, cl_uint), P(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint),
	P(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint), P(CL_DEVICE_MAX_PIPE_ARGS, cl_uint),
	P(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint), P(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint), P(CL_DEVICE_MAX_PARAMETER_SIZE, size_t),
	P(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint), P(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint),
	P(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config), P(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config),
	P(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_uint), P(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint),
	P(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong), P(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong), P(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong),
	P(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint), P(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t),
	P(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t), P(CL_DEVICE_LOCAL_MEM_TYPE, cl_uint), P(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong),
	P(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool), P(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool), P(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t),
	P(CL_DEVICE_ENDIAN_LITTLE, cl_bool), P(CL_DEVICE_AVAILABLE, cl_bool), P(CL_DEVICE_COMPILER_AVAILABLE, cl_bool),
	P(CL_DEVICE_LINKER_AVAILABLE, cl_bool), P(CL_DEVICE_EXECUTION_CAPABILITIES, cl_bitfield), P(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_bitfield),
	P(CL_DEVICE_QUEUE_PROPERTIES, cl_bitfield), P(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_bitfield),
	P(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint), P(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint),
	P(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint), P(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint), PV(CL_DEVICE_BUILT_IN_KERNELS),
	PV(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION), P(CL_DEVICE_PLATFORM, cl_platform_id), PV(CL_DEVICE_NAME), PV(CL_DEVICE_VENDOR),
	PV(CL_DRIVER_VERSION), PV(CL_DEVICE_PROFILE), PV(CL_DEVICE_VERSION), P(CL_DEVICE_NUMERIC_VERSION, cl_version),
	PV(CL_DEVICE_OPENCL_C_VERSION), PV(CL_DEVICE_OPENCL_C_ALL_VERSIONS), PV(CL_DEVICE_OPENCL_C_FEATURES), PV(CL_DEVICE_EXTENSIONS),
	PV(CL_DEVICE_EXTENSIONS_WITH_VERSION), P(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t), P(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool),
	P(CL_DEVICE_PARENT_DEVICE, cl_device_id), P(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint), PV(CL_DEVICE_PARTITION_PROPERTIES),
	P(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_bitfield), PV(CL_DEVICE_PARTITION_TYPE), P(CL_DEVICE_REFERENCE_COUNT, cl_uint),
	P(CL_DEVICE_SVM_CAPABILITIES, cl_bitfield), P(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint),
	P(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint), P(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint),
	P(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint), P(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool),
	P(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_bitfield), P(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_bitfield),
	P(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool), P(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool),
	P(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool), P(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_bitfield), P(CL_DEVICE_PIPE_SUPPORT, cl_bool),
	P(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t), PV(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED),
	P(CL_DEVICE_UUID_KHR, cl_uchar[CL_UUID_SIZE_KHR]), P(CL_DRIVER_UUID_KHR, cl_uchar[CL_UUID_SIZE_KHR]), P(CL_DEVICE_LUID_VALID_KHR, cl_bool),
	P(CL_DEVICE_LUID_KHR, cl_uchar[CL_LUID_SIZE_KHR]), P(CL_DEVICE_NODE_MASK_KHR, cl_uint), P(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, cl_version),
	P(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, cl_bitfield), P(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, cl_bitfield),
	P(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cl_bitfield),
	P(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cl_bitfield), P(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, cl_bitfield),
};

static const struct param mem_params[] = {
	P(CL_MEM_TYPE, cl_uint), P(CL_MEM_FLAGS, cl_bitfield), P(CL_MEM_SIZE, size_t), P(CL_MEM_HOST_PTR, void *), P(CL_MEM_MAP_COUNT, cl_uint),
	P(CL_MEM_REFERENCE_COUNT, cl_uint), P(CL_MEM_CONTEXT, cl_context), P(CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem), P(CL_MEM_OFFSET, size_t),
	P(CL_MEM_USES_SVM_POINTER, cl_bool), P(CL_MEM_PROPERTIES, cl_mem_properties[1]),
};

static const struct param image_params[] = {
	P(CL_IMAGE_FORMAT, cl_image_format), P(CL_IMAGE_ELEMENT_SIZE, size_t), P(CL_IMAGE_ROW_PITCH, size_t), P(CL_IMAGE_SLICE_PITCH, size_t),
	P(CL_IMAGE_WIDTH, size_t), P(CL_IMAGE_HEIGHT, size_t), P(CL_IMAGE_DEPTH, size_t), P(CL_IMAGE_ARRAY_SIZE, size_t),
	P(CL_IMAGE_BUFFER, cl_mem), P(CL_IMAGE_NUM_MIP_LEVELS, cl_uint), P(CL_IMAGE_NUM_SAMPLES, cl_uint),
};

static const struct param sampler_params[] = {
	P(CL_SAMPLER_REFERENCE_COUNT, cl_uint), P(CL_SAMPLER_CONTEXT, cl_context), P(CL_SAMPLER_NORMALIZED_COORDS, cl_bool),
	P(CL_SAMPLER_ADDRESSING_MODE, cl_uint), P(CL_SAMPLER_FILTER_MODE, cl_uint),
};

static void memory(cl_context context)
{
	cl_int err;
	cl_mem_properties none[] = { 0 };
	cl_mem m = clCreateBufferWithProperties(context, none, CL_MEM_READ_ONLY, 64, NULL, &err);
	MUST(err);
	ASK(clGetMemObjectInfo, m, mem_params);
	EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(m, CL_IMAGE_WIDTH, 0, NULL, NULL));
	cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4 };
	cl_mem i = clCreateImageWithProperties(context, none, CL_MEM_READ_WRITE, &format, &desc, NULL, &err);
	MUST(err);
	ASK(clGetMemObjectInfo, i, mem_params);
	ASK(clGetImageInfo, i, image_params);
	cl_sampler s = clCreateSamplerWithProperties(context, NULL, &err);
	MUST(err);
	ASK(clGetSamplerInfo, s, sampler_params);
	MUST(clReleaseSampler(s));
	MUST(clReleaseMemObject(i));
	MUST(clReleaseMemObject(m));
}

static const struct param context_params[] = {
	P(CL_CONTEXT_REFERENCE_COUNT, cl_uint), P(CL_CONTEXT_NUM_DEVICES, cl_uint), P(CL_CONTEXT_DEVICES, cl_device_id),
	P(CL_CONTEXT_PROPERTIES, cl_context_properties[3]),
};

static const struct param queue_params[] = {
	P(CL_QUEUE_CONTEXT, cl_context), P(CL_QUEUE_DEVICE, cl_device_id), P(CL_QUEUE_REFERENCE_COUNT, cl_uint),
	P(CL_QUEUE_PROPERTIES, cl_bitfield), P(CL_QUEUE_PROPERTIES_ARRAY, cl_queue_properties[3]), P(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue),
};

static const struct param event_params[] = {
	P(CL_EVENT_COMMAND_QUEUE, cl_command_queue), P(CL_EVENT_CONTEXT, cl_context), P(CL_EVENT_COMMAND_TYPE, cl_uint),
	P(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int), P(CL_EVENT_REFERENCE_COUNT, cl_uint),
};

static const struct param profiling_params[] = {
	P(CL_PROFILING_COMMAND_QUEUED, cl_ulong), P(CL_PROFILING_COMMAND_SUBMIT, cl_ulong), P(CL_PROFILING_COMMAND_START, cl_ulong),
	P(CL_PROFILING_COMMAND_END, cl_ulong), P(CL_PROFILING_COMMAND_COMPLETE, cl_ulong),
};

// The numbers and the texts of one thing say the same.
static void consistent(cl_device_id d)
{
	char text[4096];
	cl_name_version list[256];
	size_t size;
	struct { cl_uint text, list; } both[] = {
		{ CL_DEVICE_EXTENSIONS, CL_DEVICE_EXTENSIONS_WITH_VERSION },
		{ CL_DEVICE_BUILT_IN_KERNELS, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION },
	};
	for (int i = 0; i < 2; i++) {
		MUST(clGetDeviceInfo(d, both[i].text, sizeof text, text, NULL));
		MUST(clGetDeviceInfo(d, both[i].list, sizeof list, list, &size));
		size_t words = 0;
		for (char *w = strtok(text, " "); w; w = strtok(NULL, " "), words++)
			EXPECT(0, strcmp(w, list[words].name));
		EXPECT(size / sizeof *list, words);
	}
	MUST(clGetDeviceInfo(d, CL_DEVICE_VERSION, sizeof text, text, NULL));
	cl_version v;
	unsigned major, minor;
	MUST(clGetDeviceInfo(d, CL_DEVICE_NUMERIC_VERSION, sizeof v, &v, NULL));
	EXPECT(2, sscanf(text, "OpenCL %u.%u ", &major, &minor));
	EXPECT(CL_MAKE_VERSION(major, minor, 0), v);
}

int main(void)
{
	cl_platform_id platform = ours();
	cl_device_id device = device_of(platform);
	cl_int err;
	cl_context_properties cp[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
	cl_context context = clCreateContext(cp, 1, &device, NULL, NULL, &err);
	MUST(err);
	cl_queue_properties qp[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, qp, &err);
	MUST(err);
	cl_event event, user = clCreateUserEvent(context, &err);
	MUST(err);
	MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
	MUST(clWaitForEvents(1, &event));

	ASK(clGetPlatformInfo, platform, platform_params);
	ASK(clGetDeviceInfo, device, device_params);
	ASK(clGetContextInfo, context, context_params);
	ASK(clGetCommandQueueInfo, queue, queue_params);
	ASK(clGetEventInfo, event, event_params);
	ASK(clGetEventInfo, user, event_params);
	ASK(clGetEventProfilingInfo, event, profiling_params);
	consistent(device);
	memory(context);

	cl_uint n;
	EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof n, &n, NULL));
	cl_ulong t[5];
	for (int i = 0; i < 5; i++)
		MUST(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *t, &t[i], NULL));
	for (int i = 0; i < 4; i++)
		if (t[i] == 0 || t[i] > t[i + 1])
			FAIL("profiling time %d is %lu, the next %lu", i, (unsigned long)t[i], (unsigned long)t[i + 1]);
	cl_ulong host, both, dev;
	MUST(clGetHostTimer(device, &host));
	MUST(clGetDeviceAndHostTimer(device, &dev, &both));
	if (t[4] > host || host > both || dev != both)
		FAIL("host timer %lu and %lu after a command that ended at %lu", (unsigned long)host, (unsigned long)both, (unsigned long)t[4]);
	EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 8, t, NULL));

	// objects answer with the handles the application knows
	cl_context c;
	MUST(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof c, &c, NULL));
	EXPECT((long)context, (long)c);
	cl_command_queue q;
	MUST(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
	EXPECT((long)queue, (long)q);
	MUST(clGetEventInfo(user, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
	EXPECT(0, (long)q);

	// an object that others still need answers after its release
	MUST(clRetainContext(context));
	MUST(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL));
	EXPECT(2, n);
	MUST(clReleaseContext(context));
	MUST(clReleaseContext(context));
	MUST(clReleaseCommandQueue(queue));
	MUST(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof c, &c, NULL));
	MUST(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
	EXPECT(1, n);
	EXPECT(CL_INVALID_CONTEXT, clReleaseContext(context));
	MUST(clReleaseEvent(event));
	MUST(clSetUserEventStatus(user, CL_COMPLETE));
	MUST(clReleaseEvent(user));
	void **table = *(void ***)platform;
	EXPECT(CL_INVALID_CONTEXT, ((cl_int(*)(cl_context))table[7])(context)); // through the table: the handle is stale
	done();
}
