// sub_group_barrier, sub_group_reduce_*, sub_group_scan_* (also of the types of cl_khr_subgroup_extended_types).
#include "builtins.h"
#include "sub_group.h"

// Memory needs no more than that the compiler keeps to the order: one thread runs a work-group.
void OVERLOAD CONVERGENT sub_group_barrier(cl_mem_fence_flags flags) { aqueduct_sub_group_meet(); }
void OVERLOAD CONVERGENT sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { aqueduct_sub_group_meet(); }

#define OPERATION(T, name, COMBINE, START, NEUTRAL) \
    OPERATOR(T, name, COMBINE, START, NEUTRAL) \
    REDUCE_AND_SCAN(T, sub_group_, name)

// The sum of nothing but -0 is -0.
#define OPERATIONS(T, LEAST, MOST) \
    OPERATION(T, add, ADD, 0, -(T)0) OPERATION(T, min, MIN, MOST, MOST) OPERATION(T, max, MAX, LEAST, LEAST)

EACH_TYPE(OPERATIONS)
