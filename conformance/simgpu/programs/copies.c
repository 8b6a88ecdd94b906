// Copies by the copy engines, or by ROCr's own kernels with HSA_ENABLE_SDMA=0; fills; memory of the application.
#include "hsa.h"

enum { N = 100000 };

static hsa_signal_t done;

static void copy(void *to, hsa_agent_t to_agent, void *from, hsa_agent_t from_agent, size_t size)
{
	hsa_signal_store_relaxed(done, 1);
	CHECK(hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, 0, NULL, done));
	wait_for(done);
}

int main(void)
{
	begin();
	done = signal_of(1);
	uint32_t *a = shared(N * 4), *b = shared(N * 4), *c = private(N * 4), *d = private(N * 4);
	for (int i = 0; i < N; i++)
		a[i] = i * 2654435761u;

	copy(c, gpu, a, host, N * 4);
	copy(d, gpu, c, gpu, N * 4);
	copy(b, host, d, gpu, N * 4);
	EXPECT(!memcmp(a, b, N * 4), "to the GPU, within it and back");

	// A chain, enqueued at once: each waits for the one before.
	hsa_signal_t s[3] = {signal_of(1), signal_of(1), signal_of(1)};
	memset(b, 0, N * 4);
	a[5] = 42;
	CHECK(hsa_amd_memory_async_copy(c, gpu, a, host, N * 4, 0, NULL, s[0]));
	CHECK(hsa_amd_memory_async_copy(d, gpu, c, gpu, N * 4, 1, &s[0], s[1]));
	CHECK(hsa_amd_memory_async_copy(b, host, d, gpu, N * 4, 1, &s[1], s[2]));
	wait_for(s[2]);
	EXPECT(!memcmp(a, b, N * 4), "a chain of copies");

	CHECK(hsa_amd_memory_fill(d, 0x3f800000, N));
	copy(b, host, d, gpu, N * 4);
	for (int i = 0; i < N; i++)
		EXPECT(b[i] == 0x3f800000, "fill: word %d is %#x", i, b[i]);

	CHECK(hsa_memory_copy((char *)b + 1, (char *)c + 4, 999));
	EXPECT(!memcmp((char *)b + 1, (char *)a + 4, 999), "a copy that is not aligned");

	uint32_t *mine = malloc(N * 4);
	void *locked;
	CHECK(hsa_amd_memory_lock(mine, N * 4, &gpu, 1, &locked));
	copy(locked, host, c, gpu, N * 4);
	EXPECT(!memcmp(a, mine, N * 4), "to locked memory of the application");
	CHECK(hsa_amd_memory_unlock(mine));

	// A rectangle of 16 bytes by 4 rows, from (8, 2) of rows of 128 bytes to (4, 1) of rows of 64.
	if (!getenv("HSA_ENABLE_SDMA")) {
		memset(b, 0xee, 4096);
		copy(d, gpu, b, host, 4096);
		hsa_pitched_ptr_t to = {d, 64, 0}, from = {a, 128, 0};
		hsa_dim3_t to_at = {4, 1, 0}, from_at = {8, 2, 0}, range = {16, 4, 1};
		hsa_signal_store_relaxed(done, 1);
		CHECK(hsa_amd_memory_async_copy_rect(&to, &to_at, &from, &from_at, &range, gpu, hsaHostToDevice, 0, NULL, done));
		wait_for(done);
		copy(b, host, d, gpu, 4096);
		const uint8_t *source = (uint8_t *)a, *got = (uint8_t *)b;
		for (int i = 0; i < 4096; i++) {
			int y = i / 64 - 1, x = i % 64 - 4;
			uint8_t want = y >= 0 && y < 4 && x >= 0 && x < 16 ? source[(y + 2) * 128 + x + 8] : 0xee;
			EXPECT(got[i] == want, "rectangle: byte %d is %#x, not %#x", i, got[i], want);
		}
	}

	hsa_amd_pointer_info_t info = {.size = sizeof info};
	CHECK(hsa_amd_pointer_info(c, &info, NULL, NULL, NULL));
	EXPECT(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentOwner.handle == gpu.handle, "the owner of the GPU's memory");
	CHECK(hsa_shut_down());
	return 0;
}
