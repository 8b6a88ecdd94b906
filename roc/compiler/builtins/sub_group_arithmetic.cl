// sub_group_non_uniform_reduce_* and sub_group_non_uniform_scan_* (cl_khr_subgroup_non_uniform_arithmetic).
#include "builtins.h"
#include "sub_group.h"

#define OPERATION(T, name, COMBINE, START) \
    REDUCE(sub_group_non_uniform_reduce_##name, T, COMBINE) \
    INCLUSIVE(sub_group_non_uniform_scan_inclusive_##name, T, COMBINE) \
    EXCLUSIVE(sub_group_non_uniform_scan_exclusive_##name, T, COMBINE, START)

#define OPERATIONS(T, LEAST, MOST) \
    OPERATION(T, add, ADD, 0) OPERATION(T, mul, MUL, 1) OPERATION(T, min, MIN, MOST) OPERATION(T, max, MAX, LEAST)
#define BITWISE(T) OPERATION(T, and, AND, (T)-1) OPERATION(T, or, OR, 0) OPERATION(T, xor, XOR, 0)

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
