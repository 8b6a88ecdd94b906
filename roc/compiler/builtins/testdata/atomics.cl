// Atomic functions on one thread: what they return and what they leave. Each function gets memory and returns the line of the
// first thing that is wrong, else 0. A is the address space, T the type.
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CHECK(c) if (!(c)) return __LINE__
#define BOTH(call1, call2, before, after) \
    *p = before; CHECK(call1 == before); CHECK(*p == after); \
    *p = before; CHECK(call2 == before); CHECK(*p == after)

// 64 bits have atom_* only: F is the prefix of the first of two calls.
#define ATOMIC(name) \
    static int name(A T *p) \
    { \
        const T x = (T)-5, y = (T)7, high = (T)((T)1 << (sizeof(T) * 8 - 1)); \
        BOTH(CAT(F, add)(p, y), atom_add(p, y), x, (T)2); \
        BOTH(CAT(F, sub)(p, y), atom_sub(p, y), x, (T)-12); \
        BOTH(CAT(F, xchg)(p, y), atom_xchg(p, y), x, y); \
        BOTH(CAT(F, inc)(p), atom_inc(p), (T)-1, (T)0); \
        BOTH(CAT(F, dec)(p), atom_dec(p), (T)0, (T)-1); \
        BOTH(CAT(F, cmpxchg)(p, x, y), atom_cmpxchg(p, x, y), x, y); \
        BOTH(CAT(F, cmpxchg)(p, y, y), atom_cmpxchg(p, y, y), x, x); \
        BOTH(CAT(F, min)(p, y), atom_min(p, y), x, (x < y ? x : y)); \
        BOTH(CAT(F, max)(p, y), atom_max(p, y), x, (x > y ? x : y)); \
        BOTH(CAT(F, max)(p, (T)1), atom_max(p, (T)1), high, (high > (T)1 ? high : (T)1)); \
        BOTH(CAT(F, and)(p, y), atom_and(p, y), x, (x & y)); \
        BOTH(CAT(F, or)(p, y), atom_or(p, y), x, (x | y)); \
        BOTH(CAT(F, xor)(p, y), atom_xor(p, y), x, (x ^ y)); \
        return 0; \
    }

#define MODERN(name, S, AT) \
    static int name(S T *p) \
    { \
        volatile S AT *q = (volatile S AT *)p; \
        const T x = (T)-5, y = (T)7; \
        BOTH(atomic_fetch_add(q, y), atomic_fetch_add_explicit(q, y, memory_order_relaxed, memory_scope_device), x, (T)2); \
        BOTH(atomic_fetch_sub(q, y), atomic_fetch_sub_explicit(q, y, memory_order_acquire), x, (T)-12); \
        BOTH(atomic_fetch_min(q, y), atomic_fetch_min_explicit(q, y, memory_order_release, memory_scope_work_group), x, (x < y ? x : y)); \
        BOTH(atomic_fetch_max(q, y), atomic_fetch_max_explicit(q, y, memory_order_acq_rel, memory_scope_all_svm_devices), x, (x > y ? x : y)); \
        BOTH(atomic_fetch_and(q, y), atomic_fetch_and_explicit(q, y, memory_order_seq_cst), x, (x & y)); \
        BOTH(atomic_fetch_or(q, y), atomic_fetch_or_explicit(q, y, memory_order_relaxed), x, (x | y)); \
        BOTH(atomic_fetch_xor(q, y), atomic_fetch_xor_explicit(q, y, memory_order_relaxed), x, (x ^ y)); \
        ACCESS(x, y) \
        return 0; \
    }

#define ACCESS(x, y) \
    BOTH(atomic_exchange(q, y), atomic_exchange_explicit(q, y, memory_order_acq_rel, memory_scope_device), x, y); \
    atomic_init(q, x); CHECK(*p == x); \
    atomic_store(q, y); CHECK(*p == y); \
    atomic_store_explicit(q, x, memory_order_release, memory_scope_device); CHECK(*p == x); \
    CHECK(atomic_load(q) == x); \
    CHECK(atomic_load_explicit(q, memory_order_acquire, memory_scope_device) == x); \
    T expected = x; \
    CHECK(atomic_compare_exchange_strong(q, &expected, y)); CHECK(*p == y); CHECK(expected == x); \
    CHECK(!atomic_compare_exchange_strong_explicit(q, &expected, x, memory_order_acq_rel, memory_order_relaxed, memory_scope_device)); \
    CHECK(expected == y); CHECK(*p == y); \
    CHECK(atomic_compare_exchange_weak(q, &expected, x)); CHECK(*p == x);

