// Collective functions of work-groups against a serial reference, in groups of many shapes, vectorised and not.
#include "check.h"
#include <math.h>
#include <limits.h>

enum { kinds = 12, most = 3 * 1024 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static const char *source =
	"size_t index(void) { return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0); }\n"
	"kernel void each(global const T *in, global T *out, global int *votes, uint x, uint y, uint z) {\n"
	"	size_t i = index(); T v = in[i]; global T *o = out + 12 * i;\n"
	"	o[0] = work_group_reduce_add(v); o[1] = work_group_reduce_min(v); o[2] = work_group_reduce_max(v);\n"
	"	o[3] = work_group_scan_inclusive_add(v); o[4] = work_group_scan_inclusive_min(v); o[5] = work_group_scan_inclusive_max(v);\n"
	"	o[6] = work_group_scan_exclusive_add(v); o[7] = work_group_scan_exclusive_min(v); o[8] = work_group_scan_exclusive_max(v);\n"
	"	o[9] = work_group_broadcast(v, x); o[10] = work_group_broadcast(v, x, y); o[11] = work_group_broadcast(v, x, y, z);\n"
	"	votes[4 * i] = work_group_all(v > (T)2); votes[4 * i + 1] = work_group_any(v > (T)90);\n"
	"	votes[4 * i + 2] = work_group_all(1 << 31); votes[4 * i + 3] = work_group_any(0);\n"
	"}\n"
	// In loops and behind branches that all work-items take alike.
	"kernel void flow(global const T *in, global T *out, uint n) {\n"
	"	size_t i = index(); T v = in[i];\n"
	"	for (uint k = 0; k < n; k++) { v = work_group_scan_inclusive_max(v) - work_group_reduce_min(v); if (k & 1) v += work_group_broadcast(in[i], k % get_local_size(0)); }\n"
	"	out[i] = v;\n"
	"}\n";

static cl_program build(const char *type, const char *more)
{
	cl_int err;
	char options[100];
	snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s %s", type, more);
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

static void launch(cl_program p, const char *name, const size_t *global, const size_t *local, int n, const size_t *sizes, const void **args)
{
	cl_int err;
	cl_kernel k = clCreateKernel(p, name, &err);
	MUST(err);
	for (int i = 0; i < n; i++)
		MUST(clSetKernelArg(k, i, sizes[i], args[i]));
	MUST(clEnqueueNDRangeKernel(queue, k, 3, NULL, global, local, 0, NULL, NULL));
	MUST(clFinish(queue));
	MUST(clReleaseKernel(k));
}

static void *map(cl_mem m, size_t size)
{
	cl_int err;
	void *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &err);
	MUST(err);
	return p;
}

static cl_mem buffer(size_t size)
{
	cl_int err;
	cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &err);
	MUST(err);
	return m;
}

#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((a) < (b) ? (b) : (a))

