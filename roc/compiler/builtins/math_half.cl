// Elementary functions of half (cl_khr_fp16), by those of float, whose errors vanish in the rounding to half.
#include "builtins.h"
#ifndef F
#define BODY "math_half.cl"
#include "each_half.h"
#else

#define S CAT(float, W)
#define IW CAT(int, W)
#define WIDE(x) CVT(S, x)
#define ONE(name) \
    S DECLARE name(S x); \
    F OVERLOAD name(F x) { return CVT(F, name(WIDE(x))); }
#define TWO(name) \
    S DECLARE name(S x, S y); \
    F OVERLOAD name(F x, F y) { return CVT(F, name(WIDE(x), WIDE(y))); }
#define WITH_INT(name) \
    S DECLARE name(S x, IW y); \
    F OVERLOAD name(F x, IW y) { return CVT(F, name(WIDE(x), y)); }

ONE(acos) ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan) ONE(atanh) ONE(atanpi) ONE(cbrt) ONE(cos) ONE(cosh) ONE(cospi)
ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(lgamma) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(rsqrt)
ONE(sin) ONE(sinh) ONE(sinpi) ONE(tan) ONE(tanh) ONE(tanpi) ONE(tgamma)
TWO(atan2) TWO(atan2pi) TWO(fmod) TWO(hypot) TWO(pow) TWO(powr) TWO(remainder)
WITH_INT(pown) WITH_INT(rootn)

S DECLARE sincos(S x, private S *cosine);
S DECLARE remquo(S x, S y, private IW *quotient);
S DECLARE lgamma_r(S x, private IW *sign);

#define POINTERS(space) \
    F OVERLOAD sincos(F x, space F *cosine) { S c, s = sincos(WIDE(x), &c); *cosine = CVT(F, c); return CVT(F, s); } \
    F OVERLOAD remquo(F x, F y, space IW *q) { IW i; S r = remquo(WIDE(x), WIDE(y), &i); *q = i; return CVT(F, r); } \
    F OVERLOAD lgamma_r(F x, space IW *sign) { IW i; S r = lgamma_r(WIDE(x), &i); *sign = i; return CVT(F, r); }
EACH_SPACE(POINTERS)

#undef S
#undef IW
#undef WIDE
#undef ONE
#undef TWO
#undef WITH_INT
#undef POINTERS
#endif
