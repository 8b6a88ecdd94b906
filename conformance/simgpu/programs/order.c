// A kernel that reads what another wrote needs the barrier bit, a release and an acquire between them: each that is missing is an error.
#include "hsa.h"

enum { ITEMS = 256 };

static volatile hsa_status_t got;

static void on_error(hsa_status_t status, hsa_queue_t *q, void *data) { got = status; }

int main(int argc, char **argv)
{
	begin();
	hsa_executable_t x = load(argv[1]);
	struct kernel fill = kernel_of(x, "slow_fill"), increment = kernel_of(x, "increment");
	const uint16_t acquire = HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE, release = HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
	const struct {
		const char *missing;
		uint16_t first, second;
	} cases[] = {
		{NULL, release, BARRIER | acquire},
		{"the barrier bit", release, acquire},
		{"the release", 0, BARRIER | acquire},
		{"the acquire", release, BARRIER},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		got = 0;
		hsa_queue_t *q = queue_with(64, on_error, NULL);
		hsa_signal_t done = signal_of(1), hold = signal_of(1);
		int *data = shared(ITEMS * 4);
		struct { void *a; int value, rounds; } fill_args = {data, 7, 640};
		struct { void *a; } args = {data};
		uint32_t grid[] = {ITEMS, 1};
		uint16_t group[] = {64, 1};
		barrier_and(q, hold, (hsa_signal_t){0}); // so that nothing ends before all is enqueued
		dispatch(q, fill, grid, group, 0, &fill_args, sizeof fill_args, cases[i].first, (hsa_signal_t){0});
		dispatch(q, increment, grid, group, 0, &args, sizeof args, cases[i].second, (hsa_signal_t){0});
		barrier_and(q, (hsa_signal_t){0}, done);
		hsa_signal_store_screlease(hold, 0);
		for (int k = 0; k < 120000 && !got && hsa_signal_load_scacquire(done); k++)
			usleep(1000);
		if (cases[i].missing)
			EXPECT(got == HSA_STATUS_ERROR_EXCEPTION, "without %s: status %#x", cases[i].missing, got);
		else
			EXPECT(!got && data[ITEMS - 1] == 8, "with all: status %#x", got);
		CHECK(hsa_queue_destroy(q));
	}
	return 0;
}
