// Collective functions of work-groups (OpenCL C 3.0 section 6.15.16). One thread runs a work-group, so its first work-item does
// the work for all, in the order of the linear local ids.
#include "builtins.h"
#include "exchange.h"

// Runs BODY in the first work-item, with what the n work-items gave and will get.
#define COLLECTIVE(T, BODY) \
    local T *given = (local T *)aqueduct_exchange(); \
    size_t i = get_local_linear_id(), n = group_items(); \
    local T *got = (local T *)(aqueduct_exchange() + n * sizeof(ulong)); \
    given[i] = x; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (i == 0) { \
        BODY; \
    } \
    barrier(CLK_LOCAL_MEM_FENCE)

#define REDUCE(T, name, COMBINE) \
    T OVERLOAD __attribute__((convergent)) work_group_##name(T x) \
    { \
        COLLECTIVE(T, T r = given[0]; for (size_t k = 1; k < n; k++) r = COMBINE(r, given[k]); got[0] = r); \
        return got[0]; \
    }

#define SCAN(T, name, COMBINE, START) \
    T OVERLOAD __attribute__((convergent)) work_group_scan_inclusive_##name(T x) \
    { \
        COLLECTIVE(T, T r = given[0]; got[0] = r; for (size_t k = 1; k < n; k++) got[k] = r = COMBINE(r, given[k])); \
        return got[i]; \
    } \
    T OVERLOAD __attribute__((convergent)) work_group_scan_exclusive_##name(T x) \
    { \
        COLLECTIVE(T, T r = START; for (size_t k = 0; k < n; k++) { got[k] = r; r = COMBINE(r, given[k]); }); \
        return got[i]; \
    }

#define BROADCAST(T) \
    LOCAL __attribute__((convergent)) T broadcast(T x, size_t from) \
    { \
        COLLECTIVE(T, got[0] = given[from]); \
        return got[0]; \
    } \
    T OVERLOAD __attribute__((convergent)) work_group_broadcast(T x, size_t at) { return broadcast(x, at); } \
    T OVERLOAD __attribute__((convergent)) work_group_broadcast(T x, size_t at, size_t y) \
    { \
        return broadcast(x, y * get_local_size(0) + at); \
    } \
    T OVERLOAD __attribute__((convergent)) work_group_broadcast(T x, size_t at, size_t y, size_t z) \
    { \
        return broadcast(x, (z * get_local_size(1) + y) * get_local_size(0) + at); \
    }

#define TYPE(T, LEAST, MOST) \
    REDUCE(T, reduce_add, ADD) REDUCE(T, reduce_min, MIN) REDUCE(T, reduce_max, MAX) \
    SCAN(T, add, ADD, 0) SCAN(T, min, MIN, MOST) SCAN(T, max, MAX, LEAST) BROADCAST(T)

TYPE(int, INT_MIN, INT_MAX)
TYPE(uint, 0, UINT_MAX)
TYPE(long, LONG_MIN, LONG_MAX)
TYPE(ulong, 0, ULONG_MAX)
TYPE(half, -INFINITY, INFINITY)
TYPE(float, -INFINITY, INFINITY)
TYPE(double, -INFINITY, INFINITY)

#define VOTE(name, COMBINE) \
    int OVERLOAD __attribute__((convergent)) work_group_##name(int predicate) \
    { \
        int x = predicate != 0; \
        COLLECTIVE(int, int r = given[0]; for (size_t k = 1; k < n; k++) r = COMBINE(r, given[k]); got[0] = r); \
        return got[0]; \
    }

VOTE(all, AND)
VOTE(any, OR)
