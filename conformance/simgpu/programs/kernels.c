// Kernels that clang compiled, with results computed here.
#include "hsa.h"

int main(int argc, char **argv)
{
	begin();
	hsa_executable_t x = load(argv[1]);
	hsa_queue_t *q = queue_with(64, NULL, NULL);
	{
		enum { N = 1000 };
		float *a = shared(N * 4), *b = shared(N * 4), *c = shared(N * 4);
		for (int i = 0; i < N; i++)
			a[i] = i, b[i] = 2.5f * i;
		struct { void *a, *b, *c; uint32_t n; } args = {a, b, c, N};
		run(q, kernel_of(x, "vecadd"), 1024, 1, 256, 1, 0, &args, sizeof args);
		for (int i = 0; i < N; i++)
			EXPECT(c[i] == a[i] + b[i], "vecadd: element %d is %g", i, c[i]);
	}
	{
		enum { N = 32 };
		float *a = shared(N * N * 4), *b = shared(N * N * 4), *c = shared(N * N * 4);
		for (int i = 0; i < N * N; i++)
			a[i] = i * 7 % 13 - 6, b[i] = i * 5 % 11 - 5;
		struct { void *a, *b, *c; int n; } args = {a, b, c, N};
		run(q, kernel_of(x, "matmul"), N, N, 16, 16, 0, &args, sizeof args);
		for (int i = 0; i < N * N; i++) {
			float sum = 0;
			for (int k = 0; k < N; k++)
				sum += a[i / N * N + k] * b[k * N + i % N];
			EXPECT(c[i] == sum, "matmul: element %d is %g, not %g", i, c[i], sum);
		}
	}
	{
		enum { N = 700 };
		int *in = shared(N * 4), *out = shared(16);
		for (int i = 0; i < N; i++)
			in[i] = i * i;
		struct { void *in, *out; uint32_t local, n; } args = {in, out, 0, N};
		run(q, kernel_of(x, "reduce"), 768, 1, 256, 1, 1024, &args, sizeof args);
		int sum = 0;
		for (int i = 0; i < N; i++)
			sum += in[i];
		EXPECT(out[0] + out[1] + out[2] == sum, "reduce: %d, not %d", out[0] + out[1] + out[2], sum);
	}
	{
		enum { N = 3000 };
		uint8_t *in = shared(N);
		int *bins = shared(1024), want[256] = {0};
		for (int i = 0; i < N; i++)
			in[i] = i * i >> 3, want[in[i]]++;
		struct { void *in, *bins; uint32_t local, n; } args = {in, bins, 0, N};
		run(q, kernel_of(x, "histogram"), 256, 1, 128, 1, 1024, &args, sizeof args);
		EXPECT(!memcmp(bins, want, sizeof want), "histogram: wrong");
	}
	{
		enum { N = 200 };
		int *a = shared(64), want[6] = {N * (N - 1) / 2, -N * (N - 1) / 2, -(N - 1), N - 1, 0, 3 * N};
		for (int i = 0; i < N; i++)
			want[4] ^= 1 << (i & 31);
		struct { void *a; } args = {a};
		run(q, kernel_of(x, "atomics"), N, 1, 64, 1, 0, &args, sizeof args);
		for (int i = 0; i < 6; i++)
			EXPECT(a[i] == want[i], "atomics: element %d is %d, not %d", i, a[i], want[i]);
	}
	{
		enum { N = 200 };
		int *out = shared(N * 4);
		struct { void *out; int k; } args = {out, 5};
		run(q, kernel_of(x, "private_array"), N, 1, 100, 1, 0, &args, sizeof args);
		for (int g = 0; g < N; g++) {
			int a[64], s = 0;
			for (int i = 0; i < 64; i++)
				a[i] = i * (5 + g);
			for (int i = 0; i < 64; i++)
				s += a[(a[i] ^ 5) & 63];
			EXPECT(out[g] == s, "private_array: element %d is %d, not %d", g, out[g], s);
		}
	}
	{
		enum { N = 128 };
		float *v = shared(N * 4), *f = shared(N * 4);
		double *d = shared(N * 8);
		_Float16 *h = shared(N * 2);
		int64_t *l = shared(N * 8);
		for (int i = 0; i < N; i++)
			v[i] = (i - 64) * 0.0373f;
		struct { void *x, *f, *d, *h, *l; } args = {v, f, d, h, l};
		run(q, kernel_of(x, "arithmetic"), N, 1, 64, 1, 0, &args, sizeof args);
		for (int i = 0; i < N; i++) {
			double t = v[i], want = sin(t) + exp(-t) + sqrt(fabs(t)) + pow(fabs(t), 1.3f) + atan2(t, 2), wide = sqrt(t * t + 1) / 3 + exp(t / 8);
			EXPECT(fabs(f[i] - want) < 4e-6 * (1 + fabs(want)), "arithmetic: float %d is %g, not %g", i, f[i], want);
			EXPECT(fabs(d[i] - wide) < 1e-15 * (1 + fabs(wide)), "arithmetic: double %d is %.17g, not %.17g", i, d[i], wide);
			EXPECT(h[i] == (_Float16)(v[i] / 3), "arithmetic: half %d is %g", i, (double)h[i]);
			int64_t big = (int64_t)(v[i] * 1e6f) * 1000003;
			EXPECT(l[i] == big / (i + 7) + big % 1001, "arithmetic: long %d is %ld", i, (long)l[i]);
		}
	}
	{
		uint64_t *list = shared(64), *out = shared(64 * 8);
		for (int i = 0; i < 8; i++)
			list[i] = (uint64_t)&list[(i + 3) % 8];
		struct { void *list, *out; } args = {list, out};
		run(q, kernel_of(x, "pointer_chase"), 64, 1, 64, 1, 0, &args, sizeof args);
		for (int i = 0; i < 64; i++)
			EXPECT(out[i] == (uint64_t)&list[(i + 150) % 8], "pointer_chase: element %d is %#lx", i, (long)out[i]);
	}
	CHECK(hsa_queue_destroy(q));
	CHECK(hsa_executable_destroy(x));
	CHECK(hsa_shut_down());
	return 0;
}
