// tgamma, lgamma, lgamma_r (OpenCL C 3.0 section 6.15.2; tgamma 16 ulp), by libm in double.
#include "builtins.h"
#ifndef F
double libm_lgamma_r(double x, private int *sign) __asm__("lgamma_r");
#define BODY "gamma.cl"
#include "each_float.h"
#include "each_double.h"
#else

#if N == 1
F OVERLOAD tgamma(F x) { return (F)__builtin_tgamma((double)x); }
LOCAL F lgamma_(F x, private int *sign) { return (F)libm_lgamma_r((double)x, sign); }
#else
F OVERLOAD tgamma(F x) { return (F)(tgamma(LO(x)), tgamma(HI(x))); }
LOCAL F lgamma_(F x, private CAT(int, W) *sign)
{
    CAT(int, W_LO) a;
    CAT(int, W_HI) b;
    F r = (F)(lgamma_(LO(x), &a), lgamma_(HI(x), &b));
    *sign = (CAT(int, W))(a, b);
    return r;
}
#endif

F OVERLOAD lgamma(F x)
{
    CAT(int, W) sign;
    return lgamma_(x, &sign);
}

#define POINTERS(space) F OVERLOAD lgamma_r(F x, space CAT(int, W) *sign) { CAT(int, W) i; F r = lgamma_(x, &i); *sign = i; return r; }
EACH_SPACE(POINTERS)
#undef POINTERS
#endif
