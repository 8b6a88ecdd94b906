// Functions of sub-groups against a serial reference: on whole sub-groups, on those of them that come to a branch, in groups whose
// last sub-group is not full; and what the host is told of sub-groups.
#include "check.h"
#include <limits.h>
#include <math.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

// Results of one work-item. The kernel counts them in the same order as the reference below.
enum { most = 96, width = 16 };

static const char *source =
	"#define PUT(v) o[n++] = (T)(v)\n"
	"kernel void whole(global const T *in, global T *out) {\n"
	"	size_t i = get_global_id(0); T x = in[i]; global T *o = out + 96 * i; int n = 0; uint l = get_sub_group_local_id();\n"
	"	PUT(sub_group_reduce_add(x)); PUT(sub_group_reduce_min(x)); PUT(sub_group_reduce_max(x));\n"
	"	PUT(sub_group_scan_inclusive_add(x)); PUT(sub_group_scan_inclusive_min(x)); PUT(sub_group_scan_inclusive_max(x));\n"
	"	PUT(sub_group_scan_exclusive_add(x)); PUT(sub_group_scan_exclusive_min(x)); PUT(sub_group_scan_exclusive_max(x));\n"
	"	PUT(sub_group_broadcast(x, get_sub_group_size() - 1)); PUT(sub_group_shuffle(x, get_sub_group_size() - 1 - l));\n"
	"	T2 v = sub_group_broadcast((T2)(x, 1), 0); T16 w = sub_group_broadcast((T16)(x), 0); PUT(v.x); PUT(v.y); PUT(w.s0); PUT(w.sf);\n"
	"	T3 u = sub_group_broadcast((T3)(1, x, x), 0); PUT(u.x); PUT(u.z);\n"
	"	sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	PUT(sub_group_all(l < 15)); PUT(sub_group_any(l == 3)); PUT(sub_group_all(256)); PUT(sub_group_any(0));\n"
	"	uint full = get_sub_group_size() == 16, down = full && l < 13;\n" // others are undefined
	"	T s = sub_group_shuffle_up(x, 2); PUT(l >= 2 ? s : 0); s = sub_group_shuffle_down(x, 3); PUT(down ? s : 0);\n"
	"	s = sub_group_shuffle_xor(x, 5); PUT(full ? s : 0); s = sub_group_rotate(x, 3); PUT(full ? s : 0);\n"
	"	s = sub_group_rotate(x, -1); PUT(full ? s : 0); s = sub_group_clustered_rotate(x, 5, 4); PUT(full ? s : 0);\n"
	"	PUT(sub_group_clustered_reduce_add(x, 1)); PUT(sub_group_clustered_reduce_max(x, 4)); PUT(sub_group_clustered_reduce_min(x, 8)); PUT(sub_group_clustered_reduce_add(x, 16));\n"
	"}\n"
	"kernel void part(global const T *in, global T *out, uint who) {\n"
	"	size_t i = get_global_id(0); T x = in[i]; global T *o = out + 96 * i; int n = 0; uint l = get_sub_group_local_id();\n"
	"	if (who >> l & 1) {\n"
	"		PUT(sub_group_non_uniform_reduce_add(x)); PUT(sub_group_non_uniform_reduce_mul(x)); PUT(sub_group_non_uniform_reduce_min(x)); PUT(sub_group_non_uniform_reduce_max(x));\n"
	"		PUT(sub_group_non_uniform_scan_inclusive_add(x)); PUT(sub_group_non_uniform_scan_inclusive_mul(x)); PUT(sub_group_non_uniform_scan_inclusive_min(x)); PUT(sub_group_non_uniform_scan_inclusive_max(x));\n"
	"		PUT(sub_group_non_uniform_scan_exclusive_add(x)); PUT(sub_group_non_uniform_scan_exclusive_mul(x)); PUT(sub_group_non_uniform_scan_exclusive_min(x)); PUT(sub_group_non_uniform_scan_exclusive_max(x));\n"
	"		PUT(sub_group_broadcast_first(x)); PUT(sub_group_non_uniform_broadcast(x, ctz(who))); PUT(sub_group_elect() != 0);\n"
	"		PUT(sub_group_non_uniform_all(x > (T)1) != 0); PUT(sub_group_non_uniform_any(x > (T)8) != 0);\n"
	"		PUT(sub_group_non_uniform_all_equal(x) != 0); PUT(sub_group_non_uniform_all_equal((T)3) != 0);\n"
	"		uint4 b = sub_group_ballot(x > (T)4); PUT(b.x & 127); PUT(b.x >> 7); PUT(b.y | b.z | b.w);\n"
	"		PUT(sub_group_ballot_bit_count(b)); PUT(sub_group_ballot_inclusive_scan(b)); PUT(sub_group_ballot_exclusive_scan(b));\n"
	"		PUT(b.x ? sub_group_ballot_find_lsb(b) : 0); PUT(b.x ? sub_group_ballot_find_msb(b) : 0);\n"
	"		PUT(sub_group_inverse_ballot(b) != 0); PUT(sub_group_ballot_bit_extract(b, 5) != 0); PUT(sub_group_ballot_bit_extract((uint4)(0, 8, 0, 0), 35) != 0);\n"
	"		PUT(get_sub_group_eq_mask().x == 1u << l); PUT(get_sub_group_ge_mask().x == (0xffff & -1u << l)); PUT(get_sub_group_gt_mask().x == (0xffff & -2u << l));\n"
	"		PUT(get_sub_group_le_mask().x == (2u << l) - 1); PUT(get_sub_group_lt_mask().x == (1u << l) - 1);\n"
	"		PUT(sub_group_clustered_reduce_mul(x, 2));\n"
	"#ifdef WHOLE\n"
	"		PUT(sub_group_non_uniform_reduce_and(x)); PUT(sub_group_non_uniform_reduce_or(x)); PUT(sub_group_non_uniform_reduce_xor(x));\n"
	"		PUT(sub_group_non_uniform_scan_exclusive_and(x) & 127); PUT(sub_group_non_uniform_scan_inclusive_or(x)); PUT(sub_group_non_uniform_scan_exclusive_xor(x));\n"
	"		PUT(sub_group_clustered_reduce_xor(x, 4)); PUT(sub_group_clustered_reduce_and(x, 8)); PUT(sub_group_clustered_reduce_or(x, 2));\n"
	"		PUT(sub_group_non_uniform_reduce_logical_and((int)x - 1)); PUT(sub_group_non_uniform_scan_exclusive_logical_or((int)x - 1)); PUT(sub_group_clustered_reduce_logical_xor((int)x - 1, 4));\n"
	"#endif\n"
	"	} else PUT(sub_group_non_uniform_reduce_add(x));\n"
	"	o[95] = (T)(sub_group_ballot(1).x == (1u << get_sub_group_size()) - 1);\n" // together again
	"}\n";

