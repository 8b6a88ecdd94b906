// What the test programs share: finding the agents, memory, kernels, and packets. Each program prints a line for what is wrong and ends
// with status 1 then.
#pragma once
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#define CHECK(call)                                                                                     \
	do {                                                                                            \
		hsa_status_t status_ = (call);                                                          \
		if (status_ != HSA_STATUS_SUCCESS) {                                                    \
			const char *text_ = "?";                                                        \
			hsa_status_string(status_, &text_);                                             \
			fprintf(stderr, "%s:%d: %s: %#x %s\n", __FILE__, __LINE__, #call, status_, text_); \
			exit(1);                                                                        \
		}                                                                                       \
	} while (0)

#define EXPECT(condition, ...)                                       \
	do {                                                         \
		if (!(condition)) {                                  \
			fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
			fprintf(stderr, __VA_ARGS__);                \
			fputc('\n', stderr);                         \
			exit(1);                                     \
		}                                                    \
	} while (0)

// LIMIT is how long a wait may take, in nanoseconds: more means that it never ends.
#define LIMIT 120000000000ull

static hsa_agent_t host, gpu;
static hsa_amd_memory_pool_t host_memory, gpu_memory;

static hsa_status_t on_agent(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;
	CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	*(type == HSA_DEVICE_TYPE_GPU ? &gpu : &host) = agent;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t on_pool(hsa_amd_memory_pool_t pool, void *data)
{
	hsa_amd_segment_t segment;
	uint32_t flags = 0;
	CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
	if (segment != HSA_AMD_SEGMENT_GLOBAL)
		return HSA_STATUS_SUCCESS;
	CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
	if (data == &gpu_memory || flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
		*(hsa_amd_memory_pool_t *)data = pool;
	return HSA_STATUS_SUCCESS;
}

static void begin(void)
{
	CHECK(hsa_init());
	CHECK(hsa_iterate_agents(on_agent, NULL));
	EXPECT(gpu.handle, "no GPU");
	CHECK(hsa_amd_agent_iterate_memory_pools(host, on_pool, &host_memory));
	CHECK(hsa_amd_agent_iterate_memory_pools(gpu, on_pool, &gpu_memory));
}

// shared is zeroed memory that host and GPU can access.
static void *shared(size_t size)
{
	void *p;
	CHECK(hsa_amd_memory_pool_allocate(host_memory, size, 0, &p));
	CHECK(hsa_amd_agents_allow_access(1, &gpu, NULL, p));
	memset(p, 0, size);
	return p;
}

// private is memory of the GPU.
static void *private(size_t size)
{
	void *p;
	CHECK(hsa_amd_memory_pool_allocate(gpu_memory, size, 0, &p));
	return p;
}

static hsa_signal_t signal_of(hsa_signal_value_t value)
{
	hsa_signal_t s;
	CHECK(hsa_signal_create(value, 0, NULL, &s));
	return s;
}

// wait_for waits until a signal is zero.
static void wait_for(hsa_signal_t s)
{
	hsa_signal_value_t v = hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, LIMIT, HSA_WAIT_STATE_BLOCKED);
	EXPECT(v == 0, "a signal is %ld in the end", (long)v);
}

static hsa_queue_t *queue_with(uint32_t size, void (*on_error)(hsa_status_t, hsa_queue_t *, void *), void *data)
{
	hsa_queue_t *q;
	CHECK(hsa_queue_create(gpu, size, HSA_QUEUE_TYPE_MULTI, on_error, data, UINT32_MAX, UINT32_MAX, &q));
	return q;
}

// slot waits for a place in the ring and gives its packet, zero but for the header, which stays invalid until ring.
static void *slot(hsa_queue_t *q, uint64_t *index)
{
	*index = hsa_queue_add_write_index_relaxed(q, 1);
	while (*index - hsa_queue_load_read_index_scacquire(q) >= q->size)
		sched_yield();
	char *p = (char *)q->base_address + *index % q->size * 64;
	memset(p + 4, 0, 60);
	return p;
}

static void ring(hsa_queue_t *q, void *packet, uint64_t index, uint32_t header_and_setup)
{
	__atomic_store_n((uint32_t *)packet, header_and_setup, __ATOMIC_RELEASE);
	hsa_signal_store_screlease(q->doorbell_signal, index);
}

#define FENCES (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE)
#define BARRIER (1 << HSA_PACKET_HEADER_BARRIER)

static void barrier_and(hsa_queue_t *q, hsa_signal_t dependency, hsa_signal_t completion)
{
	uint64_t index;
	hsa_barrier_and_packet_t *p = slot(q, &index);
	p->dep_signal[0] = dependency;
	p->completion_signal = completion;
	ring(q, p, index, BARRIER | FENCES | HSA_PACKET_TYPE_BARRIER_AND);
}

struct kernel {
	uint64_t object;
	uint32_t kernarg, group, private;
};

static hsa_executable_t load(const char *path)
{
	hsa_code_object_reader_t reader;
	hsa_executable_t executable;
	int file = open(path, O_RDONLY);
	EXPECT(file >= 0, "cannot open %s", path);
	CHECK(hsa_code_object_reader_create_from_file(file, &reader));
	CHECK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
	CHECK(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL));
	CHECK(hsa_executable_freeze(executable, NULL));
	return executable;
}

static struct kernel kernel_of(hsa_executable_t executable, const char *name)
{
	hsa_executable_symbol_t s;
	struct kernel k;
	char symbol[128];
	snprintf(symbol, sizeof symbol, "%s.kd", name);
	CHECK(hsa_executable_get_symbol_by_name(executable, symbol, &gpu, &s));
	CHECK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &k.object));
	CHECK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &k.kernarg));
	CHECK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &k.group));
	CHECK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &k.private));
	return k;
}

