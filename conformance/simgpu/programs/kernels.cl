// Kernels that between them use local memory, barriers, atomics, private arrays, 64-bit and 16-bit arithmetic, calls and division.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define TILE 16

kernel void vecadd(global const float *a, global const float *b, global float *c, uint n)
{
	size_t i = get_global_id(0);
	if (i < n)
		c[i] = a[i] + b[i];
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void matmul(global const float *a, global const float *b, global float *c, int n)
{
	local float at[TILE][TILE], bt[TILE][TILE];
	int x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * TILE + y, column = get_group_id(0) * TILE + x;
	float sum = 0;
	for (int t = 0; t < n / TILE; t++) {
		at[y][x] = a[row * n + t * TILE + x];
		bt[y][x] = b[(t * TILE + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum = mad(at[y][k], bt[k][x], sum);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}

kernel void reduce(global const int *in, global int *out, local int *s, uint n)
{
	uint l = get_local_id(0), i = get_global_id(0);
	s[l] = i < n ? in[i] : 0;
	for (uint d = get_local_size(0) / 2; d > 0; d >>= 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < d)
			s[l] += s[l + d];
	}
	if (l == 0)
		out[get_group_id(0)] = s[0];
}

kernel void histogram(global const uchar *in, global int *bins, local int *mine, uint n)
{
	for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
		mine[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_inc(&mine[in[i]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
		atomic_add(&bins[i], mine[i]);
}

kernel void atomics(global int *a)
{
	int g = get_global_id(0);
	atomic_add(&a[0], g);
	atomic_sub(&a[1], g);
	atomic_min(&a[2], -g);
	atomic_max((global uint *)&a[3], (uint)g);
	atomic_xor(&a[4], 1 << (g & 31));
	int old;
	do
		old = a[5];
	while (atomic_cmpxchg(&a[5], old, old + 3) != old);
}

kernel void private_array(global int *out, int k)
{
	int a[64], s = 0;
	for (int i = 0; i < 64; i++)
		a[i] = i * (k + (int)get_global_id(0));
	for (int i = 0; i < 64; i++)
		s += a[(a[i] ^ k) & 63];
	out[get_global_id(0)] = s;
}

kernel void arithmetic(global const float *x, global float *f, global double *d, global half *h, global long *l)
{
	size_t i = get_global_id(0);
	float v = x[i];
	f[i] = sin(v) + exp(-v) + sqrt(fabs(v)) + pow(fabs(v), 1.3f) + atan2(v, 2.0f);
	d[i] = sqrt((double)v * v + 1) / 3.0 + exp((double)v / 8);
	vstore_half(v / 3, i, (global half *)h);
	long big = (long)(v * 1e6f) * 1000003;
	l[i] = big / (long)(i + 7) + big % 1001;
}

kernel void pointer_chase(global ulong *list, global ulong *out)
{
	ulong p = (ulong)&list[get_global_id(0) % 8];
	for (int i = 0; i < 50; i++)
		p = *(global ulong *)p;
	out[get_global_id(0)] = p;
}

// What fails.
kernel void read_null(global int *a) { a[0] = *(global int *)(ulong)(a[1]); }

kernel void write_far(global int *a) { *(global int *)((ulong)a + (1ul << 40)) = 1; }

kernel void trap(global int *a)
{
	if (a[0] == 0)
		__builtin_trap();
}

kernel void beyond_local(global int *a, local int *l) { l[a[1] + get_local_id(0)] = 1; a[0] = l[get_local_id(0)]; }

// The emulator has no instruction for the message this sends.
kernel void unknown_instruction(global int *a) { __builtin_amdgcn_s_sendmsg(1, a[0]); }

// What takes a while, and what must not begin before it has ended. After each 32 rounds the value is what it was.
kernel void slow_fill(global int *a, uint value, int rounds)
{
	for (int i = 0; i < rounds; i++)
		value = rotate(value, 1u);
	a[get_global_id(0)] = value;
}

kernel void increment(global int *a) { a[get_global_id(0)]++; }
