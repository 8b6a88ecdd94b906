// values.spvasm is this, by clang-15 -O1 and llvm-spirv-15: builtins whose arguments the C ABI passes in every way there is.
#pragma OPENCL FP_CONTRACT OFF
typedef struct {
	int a;
	float4 b;
} S;

kernel void values(global float *f, global int *n, local int *l, float2 v, S s, constant int *c)
{
	int i = get_global_id(0), at = get_local_id(0);
	float x = 0.25f * i + 0.5f;
	float2 two = sin((float2)(x, 2 * x)) + v;
	float3 three = fmax((float3)(x, 2 * x, 3 * x), (float3)(4));
	float16 sixteen = floor((float16)(x) * 1.5f);
	double16 big = fabs((double16)(-x));
	int e, q;
	float whole;
	float parts = fract(x, &whole) + frexp(x, &e) + remquo(x, 0.75f, &q);
	f[16 * i] = two.x;
	f[16 * i + 1] = two.y;
	f[16 * i + 2] = dot(three, (float3)(1, 2, 3));
	f[16 * i + 3] = sixteen.s0 + sixteen.sf;
	f[16 * i + 4] = big.s7;
	f[16 * i + 5] = parts + whole + e + q;
	f[16 * i + 6] = s.b.z + s.a;
	f[16 * i + 7] = convert_float_rtz(i * 16777217);
	vstore3(cross((float3)(x, 1, 2), three), 0, f + 16 * i + 8);
	vstore_half2((float2)(x, 3), 0, (global half *)(f + 16 * i + 12));
	f[16 * i + 13] = vload_half(1, (global half *)(f + 16 * i + 12));
	f[16 * i + 14] = select(1.0f, 2.0f, (uint)isless(x, 3.0f));
	f[16 * i + 15] = any(isnan((float3)(0, x, NAN))) + all((char3)(-1, -1, i));

	char3 small = abs_diff((char3)(i, 2, -3), (char3)(4, -120, 90)) == (uchar3)(4 - i, 122, 93);
	uchar4 sat = convert_uchar4_sat((float4)(x * 100, -5, 254.5f, 1e9f));
	short2 hi = mul_hi((short2)(i * 1000, -i * 1000), (short2)(77));
	uint4 order = shuffle((uint4)(10, 20, 30, 40), (uint4)(i, i + 1, i + 2, i + 3));
	n[16 * i] = small.x + 2 * small.y + 4 * small.z;
	n[16 * i + 1] = sat.x + (sat.y << 8) + (sat.z << 16) + (sat.w << 24);
	n[16 * i + 2] = hi.x * 3 + hi.y;
	n[16 * i + 3] = order.x + 2 * order.y + 3 * order.z + 4 * order.w;
	n[16 * i + 4] = popcount(i) + clz(i) * 100 + ctz(i + 1) * 10000;
	n[16 * i + 5] = mad_sat(i, 0x7fffffff, 5) + add_sat((char)100, (char)(i * 5));
	n[16 * i + 6] = rotate((ushort)i, (ushort)13) + upsample((short)i, (ushort)7) + c[i & 3];
	n[16 * i + 7] = as_int(x) ^ (int)rhadd(3u, 0xffffffffu - i);

	l[at] = i * i;
	barrier(CLK_LOCAL_MEM_FENCE);
	n[16 * i + 8] = l[get_local_size(0) - 1 - at];
	barrier(CLK_LOCAL_MEM_FENCE);
	event_t done = async_work_group_copy(l, n + 16 * (i - at), 8, 0);
	wait_group_events(1, &done);
	n[16 * i + 9] = l[at];
	barrier(CLK_LOCAL_MEM_FENCE);
	volatile local atomic_int *count = (volatile local atomic_int *)l;
	if (at == 0)
		atomic_init(count, 5);
	work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
	atomic_fetch_add_explicit(count, i, memory_order_relaxed, memory_scope_work_group);
	int expected = -1;
	atomic_compare_exchange_strong(count, &expected, 1);
	work_group_barrier(CLK_LOCAL_MEM_FENCE);
	n[16 * i + 10] = atomic_load(count) - expected * (expected >= 0 && at < 0);
	n[16 * i + 11] = work_group_reduce_add(i) + work_group_scan_exclusive_max(i) + work_group_broadcast(i, 2);
	n[16 * i + 12] = sub_group_reduce_add(i) + sub_group_all(i < 1000) + (int)get_sub_group_size();
	n[16 * i + 13] = work_group_any(i == 3);
	n[16 * i + 14] = get_global_size(0) + get_num_groups(0) + get_work_dim() + get_group_id(0) + get_enqueued_local_size(0);
	n[16 * i + 15] = vload4(0, l).y;
}