static cl_program build(const char *options)
{
	cl_int err;
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(err);
	if ((err = clBuildProgram(p, 1, &device, options, NULL, NULL))) {
		static char text[1 << 16];
		clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
		FAIL("%s: %d %s", options, err, text);
		exit(1);
	}
	return p;
}

static void launch(cl_program p, const char *name, size_t global, size_t local, void *in, void *out, size_t size, cl_uint who)
{
	cl_int err;
	cl_kernel k = clCreateKernel(p, name, &err);
	MUST(err);
	cl_mem a = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, global * size, in, &err);
	MUST(err);
	cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, global * size * most, NULL, &err);
	MUST(err);
	memset(out, 0, global * size * most);
	MUST(clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, global * size * most, out, 0, NULL, NULL));
	MUST(clSetKernelArg(k, 0, sizeof a, &a));
	MUST(clSetKernelArg(k, 1, sizeof b, &b));
	if (who)
		MUST(clSetKernelArg(k, 2, sizeof who, &who));
	MUST(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
	MUST(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, global * size * most, out, 0, NULL, NULL));
	MUST(clReleaseKernel(k));
	MUST(clReleaseMemObject(a));
	MUST(clReleaseMemObject(b));
}

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((a) < (b) ? (b) : (a))
#define ANDS(a, b) ((long)(a) & (long)(b))
#define ORS(a, b) ((long)(a) | (long)(b))
#define XORS(a, b) ((long)(a) ^ (long)(b))
// FOLD combines x[k] for k of a mask below end, from a start.
#define FOLD(T, COMBINE, start, mask, end) ({ T r_ = (T)(start); for (int k_ = 0; k_ < (end); k_++) if ((mask) >> k_ & 1) r_ = (T)COMBINE(r_, x[k_]); r_; })
#define CLUSTER(l, n) (who & ((1u << (n)) - 1) << ((l) & -(n)))
#define WANT(T, v)                                                                                                               \
	do {                                                                                                                         \
		T want_ = (T)(v);                                                                                                        \
		if (o[n] != want_)                                                                                                       \
			FAIL(#T " result %d of work-item %d in %zu of %zu, who %x: want %s = %g, got %g", n, l, local, global, who, #v, (double)want_, (double)o[n]); \
		n++;                                                                                                                     \
	} while (0)

#define CHECK(T, LEAST, MOST, INTEGER)                                                                                           \
	static void whole_##T(const T *x, const T *o, int l, int size, size_t global, size_t local)                                  \
	{                                                                                                                            \
		int n = 0, full = size == width;                                                                                         \
		unsigned who = (1u << size) - 1;                                                                                         \
		WANT(T, FOLD(T, ADD, 0, who, size)); WANT(T, FOLD(T, LESS, MOST, who, size)); WANT(T, FOLD(T, MORE, LEAST, who, size));  \
		WANT(T, FOLD(T, ADD, 0, who, l + 1)); WANT(T, FOLD(T, LESS, MOST, who, l + 1)); WANT(T, FOLD(T, MORE, LEAST, who, l + 1)); \
		WANT(T, FOLD(T, ADD, 0, who, l)); WANT(T, FOLD(T, LESS, MOST, who, l)); WANT(T, FOLD(T, MORE, LEAST, who, l));           \
		WANT(T, x[size - 1]); WANT(T, x[size - 1 - l]); WANT(T, x[0]); WANT(T, 1); WANT(T, x[0]); WANT(T, x[0]); WANT(T, 1); WANT(T, x[0]); \
		WANT(T, size < 16); WANT(T, size > 3); WANT(T, 1); WANT(T, 0);                                                           \
		WANT(T, l >= 2 ? x[l - 2] : 0); WANT(T, full && l < 13 ? x[l + 3] : 0); WANT(T, full ? x[l ^ 5] : 0);                    \
		WANT(T, full ? x[(l + 3) % 16] : 0); WANT(T, full ? x[(l + 15) % 16] : 0); WANT(T, full ? x[(l & 12) | ((l + 5) & 3)] : 0); \
		WANT(T, x[l]); WANT(T, FOLD(T, MORE, LEAST, CLUSTER(l, 4), size)); WANT(T, FOLD(T, LESS, MOST, CLUSTER(l, 8), size)); WANT(T, FOLD(T, ADD, 0, who, size)); \
	}                                                                                                                            \
	static void part_##T(const T *x, const T *o, int l, int size, size_t global, size_t local, unsigned who)                     \
	{                                                                                                                            \
		int n = 0;                                                                                                               \
		unsigned all = (1u << size) - 1;                                                                                         \
		if (o[most - 1] != 1)                                                                                                    \
			FAIL(#T " not together behind the branch: work-item %d in %zu of %zu, who %x", l, local, global, who);               \
		who &= all;                                                                                                              \
		if (!(who >> l & 1)) {                                                                                                   \
			WANT(T, FOLD(T, ADD, 0, all & ~who, size));                                                                          \
			return;                                                                                                              \
		}                                                                                                                        \
		WANT(T, FOLD(T, ADD, 0, who, size)); WANT(T, FOLD(T, MUL, 1, who, size)); WANT(T, FOLD(T, LESS, MOST, who, size)); WANT(T, FOLD(T, MORE, LEAST, who, size)); \
		WANT(T, FOLD(T, ADD, 0, who, l + 1)); WANT(T, FOLD(T, MUL, 1, who, l + 1)); WANT(T, FOLD(T, LESS, MOST, who, l + 1)); WANT(T, FOLD(T, MORE, LEAST, who, l + 1)); \
		WANT(T, FOLD(T, ADD, 0, who, l)); WANT(T, FOLD(T, MUL, 1, who, l)); WANT(T, FOLD(T, LESS, MOST, who, l)); WANT(T, FOLD(T, MORE, LEAST, who, l)); \
		int first = __builtin_ctz(who), more1 = 1, more8 = 0, same = 1;                                                          \
		unsigned ballot = 0;                                                                                                     \
		for (int k = 0; k < size; k++)                                                                                           \
			if (who >> k & 1)                                                                                                    \
				more1 &= x[k] > 1, more8 |= x[k] > 8, same &= x[k] == x[first], ballot |= (unsigned)(x[k] > 4) << k;             \
		WANT(T, x[first]); WANT(T, x[first]); WANT(T, l == first); WANT(T, more1); WANT(T, more8); WANT(T, same); WANT(T, 1);    \
		WANT(T, ballot & 127); WANT(T, ballot >> 7); WANT(T, 0); WANT(T, __builtin_popcount(ballot));                            \
		WANT(T, __builtin_popcount(ballot & ((2u << l) - 1))); WANT(T, __builtin_popcount(ballot & ((1u << l) - 1)));            \
		WANT(T, ballot ? __builtin_ctz(ballot) : 0); WANT(T, ballot ? 31 - __builtin_clz(ballot) : 0);                           \
		WANT(T, ballot >> l & 1); WANT(T, ballot >> 5 & 1); WANT(T, 1);                                                          \
		for (int k = 0; k < 5; k++)                                                                                              \
			WANT(T, 1);                                                                                                          \
		WANT(T, FOLD(T, MUL, 1, CLUSTER(l, 2), size));                                                                           \
		if (INTEGER) {                                                                                                           \
			WANT(T, FOLD(T, ANDS, -1, who, size)); WANT(T, FOLD(T, ORS, 0, who, size)); WANT(T, FOLD(T, XORS, 0, who, size));    \
			WANT(T, ANDS(FOLD(T, ANDS, -1, who, l), 127)); WANT(T, FOLD(T, ORS, 0, who, l + 1)); WANT(T, FOLD(T, XORS, 0, who, l)); \
			WANT(T, FOLD(T, XORS, 0, CLUSTER(l, 4), size)); WANT(T, FOLD(T, ANDS, -1, CLUSTER(l, 8), size)); WANT(T, FOLD(T, ORS, 0, CLUSTER(l, 2), size)); \
			int every = 1, before = 0, odd = 0;                                                                                  \
			for (int k = 0; k < size; k++)                                                                                       \
				if (who >> k & 1)                                                                                                \
					every &= x[k] != 1, before |= k < l && x[k] != 1, odd ^= (k & 12) == (l & 12) && x[k] != 1;                  \
			WANT(T, every); WANT(T, before); WANT(T, odd);                                                                       \
		}                                                                                                                        \
	}                                                                                                                            \
	static void check_##T(size_t global, size_t local, cl_program p)                                                             \
	{                                                                                                                            \
		static const cl_uint masks[] = { 0xffff, 0x5555, 0x8421, 0x0001, 0x7ffe };                                               \
		T *in = malloc(global * sizeof(T)), *out = malloc(global * most * sizeof(T));                                            \
		for (size_t i = 0; i < global; i++)                                                                                      \
			in[i] = (T)(i * 7 % 5 % 3 + 1 + (i % 11 == 3) * 8);                                                                  \
		for (int m = -1; m < (int)(sizeof masks / sizeof *masks); m++) {                                                         \
			launch(p, m < 0 ? "whole" : "part", global, local, in, out, sizeof(T), m < 0 ? 0 : masks[m]);                        \
			for (size_t i = 0; i < global && failures < 10; i++) {                                                               \
				size_t group = i / local * local, items = LESS(local, global - group), first = (i - group) / width * width;      \
				int size = LESS(width, items - first), l = i - group - first;                                                    \
				if (m < 0)                                                                                                       \
					whole_##T(in + group + first, out + most * i, l, size, global, local);                                       \
				else if ((masks[m] & ((1u << size) - 1)) != 0)                                                                   \
					part_##T(in + group + first, out + most * i, l, size, global, local, masks[m]);                              \
			}                                                                                                                    \
		}                                                                                                                        \
		free(in);                                                                                                                \
		free(out);                                                                                                               \
	}

typedef unsigned char uchar;
typedef unsigned int uint;
CHECK(uchar, 0, UCHAR_MAX, 1)
CHECK(short, SHRT_MIN, SHRT_MAX, 1)
CHECK(int, INT_MIN, INT_MAX, 1)
CHECK(uint, 0, UINT_MAX, 1)
CHECK(long, LONG_MIN, LONG_MAX, 1)
CHECK(float, -INFINITY, INFINITY, 0)
CHECK(double, -INFINITY, INFINITY, 0)

static size_t ask(cl_kernel k, cl_kernel_sub_group_info what, const size_t *in, size_t dims)
{
	size_t v = 0, size = 0;
	MUST(clGetKernelSubGroupInfo(k, device, what, dims * 8, in, sizeof v, &v, &size));
	EXPECT(8, size);
	return v;
}

static void host(cl_program p)
{
	cl_int err;
	cl_uint n;
	cl_bool progress;
	MUST(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof n, &n, NULL));
	EXPECT(4096 / width, n);
	MUST(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof progress, &progress, NULL));
	EXPECT(CL_TRUE, progress);
	cl_kernel k = clCreateKernel(p, "whole", &err);
	MUST(err);
	size_t local[] = { 20, 3, 1 }, limit, count, got[3];
	EXPECT(width, ask(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, 2));
	EXPECT(4, ask(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 3));
	EXPECT(2, ask(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 1));
	EXPECT(0, ask(k, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0));
	MUST(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL));
	EXPECT((limit + width - 1) / width, ask(k, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0));
	count = 3;
	MUST(clGetKernelSubGroupInfo(k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, &count, sizeof got, got, NULL));
	EXPECT(3 * width, got[0]);
	EXPECT(1, got[1]);
	EXPECT(1, got[2]);
	count = SIZE_MAX;
	MUST(clGetKernelSubGroupInfo(k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, &count, 8, got, NULL));
	EXPECT(0, got[0]);
	EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL, 8, got, NULL));
	EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 12, local, 8, got, NULL));
	EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 8, local, 4, got, NULL));
	EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, 8, local, 8, got, NULL));
	EXPECT(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(NULL, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 8, got, NULL));
	MUST(clReleaseKernel(k));
}

