// sub_group_clustered_reduce_* (cl_khr_subgroup_clustered_reduce): neighbours, a power of two of them, have a result together.
#include "builtins.h"
#include "sub_group.h"

LOCAL uint clusters(uint size) { return size == 0 || size > SIZE ? SIZE : size; }

#define OPERATION(T, name, COMBINE) \
    T OVERLOAD CONVERGENT sub_group_clustered_reduce_##name(T x, uint size) \
    { \
        size = clusters(size); \
        COLLECTIVE(T, T r = x; uint previous = l; EACH_FROM(l, k) { \
            r = k == l || (k & -size) > previous ? GIVEN(T, k) : COMBINE(r, GIVEN(T, k)); \
            previous = k; \
            GOT(T, k & -size) = r; \
        }); \
        return GOT(T, l & -size); \
    }

#define OPERATIONS(T, LEAST, MOST) OPERATION(T, add, ADD) OPERATION(T, mul, MUL) OPERATION(T, min, MIN) OPERATION(T, max, MAX)
#define BITWISE(T) OPERATION(T, and, AND) OPERATION(T, or, OR) OPERATION(T, xor, XOR)

EACH_TYPE(OPERATIONS)
EACH_INTEGER_TYPE(BITWISE)

#define LOGICAL(name) \
    int OVERLOAD CONVERGENT sub_group_clustered_reduce_logical_##name(int x, uint size) \
    { \
        return sub_group_clustered_reduce_##name((int)(x != 0), size); \
    }
LOGICAL(and) LOGICAL(or) LOGICAL(xor)
