// sub_group_clustered_reduce_* (cl_khr_subgroup_clustered_reduce): neighbours, a power of two of them, have a result together.
#include "builtins.h"
#include "sub_group.h"

LOCAL uint clusters(uint size) { return size == 0 || size > SIZE ? SIZE : size; }

#define OPERATION(T, name, COMBINE, NEUTRAL) \
    T OF_LANES aqueduct_lanes_cluster_##name(T x, uint size) \
    { \
        COLLECTIVE(T, GATHER(T, NEUTRAL); FOLD(T, COMBINE, size); EACH_FROM(l, k) GOT(T, k) = WORK(T, k & -size)); \
        return GOT(T, l); \
    } \
    T OVERLOAD CONVERGENT sub_group_clustered_reduce_##name(T x, uint size) { return aqueduct_lanes_cluster_##name(x, clusters(size)); }

#define OPERATIONS(T, LEAST, MOST) \
    OPERATION(T, add, ADD, -(T)0) OPERATION(T, mul, MUL, 1) OPERATION(T, min, MIN, MOST) OPERATION(T, max, MAX, LEAST)
#define BITWISE(T) OPERATION(T, and, AND, -1) OPERATION(T, or, OR, 0) OPERATION(T, xor, XOR, 0)

EACH_TYPE(OPERATIONS)
EACH_INTEGER_TYPE(BITWISE)

#define LOGICAL(name) \
    int OVERLOAD CONVERGENT sub_group_clustered_reduce_logical_##name(int x, uint size) \
    { \
        return sub_group_clustered_reduce_##name((int)(x != 0), size); \
    }
LOGICAL(and) LOGICAL(or) LOGICAL(xor)
