// Atomic functions of OpenCL C 1.x (OpenCL C 3.0 section 6.15.12.8, and cl_khr_{global,local}_int32_*_atomics,
// cl_khr_int64_*_atomics): relaxed.
#include "builtins.h"

#define OP(name, op, A, T) \
    T OVERLOAD atomic_##name(volatile A T *p, T v) { return __atomic_##op((A T *)p, v, __ATOMIC_RELAXED); } \
    T OVERLOAD atom_##name(volatile A T *p, T v) { return __atomic_##op((A T *)p, v, __ATOMIC_RELAXED); }
#define INTEGER(A, T) \
    OP(add, fetch_add, A, T) OP(sub, fetch_sub, A, T) OP(xchg, exchange_n, A, T) OP(min, fetch_min, A, T) OP(max, fetch_max, A, T) \
    OP(and, fetch_and, A, T) OP(or, fetch_or, A, T) OP(xor, fetch_xor, A, T) \
    T OVERLOAD atomic_inc(volatile A T *p) { return __atomic_fetch_add((A T *)p, (T)1, __ATOMIC_RELAXED); } \
    T OVERLOAD atom_inc(volatile A T *p) { return __atomic_fetch_add((A T *)p, (T)1, __ATOMIC_RELAXED); } \
    T OVERLOAD atomic_dec(volatile A T *p) { return __atomic_fetch_sub((A T *)p, (T)1, __ATOMIC_RELAXED); } \
    T OVERLOAD atom_dec(volatile A T *p) { return __atomic_fetch_sub((A T *)p, (T)1, __ATOMIC_RELAXED); } \
    T OVERLOAD atomic_cmpxchg(volatile A T *p, T expected, T v) \
    { \
        __atomic_compare_exchange_n((A T *)p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    } \
    T OVERLOAD atom_cmpxchg(volatile A T *p, T expected, T v) \
    { \
        __atomic_compare_exchange_n((A T *)p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }
#define SPACE(A) \
    INTEGER(A, int) INTEGER(A, uint) INTEGER(A, long) INTEGER(A, ulong) \
    float OVERLOAD atomic_xchg(volatile A float *p, float v) \
    { \
        return AS(float, __atomic_exchange_n((A int *)p, AS(int, v), __ATOMIC_RELAXED)); \
    }

SPACE(global)
SPACE(local)
SPACE(generic)