// CHECK defines check_T, for one shape of work-groups.
#define CHECK(T, LEAST, MOST)                                                                                                    \
	static void check_##T(cl_program p, const size_t *global, const size_t *local)                                               \
	{                                                                                                                            \
		size_t items = global[0] * global[1] * global[2];                                                                        \
		cl_mem in = buffer(items * sizeof(T)), out = buffer(items * kinds * sizeof(T)), votes = buffer(items * 16);              \
		T *a = map(in, items * sizeof(T));                                                                                       \
		for (size_t i = 0; i < items; i++)                                                                                       \
			a[i] = (T)((i * 7919 + 13) % 97);                                                                                    \
		MUST(clEnqueueUnmapMemObject(queue, in, a, 0, NULL, NULL));                                                              \
		cl_uint at[3], rounds = 5;                                                                                               \
		for (int d = 0; d < 3; d++)                                                                                              \
			at[d] = (global[d] % local[d] ? global[d] % local[d] : local[d]) - 1;                                                \
		launch(p, "each", global, local, 6, (size_t[]){ 8, 8, 8, 4, 4, 4 }, (const void *[]){ &in, &out, &votes, &at[0], &at[1], &at[2] }); \
		T *o = map(out, items * kinds * sizeof(T));                                                                              \
		int *v = map(votes, items * 16);                                                                                         \
		T *flow = malloc(items * sizeof(T));                                                                                     \
		for (size_t g2 = 0; g2 < global[2]; g2 += local[2])                                                                      \
			for (size_t g1 = 0; g1 < global[1]; g1 += local[1])                                                                  \
				for (size_t g0 = 0; g0 < global[0]; g0 += local[0]) {                                                            \
					size_t n[3] = { LESS(local[0], global[0] - g0), LESS(local[1], global[1] - g1), LESS(local[2], global[2] - g2) }; \
					size_t count = n[0] * n[1] * n[2];                                                                           \
					T add = 0, least = MOST, more = LEAST, state[most];                                                          \
					int all = 1, any = 0;                                                                                        \
					static size_t where[most];                                                                                   \
					for (size_t k = 0; k < count; k++) {                                                                         \
						size_t x = k % n[0], y = k / n[0] % n[1], z = k / n[0] / n[1];                                           \
						where[k] = ((g2 + z) * global[1] + g1 + y) * global[0] + g0 + x;                                         \
						T e = a[where[k]], *r = o + kinds * where[k];                                                            \
						if (r[6] != add || r[7] != least || r[8] != more)                                                        \
							FAIL(#T " exclusive scan, local %zu %zu %zu, item %zu", local[0], local[1], local[2], k);            \
						add += e, least = LESS(least, e), more = MORE(more, e);                                                  \
						if (r[3] != add || r[4] != least || r[5] != more)                                                        \
							FAIL(#T " inclusive scan, local %zu %zu %zu, item %zu", local[0], local[1], local[2], k);            \
						all &= e > 2, any |= e > 90, state[k] = e;                                                               \
					}                                                                                                            \
					for (size_t k = 0; k < count; k++) {                                                                         \
						T *r = o + kinds * where[k];                                                                             \
						if (r[0] != add || r[1] != least || r[2] != more)                                                        \
							FAIL(#T " reduction, local %zu %zu %zu, item %zu", local[0], local[1], local[2], k);                 \
						if (r[9] != a[where[at[0]]] || r[10] != a[where[at[1] * n[0] + at[0]]] ||                                \
							r[11] != a[where[(at[2] * n[1] + at[1]) * n[0] + at[0]]])                                            \
							FAIL(#T " broadcast, local %zu %zu %zu, item %zu", local[0], local[1], local[2], k);                 \
						int *w = v + 4 * where[k];                                                                               \
						if (!w[0] != !all || !w[1] != !any || !w[2] || w[3])                                                     \
							FAIL(#T " votes, local %zu %zu %zu, item %zu", local[0], local[1], local[2], k);                     \
					}                                                                                                            \
					for (cl_uint round = 0; round < rounds; round++) {                                                           \
						T low = state[0], high = state[0];                                                                       \
						for (size_t k = 0; k < count; k++)                                                                       \
							low = LESS(low, state[k]);                                                                           \
						for (size_t k = 0; k < count; k++) {                                                                     \
							high = MORE(high, state[k]);                                                                         \
							state[k] = high - low;                                                                               \
							if (round & 1)                                                                                       \
								state[k] += a[where[round % n[0]]];                                                              \
						}                                                                                                        \
					}                                                                                                            \
					for (size_t k = 0; k < count; k++)                                                                           \
						flow[where[k]] = state[k];                                                                               \
				}                                                                                                                \
		MUST(clEnqueueUnmapMemObject(queue, out, o, 0, NULL, NULL));                                                             \
		launch(p, "flow", global, local, 3, (size_t[]){ 8, 8, 4 }, (const void *[]){ &in, &out, &rounds });                      \
		o = map(out, items * sizeof(T));                                                                                         \
		for (size_t i = 0; i < items; i++)                                                                                       \
			if (o[i] != flow[i]) {                                                                                               \
				FAIL(#T " flow, local %zu %zu %zu, item %zu", local[0], local[1], local[2], i);                                  \
				break;                                                                                                           \
			}                                                                                                                    \
		free(flow);                                                                                                              \
		MUST(clEnqueueUnmapMemObject(queue, out, o, 0, NULL, NULL));                                                             \
		MUST(clEnqueueUnmapMemObject(queue, votes, v, 0, NULL, NULL));                                                           \
		MUST(clFinish(queue));                                                                                                   \
		cl_mem all[] = { in, out, votes };                                                                                       \
		for (int i = 0; i < 3; i++)                                                                                              \
			MUST(clReleaseMemObject(all[i]));                                                                                    \
	}

typedef unsigned int uint;
typedef unsigned long ulong;
CHECK(int, INT_MIN, INT_MAX)
CHECK(uint, 0, UINT_MAX)
CHECK(long, LONG_MIN, LONG_MAX)
CHECK(ulong, 0, ULONG_MAX)
CHECK(float, -INFINITY, INFINITY)
CHECK(double, -INFINITY, INFINITY)

int main(void)
{
	static const size_t shapes[][6] = { // global, local
		{ 64, 1, 1, 64, 1, 1 }, { 1, 1, 1, 1, 1, 1 }, { 100, 1, 1, 7, 1, 1 }, { 34, 1, 1, 17, 1, 1 }, { 1000, 1, 1, 1000, 1, 1 },
		{ 21, 10, 1, 5, 3, 1 }, { 9, 8, 7, 3, 3, 3 }, { 2048, 1, 1, 1024, 1, 1 }, { 40, 3, 2, 16, 2, 2 },
	};
	static const struct { const char *name; void (*check)(cl_program, const size_t *, const size_t *); } types[] = {
		{ "int", check_int }, { "uint", check_uint }, { "long", check_long }, { "ulong", check_ulong }, { "float", check_float }, { "double", check_double },
	};
	cl_int err;
	device = device_of(ours());
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(err);
	cl_bool whole;
	MUST(clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof whole, &whole, NULL));
	EXPECT(CL_TRUE, whole);
	for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
		for (int scalar = t == 1; scalar <= (t < 2); scalar++) { // uint in scalar form, int in both
			cl_program p = build(types[t].name, scalar ? "-cl-opt-disable" : "");
			for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
				types[t].check(p, shapes[s], shapes[s] + 3);
			MUST(clReleaseProgram(p));
		}
	MUST(clReleaseCommandQueue(queue));
	MUST(clReleaseContext(context));
	done();
}
