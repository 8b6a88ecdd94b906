// sub_group_non_uniform_reduce_* and sub_group_non_uniform_scan_* (cl_khr_subgroup_non_uniform_arithmetic).
#include "builtins.h"
#include "sub_group.h"

#define SAME(T, name) \
    T OF_LANES aqueduct_lanes_reduce_##name(T x); \
    T OF_LANES aqueduct_lanes_inclusive_##name(T x); \
    T OF_LANES aqueduct_lanes_exclusive_##name(T x); \
    REDUCE_AND_SCAN(T, sub_group_non_uniform_, name)
#define OPERATION(T, name, COMBINE, NEUTRAL) \
    OPERATOR(T, name, COMBINE, NEUTRAL, NEUTRAL) \
    REDUCE_AND_SCAN(T, sub_group_non_uniform_, name)

#define OPERATIONS(T, LEAST, MOST) SAME(T, add) SAME(T, min) SAME(T, max) OPERATION(T, mul, MUL, 1)
#define BITWISE(T) OPERATION(T, and, AND, -1) OPERATION(T, or, OR, 0) OPERATION(T, xor, XOR, 0)

EACH_TYPE(OPERATIONS)
EACH_INTEGER_TYPE(BITWISE)

#define LOGICAL(name) \
    int OVERLOAD CONVERGENT sub_group_non_uniform_reduce_logical_##name(int x) { return sub_group_non_uniform_reduce_##name((int)(x != 0)); } \
    int OVERLOAD CONVERGENT sub_group_non_uniform_scan_inclusive_logical_##name(int x) \
    { \
        return sub_group_non_uniform_scan_inclusive_##name((int)(x != 0)); \
    } \
    int OVERLOAD CONVERGENT sub_group_non_uniform_scan_exclusive_logical_##name(int x) \
    { \
        return sub_group_non_uniform_scan_exclusive_##name((int)(x != 0)) != 0; \
    }
LOGICAL(and) LOGICAL(or) LOGICAL(xor)
