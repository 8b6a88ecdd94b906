// What every file of the builtin library starts from: the types of OpenCL C and a few words of our own.
//
// A family that is the same for all vector widths is written once, in a body that is read again for each type:
//
//	#include "builtins.h"
//	#ifndef F                       // first reading
//	#define BODY "exp.cl"
//	#include "each_float.h"
//	#else                           // one reading for each type
//	F OVERLOAD exp(F x) { ... }
//	#endif
//
// In a body E is the element type, F its vector of N elements (N = 1: the scalar), I and U the signed and unsigned integer
// vectors of the same size, W the suffix of vector type names (empty, 2, 3, 4, 8, 16).
// A condition is what a comparison gives: 0 or 1 for scalars, 0 or -1 per element for vectors. sel(c, a, b), `c & d` and
// `c | d` mean the same on both, so bodies use these and no branches; all of it becomes vector code on any width. (`c ? a : b`
// does too, but only between variables and constants: clang branches around anything that costs to evaluate.)
#ifndef BUILTINS_H
#define BUILTINS_H

#include <opencl-c-base.h>

// Exactness arguments below count roundings, so contraction is off and fused operations are written out.
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma clang diagnostic ignored "-Wbitwise-conditional-parentheses"

#define OVERLOAD __attribute__((overloadable, always_inline))
#define DECLARE __attribute__((overloadable))
#define LOCAL static __attribute__((overloadable, always_inline, unused))

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT3(a, b, c) CAT(CAT(a, b), c)

#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#define ABS(x) __builtin_elementwise_abs(x)
#define COPYSIGN(x, s) __builtin_elementwise_copysign(x, s)
#define AS(T, x) __builtin_astype(x, T)
#define NANF __builtin_nanf("")

// M(space) for each address space a pointer argument may name; programs before OpenCL C 2.0 have no generic one.
#define EACH_SPACE(M) M(private) M(local) M(global) M(generic)

// sel(c, a, b): a where c holds, else b, both evaluated. any_of(c): whether c holds for any element.
#define SEL(T, C) LOCAL T sel(C c, T a, T b) { return c ? a : b; }
#define SEL_WIDTHS(T, C) SEL(T, int) SEL(T##2, C##2) SEL(T##3, C##3) SEL(T##4, C##4) SEL(T##8, C##8) SEL(T##16, C##16)
SEL_WIDTHS(char, char) SEL_WIDTHS(uchar, char) SEL_WIDTHS(short, short) SEL_WIDTHS(ushort, short) SEL_WIDTHS(half, short)
SEL_WIDTHS(int, int) SEL_WIDTHS(uint, int) SEL_WIDTHS(float, int)
SEL_WIDTHS(long, long) SEL_WIDTHS(ulong, long) SEL_WIDTHS(double, long)
#undef SEL
#undef SEL_WIDTHS

#define ANY_OF(T) \
    LOCAL bool any_of(T##2 c) { return (c.x | c.y) != 0; } \
    LOCAL bool any_of(T##3 c) { return (c.x | c.y | c.z) != 0; } \
    LOCAL bool any_of(T##4 c) { return any_of(c.lo | c.hi); } \
    LOCAL bool any_of(T##8 c) { return any_of(c.lo | c.hi); } \
    LOCAL bool any_of(T##16 c) { return any_of(c.lo | c.hi); }
LOCAL bool any_of(int c) { return c != 0; }
LOCAL bool any_of(long c) { return c != 0; }
ANY_OF(int) ANY_OF(long)
#undef ANY_OF

#endif
