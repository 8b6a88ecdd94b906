// Loads, stores, exchanges and flags of OpenCL C 2.0 and later (OpenCL C 3.0 section 6.15.12). V is an integer type of T's size.
#include "builtins.h"

#define P(A, V, p) ((A V *)(p))

#define ACCESS(A, T, V) \
    void OVERLOAD atomic_init(volatile A atomic_##T *p, T v) { *(A T *)p = v; } \
    void OVERLOAD atomic_store_explicit(volatile A atomic_##T *p, T v, memory_order order, memory_scope scope) \
    { \
        __atomic_store_n(P(A, V, p), AS(V, v), order); \
    } \
    void OVERLOAD atomic_store_explicit(volatile A atomic_##T *p, T v, memory_order order) \
    { \
        __atomic_store_n(P(A, V, p), AS(V, v), order); \
    } \
    void OVERLOAD atomic_store(volatile A atomic_##T *p, T v) { __atomic_store_n(P(A, V, p), AS(V, v), __ATOMIC_SEQ_CST); } \
    T OVERLOAD atomic_load_explicit(volatile A atomic_##T *p, memory_order order, memory_scope scope) \
    { \
        return AS(T, __atomic_load_n(P(A, V, p), order)); \
    } \
    T OVERLOAD atomic_load_explicit(volatile A atomic_##T *p, memory_order order) \
    { \
        return AS(T, __atomic_load_n(P(A, V, p), order)); \
    } \
    T OVERLOAD atomic_load(volatile A atomic_##T *p) { return AS(T, __atomic_load_n(P(A, V, p), __ATOMIC_SEQ_CST)); } \
    T OVERLOAD atomic_exchange_explicit(volatile A atomic_##T *p, T v, memory_order order, memory_scope scope) \
    { \
        return AS(T, __atomic_exchange_n(P(A, V, p), AS(V, v), order)); \
    } \
    T OVERLOAD atomic_exchange_explicit(volatile A atomic_##T *p, T v, memory_order order) \
    { \
        return AS(T, __atomic_exchange_n(P(A, V, p), AS(V, v), order)); \
    } \
    T OVERLOAD atomic_exchange(volatile A atomic_##T *p, T v) \
    { \
        return AS(T, __atomic_exchange_n(P(A, V, p), AS(V, v), __ATOMIC_SEQ_CST)); \
    }

// Compares bits, as C11 does. X is the space of the expected value.
#define COMPARE(kind, weak, A, X, T, V) \
    bool OVERLOAD atomic_compare_exchange_##kind##_explicit(volatile A atomic_##T *p, X T *expected, T v, memory_order success, \
                                                            memory_order failure, memory_scope scope) \
    { \
        return __atomic_compare_exchange_n(P(A, V, p), (X V *)expected, AS(V, v), weak, success, failure); \
    } \
    bool OVERLOAD atomic_compare_exchange_##kind##_explicit(volatile A atomic_##T *p, X T *expected, T v, memory_order success, \
                                                            memory_order failure) \
    { \
        return __atomic_compare_exchange_n(P(A, V, p), (X V *)expected, AS(V, v), weak, success, failure); \
    } \
    bool OVERLOAD atomic_compare_exchange_##kind(volatile A atomic_##T *p, X T *expected, T v) \
    { \
        return __atomic_compare_exchange_n(P(A, V, p), (X V *)expected, AS(V, v), weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }

#define TYPE(A, T, V) ACCESS(A, T, V) EACH_EXPECTED(A, T, V)
#define COMPARES(A, X, T, V) COMPARE(strong, false, A, X, T, V) COMPARE(weak, true, A, X, T, V)
#define EACH_EXPECTED(A, T, V) COMPARES(A, private, T, V) COMPARES(A, local, T, V) COMPARES(A, global, T, V) COMPARES(A, generic, T, V)

#define FLAG(A) \
    bool OVERLOAD atomic_flag_test_and_set_explicit(volatile A atomic_flag *p, memory_order order, memory_scope scope) \
    { \
        return __atomic_exchange_n(P(A, int, p), 1, order) != 0; \
    } \
    bool OVERLOAD atomic_flag_test_and_set_explicit(volatile A atomic_flag *p, memory_order order) \
    { \
        return __atomic_exchange_n(P(A, int, p), 1, order) != 0; \
    } \
    bool OVERLOAD atomic_flag_test_and_set(volatile A atomic_flag *p) { return __atomic_exchange_n(P(A, int, p), 1, __ATOMIC_SEQ_CST) != 0; } \
    void OVERLOAD atomic_flag_clear_explicit(volatile A atomic_flag *p, memory_order order, memory_scope scope) \
    { \
        __atomic_store_n(P(A, int, p), 0, order); \
    } \
    void OVERLOAD atomic_flag_clear_explicit(volatile A atomic_flag *p, memory_order order) { __atomic_store_n(P(A, int, p), 0, order); } \
    void OVERLOAD atomic_flag_clear(volatile A atomic_flag *p) { __atomic_store_n(P(A, int, p), 0, __ATOMIC_SEQ_CST); }

// Clang 19 declares atomic_store of a half so that the value is an atomic_half, too.
#define STORE_HALF(A) \
    void OVERLOAD atomic_store(volatile A atomic_half *p, atomic_half v) \
    { \
        __atomic_store_n(P(A, short, p), *(private short *)&v, __ATOMIC_SEQ_CST); \
    } \
    void OVERLOAD atomic_store_explicit(volatile A atomic_half *p, atomic_half v, memory_order order) \
    { \
        __atomic_store_n(P(A, short, p), *(private short *)&v, order); \
    } \
    void OVERLOAD atomic_store_explicit(volatile A atomic_half *p, atomic_half v, memory_order order, memory_scope scope) \
    { \
        __atomic_store_n(P(A, short, p), *(private short *)&v, order); \
    }

#define SPACE(A) \
    TYPE(A, int, int) TYPE(A, uint, uint) TYPE(A, long, long) TYPE(A, ulong, ulong) TYPE(A, float, int) TYPE(A, double, long) \
    ACCESS(A, half, short) STORE_HALF(A) FLAG(A)

SPACE(global)
SPACE(local)
SPACE(generic)

void OVERLOAD atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope)
{
    __atomic_thread_fence(order);
}
