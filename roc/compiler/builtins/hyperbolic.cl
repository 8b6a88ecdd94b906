// sinh, cosh, tanh and their inverses (OpenCL C 3.0 section 6.15.2; 4 ulp, tanh and atanh 5 ulp).
#include "builtins.h"
#ifndef F
#define BODY "hyperbolic.cl"
#include "each_float.h"
#include "each_double.h"
#else

// Below TINY the first term of the series is enough, above BIG the logarithm is; above FLAT tanh is 1.
#if BITS == 32
#include "exp_core.h"
#include "log_core.h"
#define TINY 0x1p-12
#define BIG 0x1p14
#define FLAT 10
#else
#include "exp_double.h"
#include "log_double.h"
#define TINY 0x1p-27
#define BIG 0x1p28
#define FLAT 20
#endif

F OVERLOAD sinh(F x)
{
    F h = half_expm1(ABS(x));
    F y = h + h / FMA((F)2, h, (F)1);    // h = (e^|x| - 1) / 2; infinite 2h+1 is harmless
    y = sel(ABS(x) < (E)TINY, ABS(x), y);
    y = sel(h < INFINITY, y, h);
    return COPYSIGN(y, x);
}

F OVERLOAD cosh(F x)
{
    F h = half_expm1(ABS(x));
    return (h + (E)0.5) + (E)0.5 / FMA((F)2, h, (F)1);
}

F OVERLOAD tanh(F x)
{
    F a = ABS(x);
    F h = half_expm1(sel(a > (E)FLAT, (F)(2 * FLAT), a + a));
    F y = h / (h + (E)1);
    return COPYSIGN(sel(a < (E)TINY, a, y), x);
}

F OVERLOAD asinh(F x)
{
    F a = ABS(x), s = a * a;
    I big = a > (E)BIG;
    F y = log1p_core(sel(big, a - (E)1, a + s / ((E)1 + __builtin_elementwise_sqrt(s + (E)1))));
    y = y + sel(big, (F)M_LN2, (F)0);
    y = sel(a < (E)TINY, a, y);
    return COPYSIGN(sel(a < INFINITY, y, a), x);
}

F OVERLOAD acosh(F x)
{
    F t = x - (E)1;
    I big = x > (E)BIG;
    F y = log1p_core(sel(big, t, t + __builtin_elementwise_sqrt(FMA(t, t, t + t))));
    y = y + sel(big, (F)M_LN2, (F)0);
    y = sel(x < INFINITY, y, x);
    return sel(x < (E)1, (F)NANF, y);
}

F OVERLOAD atanh(F x)
{
    F a = ABS(x);
    F y = (E)0.5 * log1p_core((a + a) / ((E)1 - a));
    y = sel(a == (E)1, (F)INFINITY, y);
    y = sel(a > (E)1, (F)NANF, y);
    return COPYSIGN(sel(a < (E)TINY, a, y), x);
}
#undef TINY
#undef BIG
#undef FLAT
#endif
