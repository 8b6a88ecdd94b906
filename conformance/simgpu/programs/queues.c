// Packets: rings that wrap, dependencies across queues, the barrier bit, asynchronous handlers, many threads, times, and starting again.
#include "hsa.h"

static volatile int handled;

static bool on_signal(hsa_signal_value_t value, void *data)
{
	__atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
	return false;
}

static void *worker(void *data)
{
	hsa_queue_t *q = queue_with(64, NULL, NULL);
	hsa_signal_t s = signal_of(0);
	for (int i = 0; i < 50; i++) {
		hsa_signal_store_relaxed(s, 1);
		barrier_and(q, (hsa_signal_t){0}, s);
		wait_for(s);
	}
	CHECK(hsa_queue_destroy(q));
	return NULL;
}

int main(int argc, char **argv)
{
	begin();
	hsa_executable_t x = load(argv[1]);
	hsa_queue_t *q[2] = {queue_with(64, NULL, NULL), queue_with(64, NULL, NULL)};
	hsa_signal_t a = signal_of(1), b = signal_of(1), c = signal_of(1);

	// q[0] waits for q[1], which waits for the host.
	CHECK(hsa_amd_signal_async_handler(c, HSA_SIGNAL_CONDITION_LT, 1, on_signal, NULL));
	barrier_and(q[0], b, c);
	barrier_and(q[1], a, b);
	usleep(5000);
	EXPECT(hsa_signal_load_relaxed(b) == 1 && hsa_signal_load_relaxed(c) == 1, "a barrier did not wait");
	hsa_signal_store_screlease(a, 0);
	wait_for(c);
	for (int i = 0; i < 60000 && !handled; i++)
		usleep(1000);
	EXPECT(handled == 1, "the handler was called %d times", handled);

	// The ring wraps.
	for (int i = 0; i < 300; i++)
		barrier_and(q[0], (hsa_signal_t){0}, (hsa_signal_t){0});
	hsa_signal_store_relaxed(a, 1);
	barrier_and(q[0], (hsa_signal_t){0}, a);
	wait_for(a);

	// With the barrier bit, kernels of a queue run one after the other.
	enum { ITEMS = 256, ROUNDS = 10 };
	int *data = shared(ITEMS * 4);
	struct { void *a; int value, rounds; } fill = {data, 7, 96};
	struct { void *a; } increment = {data};
	hsa_signal_store_relaxed(a, 1);
	dispatch(q[0], kernel_of(x, "slow_fill"), (uint32_t[]){ITEMS, 1}, (uint16_t[]){64, 1}, 0, &fill, sizeof fill, FENCES, (hsa_signal_t){0});
	for (int i = 0; i < ROUNDS; i++)
		dispatch(q[0], kernel_of(x, "increment"), (uint32_t[]){ITEMS, 1}, (uint16_t[]){64, 1}, 0, &increment, sizeof increment,
			 BARRIER | FENCES, i == ROUNDS - 1 ? a : (hsa_signal_t){0});
	wait_for(a);
	for (int i = 0; i < ITEMS; i++)
		EXPECT(data[i] == 7 + ROUNDS, "element %d is %d, not %d", i, data[i], 7 + ROUNDS);

	// Times.
	CHECK(hsa_amd_profiling_set_profiler_enabled(q[0], 1));
	hsa_signal_store_relaxed(a, 1);
	dispatch(q[0], kernel_of(x, "increment"), (uint32_t[]){ITEMS, 1}, (uint16_t[]){64, 1}, 0, &increment, sizeof increment, BARRIER | FENCES, a);
	wait_for(a);
	hsa_amd_profiling_dispatch_time_t t;
	CHECK(hsa_amd_profiling_get_dispatch_time(gpu, a, &t));
	EXPECT(t.start > 0 && t.end >= t.start, "times %ld to %ld", (long)t.start, (long)t.end);

	pthread_t threads[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	CHECK(hsa_shut_down());

	for (int i = 0; i < 5; i++) {
		begin();
		hsa_queue_t *more[4];
		for (int k = 0; k < 4; k++)
			more[k] = queue_with(64 << k, NULL, NULL);
		for (int k = 0; k < 4; k++)
			CHECK(hsa_queue_destroy(more[k]));
		CHECK(hsa_shut_down());
	}
	return 0;
}
