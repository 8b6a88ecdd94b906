// What the functions of sub-groups are made of (OpenCL C 3.0 section 6.15.19): functions of lanes, and for their scalar form
// meetings of the work-items that are on the same path, who they are, and memory of three numbers for each work-item
// (workgroup/subgroup.go). One thread runs a sub-group: the first of those who meet does the work for all.
#ifndef SUB_GROUP_H
#define SUB_GROUP_H

#include "combine.h"

#define SIZE 16 // codeobject.SubGroupSize
#define CONVERGENT __attribute__((convergent))

// A function of lanes is an operation on registers where the lanes of a vector are a sub-group (workgroup/lanes.go). Elsewhere its
// body is inlined.
#define OF_LANES __attribute__((overloadable, convergent, nomerge))

__attribute__((convergent, nomerge)) void aqueduct_sub_group_meet(void);
uint aqueduct_sub_group_active(void);
__attribute__((const)) local char *aqueduct_sub_group_exchange(void);
uint DECLARE get_sub_group_id(void);
uint DECLARE get_sub_group_local_id(void);

LOCAL uint first_of(uint active) { return __builtin_ctz(active); }

// What each work-item gives, what it gets, and where the first of them works. Every work-item has places of its own, whatever the
// type: others, on another path, may be at a function of another type. The first two are apart, so that a work-item can give to the
// next function while others have not yet got from the last one.
#define PLACE(T, n, l) (*(local T *)(aqueduct_sub_group_exchange() + ((get_sub_group_id() * 3 + n) * SIZE + (l)) * sizeof(ulong)))
#define GIVEN(T, l) PLACE(T, 0, l)
#define GOT(T, l) PLACE(T, 1, l)
#define WORK(T, l) PLACE(T, 2, l)

// Loops stay loops: there are many copies of them in a kernel, and what takes time is to meet.
#define ROLLED _Pragma("clang loop unroll(disable) vectorize(disable)")
#define EACH_FROM(start, k) ROLLED for (uint k = start; k < SIZE; k++) if (active >> k & 1)

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

// Values are combined in the same order as in lanes (wfv/subgroup.go), so that floating-point numbers are rounded alike: all SIZE of
// them, a neutral one for each work-item that is not active.
#define GATHER(T, NEUTRAL) \
    ROLLED for (uint k = 0; k < SIZE; k++) \
        WORK(T, k) = active >> k & 1 ? GIVEN(T, k) : (T)(NEUTRAL)

// The first of each size values becomes what all of them make: the lower half is combined with the upper one, and so on.
#define FOLD(T, COMBINE, size) \
    ROLLED for (uint n = (size) / 2; n > 0; n /= 2) \
        ROLLED for (uint k = 0; k < SIZE; k++) \
            if ((k & (size) - 1) < n) WORK(T, k) = COMBINE(WORK(T, k), WORK(T, k + n))

// Each value becomes what it makes with those before: they reach it from the next, from two on, four and eight.
#define SWEEP(T, COMBINE) \
    ROLLED for (uint n = 1; n < SIZE; n *= 2) \
        ROLLED for (uint k = SIZE - 1; k >= n; k--) WORK(T, k) = COMBINE(WORK(T, k - n), WORK(T, k))

// The functions of lanes for an operator. START is what an exclusive scan gives the first work-item.
#define OPERATOR(T, name, COMBINE, START, NEUTRAL) \
    T OF_LANES aqueduct_lanes_reduce_##name(T x) \
    { \
        COLLECTIVE(T, GATHER(T, NEUTRAL); FOLD(T, COMBINE, SIZE); EACH_FROM(l, k) GOT(T, k) = WORK(T, 0)); \
        return GOT(T, l); \
    } \
    T OF_LANES aqueduct_lanes_inclusive_##name(T x) \
    { \
        COLLECTIVE(T, GATHER(T, NEUTRAL); SWEEP(T, COMBINE); EACH_FROM(l, k) GOT(T, k) = WORK(T, k)); \
        return GOT(T, l); \
    } \
    T OF_LANES aqueduct_lanes_exclusive_##name(T x) \
    { \
        COLLECTIVE(T, GATHER(T, NEUTRAL); SWEEP(T, COMBINE); EACH_FROM(l, k) GOT(T, k) = k > l ? WORK(T, k - 1) : (T)(START)); \
        return GOT(T, l); \
    }

// The functions of programs for them.
#define REDUCE_AND_SCAN(T, prefix, name) \
    T OVERLOAD CONVERGENT prefix##reduce_##name(T x) { return aqueduct_lanes_reduce_##name(x); } \
    T OVERLOAD CONVERGENT prefix##scan_inclusive_##name(T x) { return aqueduct_lanes_inclusive_##name(x); } \
    T OVERLOAD CONVERGENT prefix##scan_exclusive_##name(T x) { return aqueduct_lanes_exclusive_##name(x); }

#define EACH_TYPE(M) \
    M(char, CHAR_MIN, CHAR_MAX) M(uchar, 0, UCHAR_MAX) M(short, SHRT_MIN, SHRT_MAX) M(ushort, 0, USHRT_MAX) \
    M(int, INT_MIN, INT_MAX) M(uint, 0, UINT_MAX) M(long, LONG_MIN, LONG_MAX) M(ulong, 0, ULONG_MAX) EACH_FLOATING_TYPE(M)
#define EACH_INTEGER_TYPE(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong)
#define EACH_FLOATING_TYPE(M) M(half, -INFINITY, INFINITY) M(float, -INFINITY, INFINITY) M(double, -INFINITY, INFINITY)

// What work-item from % SIZE gives.
#define TAKES(T, LEAST, MOST) T OF_LANES aqueduct_lanes_take(T x, uint from);
EACH_TYPE(TAKES)
#undef TAKES

// A bit for each active work-item whose p is not zero.
uint OF_LANES aqueduct_lanes_ballot(int p);

#endif