int main(void)
{
	static const size_t shapes[][2] = { { 64, 32 }, { 50, 20 }, { 7, 7 }, { 100, 100 }, { 33, 16 } };
	static const struct { const char *options; void (*check)(size_t, size_t, cl_program); } types[] = {
		{ "-DT=int -DT2=int2 -DT3=int3 -DT16=int16 -DWHOLE", check_int }, { "-DT=float -DT2=float2 -DT3=float3 -DT16=float16", check_float },
		{ "-DT=uchar -DT2=uchar2 -DT3=uchar3 -DT16=uchar16 -DWHOLE", check_uchar }, { "-DT=short -DT2=short2 -DT3=short3 -DT16=short16 -DWHOLE", check_short },
		{ "-DT=uint -DT2=uint2 -DT3=uint3 -DT16=uint16 -DWHOLE", check_uint }, { "-DT=long -DT2=long2 -DT3=long3 -DT16=long16 -DWHOLE", check_long },
		{ "-DT=double -DT2=double2 -DT3=double3 -DT16=double16", check_double },
	};
	cl_int err;
	device = device_of(ours());
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
		char options[200];
		snprintf(options, sizeof options, "-cl-std=CL3.0 %s", types[t].options);
		cl_program p = build(options);
		if (t == 0)
			host(p);
		for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
			types[t].check(shapes[s][0], shapes[s][1], p);
		MUST(clReleaseProgram(p));
	}
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
