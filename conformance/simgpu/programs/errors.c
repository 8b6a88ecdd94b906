// What goes wrong on the GPU: each error reaches the application with its own status, and the next queue works.
#include "hsa.h"

static volatile hsa_status_t got;
static volatile uint64_t fault_address;

static void on_error(hsa_status_t status, hsa_queue_t *q, void *data) { got = status; }

static hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
	if (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT)
		fault_address = event->memory_fault.virtual_address;
	return HSA_STATUS_SUCCESS;
}

static hsa_executable_t executable;

// check_alive runs a kernel in a new queue.
static void check_alive(const char *after)
{
	hsa_queue_t *q = queue_with(64, NULL, NULL);
	int *data = shared(256);
	struct { void *a; } args = {data};
	run(q, kernel_of(executable, "increment"), 64, 1, 64, 1, 0, &args, sizeof args);
	EXPECT(data[63] == 1, "after %s a kernel wrote %d", after, data[63]);
	CHECK(hsa_queue_destroy(q));
}

static void expect_error(const char *what, hsa_queue_t *q, hsa_status_t want)
{
	for (int i = 0; i < 60000 && !got; i++)
		usleep(1000);
	EXPECT(got == want, "%s: status %#x, not %#x", what, got, want);
	CHECK(hsa_queue_destroy(q));
	check_alive(what);
}

int main(int argc, char **argv)
{
	begin();
	CHECK(hsa_amd_register_system_event_handler(on_event, NULL));
	executable = load(argv[1]);
	struct kernel good = kernel_of(executable, "increment");
	int *data = shared(4096);
	static const struct {
		const char *what;
		uint16_t group, type;
		uint32_t grid, group_segment;
		bool no_kernel;
		hsa_status_t status;
	} packets[] = {
		{"an empty grid", 64, HSA_PACKET_TYPE_KERNEL_DISPATCH, 0, 0, false, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS},
		{"too large a work-group", 2048, HSA_PACKET_TYPE_KERNEL_DISPATCH, 2048, 0, false, HSA_STATUS_ERROR_INVALID_ARGUMENT},
		{"too much local memory", 64, HSA_PACKET_TYPE_KERNEL_DISPATCH, 64, 1 << 20, false, HSA_STATUS_ERROR_INVALID_ALLOCATION},
		{"no kernel", 64, HSA_PACKET_TYPE_KERNEL_DISPATCH, 64, 0, true, HSA_STATUS_ERROR_INVALID_CODE_OBJECT},
		{"a type that does not exist", 64, 77, 64, 0, false, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT},
	};
	for (unsigned i = 0; i < sizeof packets / sizeof *packets; i++) {
		got = 0;
		hsa_queue_t *q = queue_with(64, on_error, NULL);
		uint64_t index;
		hsa_kernel_dispatch_packet_t *p = slot(q, &index);
		p->workgroup_size_x = packets[i].group;
		p->workgroup_size_y = p->workgroup_size_z = p->grid_size_y = p->grid_size_z = 1;
		p->grid_size_x = packets[i].grid;
		p->group_segment_size = packets[i].group_segment;
		p->kernel_object = packets[i].no_kernel ? 0 : good.object;
		p->kernarg_address = data;
		ring(q, p, index, 1 << 16 | packets[i].type);
		expect_error(packets[i].what, q, packets[i].status);
	}

	static const struct {
		const char *kernel;
		int arguments, status;
	} kernels[] = {
		{"trap", 1, HSA_STATUS_ERROR_EXCEPTION},
		{"beyond_local", 2, HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION},
		{"unknown_instruction", 1, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION},
	};
	for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		got = 0;
		data[0] = 0;
		data[1] = 100000;
		hsa_queue_t *q = queue_with(64, on_error, NULL);
		struct { void *a; uint32_t local; } args = {data, 0};
		dispatch(q, kernel_of(executable, kernels[i].kernel), (uint32_t[]){64, 1}, (uint16_t[]){64, 1}, 256, &args,
			 kernels[i].arguments == 2 ? 12 : 8, BARRIER | FENCES, (hsa_signal_t){0});
		expect_error(kernels[i].kernel, q, kernels[i].status);
	}

	// ROCr tells of the first fault with its address, and of each as an error of the queue.
	static const char *const faults[] = {"read_null", "write_far", "read_null"};
	for (int i = 0; i < 3; i++) {
		got = 0;
		data[1] = 0x5004;
		hsa_queue_t *q = queue_with(64, on_error, NULL);
		struct { void *a; } args = {data};
		dispatch(q, kernel_of(executable, faults[i]), (uint32_t[]){1, 1}, (uint16_t[]){1, 1}, 0, &args, sizeof args, BARRIER | FENCES,
			 (hsa_signal_t){0});
		for (int k = 0; k < 60000 && i == 0 && !fault_address; k++)
			usleep(1000);
		EXPECT(fault_address == 0x5000, "%s: fault at %#lx", faults[i], (long)fault_address);
		expect_error(faults[i], q, HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION);
	}
	return 0;
}
