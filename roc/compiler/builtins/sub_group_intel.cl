// cl_intel_subgroups: shuffles, also of vectors and between two values of each work-item.
#include "builtins.h"
#include "sub_group.h"

#define SCALAR(T) \
    T OVERLOAD CONVERGENT intel_sub_group_shuffle(T x, uint from) { return aqueduct_lanes_take(x, from); } \
    T OVERLOAD CONVERGENT intel_sub_group_shuffle_xor(T x, uint mask) { return aqueduct_lanes_take(x, get_sub_group_local_id() ^ mask); } \
    T OVERLOAD CONVERGENT intel_sub_group_shuffle_down(T current, T next, uint delta) \
    { \
        uint from = get_sub_group_local_id() + delta; \
        T near = aqueduct_lanes_take(current, from), far = aqueduct_lanes_take(next, from); \
        return from < SIZE ? near : far; \
    } \
    T OVERLOAD CONVERGENT intel_sub_group_shuffle_up(T previous, T current, uint delta) \
    { \
        uint from = get_sub_group_local_id() - delta; \
        T near = aqueduct_lanes_take(current, from), far = aqueduct_lanes_take(previous, from); \
        return (int)from >= 0 ? near : far; \
    }

#define EACH_SCALAR(M) M(half) M(float) M(double) M(int) M(uint) M(long) M(ulong)
EACH_SCALAR(SCALAR)

// Vectors go half by half.
#define ONE(V, f, lo, hi) V OVERLOAD CONVERGENT f(V x, uint n) { return (V)(f(x.lo, n), f(x.hi, n)); }
#define TWO(V, f, lo, hi) V OVERLOAD CONVERGENT f(V x, V y, uint n) { return (V)(f(x.lo, y.lo, n), f(x.hi, y.hi, n)); }
#define VECTOR(V, lo, hi) \
    ONE(V, intel_sub_group_shuffle, lo, hi) ONE(V, intel_sub_group_shuffle_xor, lo, hi) \
    TWO(V, intel_sub_group_shuffle_down, lo, hi) TWO(V, intel_sub_group_shuffle_up, lo, hi)
#define VECTORS(T) VECTOR(T##2, lo, hi) VECTOR(T##3, xy, z) VECTOR(T##4, lo, hi) VECTOR(T##8, lo, hi) VECTOR(T##16, lo, hi)
VECTORS(float)
VECTORS(int)
VECTORS(uint)
