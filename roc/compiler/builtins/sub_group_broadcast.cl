// Functions by which a work-item gets what another gives: sub_group_broadcast (also of vectors), sub_group_non_uniform_broadcast,
// sub_group_broadcast_first, sub_group_shuffle*, sub_group_rotate and sub_group_clustered_rotate. A number that names no
// work-item of the sub-group gives an undefined value.
#include "builtins.h"
#include "sub_group.h"

#define TAKE(T, from) \
    GIVEN(T, get_sub_group_local_id()) = x; \
    aqueduct_sub_group_meet(); \
    T r = GIVEN(T, (from) % SIZE); \
    aqueduct_sub_group_meet(); \
    return r

#define SCALAR(T, LEAST, MOST) \
    T OF_LANES aqueduct_lanes_take(T x, uint from) { TAKE(T, from); } \
    T OF_LANES aqueduct_lanes_first(T x) { TAKE(T, first_of(aqueduct_sub_group_active())); } \
    T OVERLOAD CONVERGENT sub_group_broadcast(T x, uint from) { return aqueduct_lanes_take(x, from); } \
    T OVERLOAD CONVERGENT sub_group_non_uniform_broadcast(T x, uint from) { return aqueduct_lanes_take(x, from); } \
    T OVERLOAD CONVERGENT sub_group_broadcast_first(T x) { return aqueduct_lanes_first(x); } \
    T OVERLOAD CONVERGENT sub_group_shuffle(T x, uint from) { return aqueduct_lanes_take(x, from); } \
    T OVERLOAD CONVERGENT sub_group_shuffle_xor(T x, uint mask) { return aqueduct_lanes_take(x, get_sub_group_local_id() ^ mask); } \
    T OVERLOAD CONVERGENT sub_group_shuffle_up(T x, uint delta) { return aqueduct_lanes_take(x, get_sub_group_local_id() - delta); } \
    T OVERLOAD CONVERGENT sub_group_shuffle_down(T x, uint delta) { return aqueduct_lanes_take(x, get_sub_group_local_id() + delta); } \
    T OVERLOAD CONVERGENT sub_group_rotate(T x, int delta) { return aqueduct_lanes_take(x, get_sub_group_local_id() + delta); } \
    T OVERLOAD CONVERGENT sub_group_clustered_rotate(T x, int delta, uint size) \
    { \
        uint l = get_sub_group_local_id(); \
        return aqueduct_lanes_take(x, (l & -size) | (l + delta & size - 1)); \
    }
EACH_TYPE(SCALAR)

#define VECTOR(f, T) \
    T##2 OVERLOAD CONVERGENT f(T##2 x, uint from) { return (T##2)(f(x.x, from), f(x.y, from)); } \
    T##3 OVERLOAD CONVERGENT f(T##3 x, uint from) { return (T##3)(f(x.x, from), f(x.y, from), f(x.z, from)); } \
    T##4 OVERLOAD CONVERGENT f(T##4 x, uint from) { return (T##4)(f(x.lo, from), f(x.hi, from)); } \
    T##8 OVERLOAD CONVERGENT f(T##8 x, uint from) { return (T##8)(f(x.lo, from), f(x.hi, from)); } \
    T##16 OVERLOAD CONVERGENT f(T##16 x, uint from) { return (T##16)(f(x.lo, from), f(x.hi, from)); }
#define VECTORS(T, LEAST, MOST) VECTOR(sub_group_broadcast, T) VECTOR(sub_group_non_uniform_broadcast, T)
EACH_TYPE(VECTORS)