// The hidden arguments of code object version 5 that the test kernels use.
struct hidden {
	uint32_t groups[3];
	uint16_t group[3], remainder[3];
	uint8_t reserved[16];
	uint64_t offset[3];
	uint16_t dimensions;
};

// dispatch writes a packet for a grid of up to two dimensions. Arguments are copied; they end where the hidden ones begin.
static void dispatch(hsa_queue_t *q, struct kernel k, const uint32_t grid[2], const uint16_t group[2], uint32_t dynamic_group, const void *args,
		     size_t size, uint16_t header, hsa_signal_t completion)
{
	uint64_t index;
	char *kernarg = shared(k.kernarg + 256);
	memcpy(kernarg, args, size);
	struct hidden *h = (struct hidden *)(kernarg + (size + 7) / 8 * 8);
	for (int i = 0; i < 3; i++) {
		uint32_t items = i < 2 ? grid[i] : 1;
		h->group[i] = i < 2 ? group[i] : 1;
		h->groups[i] = items / h->group[i];
		h->remainder[i] = items % h->group[i];
	}
	h->dimensions = grid[1] > 1 ? 2 : 1;
	hsa_kernel_dispatch_packet_t *p = slot(q, &index);
	p->workgroup_size_x = group[0];
	p->workgroup_size_y = group[1];
	p->workgroup_size_z = p->grid_size_z = 1;
	p->grid_size_x = grid[0];
	p->grid_size_y = grid[1];
	p->private_segment_size = k.private;
	p->group_segment_size = k.group + dynamic_group;
	p->kernel_object = k.object;
	p->kernarg_address = kernarg;
	p->completion_signal = completion;
	ring(q, p, index, (uint32_t)h->dimensions << 16 | header | HSA_PACKET_TYPE_KERNEL_DISPATCH);
}

// run dispatches and waits.
static void run(hsa_queue_t *q, struct kernel k, uint32_t x, uint32_t y, uint16_t gx, uint16_t gy, uint32_t dynamic_group, const void *args, size_t size)
{
	hsa_signal_t s = signal_of(1);
	dispatch(q, k, (uint32_t[]){x, y}, (uint16_t[]){gx, gy}, dynamic_group, args, size, BARRIER | FENCES, s);
	wait_for(s);
	CHECK(hsa_signal_destroy(s));
}
