// Atomic functions of OpenCL C 1.x: atomic_* on 32 bits (OpenCL C 3.0 section 6.15.12.8), atom_* on 32 and 64
// (cl_khr_{global,local}_int32_*_atomics, cl_khr_int64_*_atomics). All are relaxed.
#include "builtins.h"

#define OP(prefix, name, op, A, T) \
    T OVERLOAD prefix##name(volatile A T *p, T v) { return __atomic_##op((A T *)p, v, __ATOMIC_RELAXED); }
#define FUNCTIONS(prefix, A, T) \
    OP(prefix, add, fetch_add, A, T) OP(prefix, sub, fetch_sub, A, T) OP(prefix, xchg, exchange_n, A, T) \
    OP(prefix, min, fetch_min, A, T) OP(prefix, max, fetch_max, A, T) \
    OP(prefix, and, fetch_and, A, T) OP(prefix, or, fetch_or, A, T) OP(prefix, xor, fetch_xor, A, T) \
    T OVERLOAD prefix##inc(volatile A T *p) { return __atomic_fetch_add((A T *)p, (T)1, __ATOMIC_RELAXED); } \
    T OVERLOAD prefix##dec(volatile A T *p) { return __atomic_fetch_sub((A T *)p, (T)1, __ATOMIC_RELAXED); } \
    T OVERLOAD prefix##cmpxchg(volatile A T *p, T expected, T v) \
    { \
        __atomic_compare_exchange_n((A T *)p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }
#define SPACE(A) \
    FUNCTIONS(atomic_, A, int) FUNCTIONS(atomic_, A, uint) \
    FUNCTIONS(atom_, A, int) FUNCTIONS(atom_, A, uint) FUNCTIONS(atom_, A, long) FUNCTIONS(atom_, A, ulong) \
    float OVERLOAD atomic_xchg(volatile A float *p, float v) \
    { \
        return AS(float, __atomic_exchange_n((A int *)p, AS(int, v), __ATOMIC_RELAXED)); \
    }

SPACE(global)
SPACE(local)