#define SUMS(x, y) \
    BOTH(atomic_fetch_add(q, y), atomic_fetch_add_explicit(q, y, memory_order_relaxed, memory_scope_device), x, (T)1.5f); \
    BOTH(atomic_fetch_sub(q, y), atomic_fetch_sub_explicit(q, y, memory_order_acquire), x, (T)-12.5f); \
    BOTH(atomic_fetch_min(q, y), atomic_fetch_min_explicit(q, y, memory_order_release, memory_scope_work_group), x, x); \
    BOTH(atomic_fetch_max(q, y), atomic_fetch_max_explicit(q, y, memory_order_acq_rel, memory_scope_all_svm_devices), x, y); \
    BOTH(atomic_fetch_min_explicit(q, x, memory_order_seq_cst), atomic_fetch_min(q, x), y, x); \
    BOTH(atomic_fetch_max_explicit(q, x, memory_order_seq_cst), atomic_fetch_max(q, x), y, y);

#define FLOATS(name, S, AT) \
    static int name(S T *p) \
    { \
        volatile S AT *q = (volatile S AT *)p; \
        const T x = (T)-5.5f, y = (T)7; \
        SUMS(x, y) \
        ACCESS(x, y) \
        return 0; \
    }

#define HALVES(name, S) \
    static int name(S half *p) \
    { \
        volatile S atomic_half *q = (volatile S atomic_half *)p; \
        const T x = (T)-5.5f, y = (T)7; \
        SUMS(x, y) \
        BOTH(atomic_exchange(q, y), atomic_exchange_explicit(q, y, memory_order_acq_rel, memory_scope_device), x, y); \
        atomic_store(q, x); CHECK(*p == x); CHECK(atomic_load(q) == x); \
        atomic_store_explicit(q, y, memory_order_release); CHECK(atomic_load_explicit(q, memory_order_acquire) == y); \
        atomic_store_explicit(q, x, memory_order_release, memory_scope_device); CHECK(*p == x); \
        return 0; \
    }

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half
HALVES(global_half, global)
HALVES(local_half, local)
HALVES(generic_half, )
#undef T

#define A global
#define F atomic_
#define T int
ATOMIC(global_int)
MODERN(global_modern_int, global, atomic_int)
MODERN(generic_modern_int, , atomic_int)
#undef T
#define T uint
ATOMIC(global_uint)
MODERN(global_modern_uint, global, atomic_uint)
MODERN(generic_modern_uint, , atomic_uint)
#undef F
#define F atom_
#undef T
#define T long
ATOMIC(global_long)
MODERN(global_modern_long, global, atomic_long)
#undef T
#define T ulong
ATOMIC(global_ulong)
MODERN(generic_modern_ulong, , atomic_ulong)
#undef T
#define T float
FLOATS(global_float, global, atomic_float)
static int exchange_float(global float *p) { *p = 1.5f; CHECK(atomic_xchg(p, -2.0f) == 1.5f); CHECK(*p == -2.0f); return 0; }
#undef T
#define T double
FLOATS(generic_double, , atomic_double)
#undef T
#undef A
#define A local
#undef F
#define F atomic_
#define T int
ATOMIC(local_int)
MODERN(local_modern_int, local, atomic_int)
#undef F
#define F atom_
#undef T
#define T ulong
ATOMIC(local_ulong)
MODERN(local_modern_ulong, local, atomic_ulong)
#undef T
#define T double
FLOATS(local_double, local, atomic_double)
#undef T

static int flags(global atomic_flag *f)
{
    atomic_flag_clear(f);
    CHECK(!atomic_flag_test_and_set(f));
    CHECK(atomic_flag_test_and_set_explicit(f, memory_order_acquire, memory_scope_device));
    atomic_flag_clear_explicit(f, memory_order_release, memory_scope_device);
    CHECK(!atomic_flag_test_and_set(f));
    return 0;
}

#define TRY(f, S, T) if (!r) r = f((S T *)p)
#define TRY_LOCAL(f, T) if (!r) r = f((local T *)l)
void test(global void *p, local void *l, int *line)
{
    int r = 0;
    TRY(global_int, global, int); TRY(global_uint, global, uint); TRY(global_long, global, long); TRY(global_ulong, global, ulong);
    TRY(global_modern_int, global, int); TRY(generic_modern_int, global, int); TRY(global_modern_uint, global, uint); TRY(generic_modern_uint, global, uint);
    TRY(global_modern_long, global, long); TRY(generic_modern_ulong, global, ulong); TRY(global_float, global, float); TRY(exchange_float, global, float);
    TRY(generic_double, global, double); TRY(flags, global, atomic_flag);
    TRY(global_half, global, half); TRY(generic_half, global, half); TRY_LOCAL(local_half, half); TRY_LOCAL(local_double, double);
    TRY_LOCAL(local_int, int); TRY_LOCAL(local_modern_int, int); TRY_LOCAL(local_ulong, ulong); TRY_LOCAL(local_modern_ulong, ulong);
    *line = r;
}
