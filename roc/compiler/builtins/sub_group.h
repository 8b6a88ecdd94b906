// What the functions of sub-groups are made of (OpenCL C 3.0 section 6.15.19). The compiler provides meetings of the work-items
// that are on the same path, who they are, and memory of two numbers for each work-item (workgroup/subgroup.go). One thread runs
// a sub-group: the first of those who meet does the work for all.
#ifndef SUB_GROUP_H
#define SUB_GROUP_H

#include "combine.h"

#define SIZE 16 // codeobject.SubGroupSize
#define CONVERGENT __attribute__((convergent))

__attribute__((convergent, nomerge)) void aqueduct_sub_group_meet(void);
uint aqueduct_sub_group_active(void);
__attribute__((const)) local char *aqueduct_sub_group_exchange(void);
uint DECLARE get_sub_group_id(void);
uint DECLARE get_sub_group_local_id(void);

LOCAL uint first_of(uint active) { return __builtin_ctz(active); }

// What each work-item gives, and what it gets. Every work-item has places of its own, whatever the type: others, on another path,
// may be at a function of another type. The two are apart, so that a work-item can give to the next function while others have
// not yet got from the last one.
#define PLACE(T, n, l) (*(local T *)(aqueduct_sub_group_exchange() + ((get_sub_group_id() * 2 + n) * SIZE + (l)) * sizeof(ulong)))
#define GIVEN(T, l) PLACE(T, 0, l)
#define GOT(T, l) PLACE(T, 1, l)

#define EACH_FROM(start, k) for (uint k = start; k < SIZE; k++) if (active >> k & 1)

// Has all give x and runs BODY in the first work-item, l, of those that are active.
#define COLLECTIVE(T, BODY) \
    uint l = get_sub_group_local_id(); \
    GIVEN(T, l) = x; \
    aqueduct_sub_group_meet(); \
    uint active = aqueduct_sub_group_active(); \
    if (l == first_of(active)) { \
        BODY; \
    } \
    aqueduct_sub_group_meet()

#define REDUCE(function, T, COMBINE) \
    T OVERLOAD CONVERGENT function(T x) \
    { \
        COLLECTIVE(T, T r = x; EACH_FROM(l + 1, k) r = COMBINE(r, GIVEN(T, k)); EACH_FROM(l, k) GOT(T, k) = r); \
        return GOT(T, l); \
    }

#define INCLUSIVE(function, T, COMBINE) \
    T OVERLOAD CONVERGENT function(T x) \
    { \
        COLLECTIVE(T, T r = x; GOT(T, l) = x; EACH_FROM(l + 1, k) GOT(T, k) = r = COMBINE(r, GIVEN(T, k))); \
        return GOT(T, l); \
    }

#define EXCLUSIVE(function, T, COMBINE, START) \
    T OVERLOAD CONVERGENT function(T x) \
    { \
        COLLECTIVE(T, T r = START; EACH_FROM(l, k) { GOT(T, k) = r; r = COMBINE(r, GIVEN(T, k)); }); \
        return GOT(T, l); \
    }

#define EACH_TYPE(M) \
    M(char, CHAR_MIN, CHAR_MAX) M(uchar, 0, UCHAR_MAX) M(short, SHRT_MIN, SHRT_MAX) M(ushort, 0, USHRT_MAX) \
    M(int, INT_MIN, INT_MAX) M(uint, 0, UINT_MAX) M(long, LONG_MIN, LONG_MAX) M(ulong, 0, ULONG_MAX) EACH_FLOATING_TYPE(M)
#define EACH_INTEGER_TYPE(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong)
#define EACH_FLOATING_TYPE(M) M(half, -INFINITY, INFINITY) M(float, -INFINITY, INFINITY) M(double, -INFINITY, INFINITY)

#endif
