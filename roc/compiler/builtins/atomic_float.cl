// Sums, minima and maxima of floating-point numbers in memory (cl_ext_float_atomics). All scopes are the widest one.
#include "builtins.h"

#define RMW(name, A, T) \
    T OVERLOAD atomic_fetch_##name##_explicit(volatile A atomic_##T *p, T v, memory_order order, memory_scope scope) \
    { \
        return __atomic_fetch_##name((A T *)p, v, order); \
    } \
    T OVERLOAD atomic_fetch_##name##_explicit(volatile A atomic_##T *p, T v, memory_order order) \
    { \
        return __atomic_fetch_##name((A T *)p, v, order); \
    } \
    T OVERLOAD atomic_fetch_##name(volatile A atomic_##T *p, T v) \
    { \
        return __atomic_fetch_##name((A T *)p, v, __ATOMIC_SEQ_CST); \
    }
#define TYPE(A, T) RMW(add, A, T) RMW(sub, A, T) RMW(min, A, T) RMW(max, A, T)
#define SPACE(A) TYPE(A, half) TYPE(A, float) TYPE(A, double)

SPACE(global)
SPACE(local)
SPACE(generic)
