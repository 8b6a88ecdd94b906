// Atomic functions of OpenCL C 2.0 and later (OpenCL C 3.0 section 6.15.12) on integers; fences. The order is constant after
// inlining. All scopes are the widest one: on a CPU they cost the same.
#include "builtins.h"

#define RMW(name, A, T, AT) \
    T OVERLOAD atomic_fetch_##name##_explicit(volatile A AT *p, T v, memory_order order, memory_scope scope) \
    { \
        return __atomic_fetch_##name((A T *)p, v, order); \
    } \
    T OVERLOAD atomic_fetch_##name##_explicit(volatile A AT *p, T v, memory_order order) \
    { \
        return __atomic_fetch_##name((A T *)p, v, order); \
    } \
    T OVERLOAD atomic_fetch_##name(volatile A AT *p, T v) \
    { \
        return __atomic_fetch_##name((A T *)p, v, __ATOMIC_SEQ_CST); \
    }

#define INTEGER(A, T) \
    RMW(add, A, T, atomic_##T) RMW(sub, A, T, atomic_##T) RMW(min, A, T, atomic_##T) RMW(max, A, T, atomic_##T) \
    RMW(and, A, T, atomic_##T) RMW(or, A, T, atomic_##T) RMW(xor, A, T, atomic_##T)

// uintptr_t counts by ptrdiff_t.
#define POINTER(name, A) \
    ulong OVERLOAD atomic_fetch_##name##_explicit(volatile A atomic_ulong *p, long v, memory_order order, memory_scope scope) \
    { \
        return __atomic_fetch_##name((A ulong *)p, (ulong)v, order); \
    } \
    ulong OVERLOAD atomic_fetch_##name##_explicit(volatile A atomic_ulong *p, long v, memory_order order) \
    { \
        return __atomic_fetch_##name((A ulong *)p, (ulong)v, order); \
    } \
    ulong OVERLOAD atomic_fetch_##name(volatile A atomic_ulong *p, long v) \
    { \
        return __atomic_fetch_##name((A ulong *)p, (ulong)v, __ATOMIC_SEQ_CST); \
    }

#define SPACE(A) POINTER(add, A) POINTER(sub, A) INTEGER(A, int) INTEGER(A, uint) INTEGER(A, long) INTEGER(A, ulong)

SPACE(global)
SPACE(local)
SPACE(generic)
