// exp, exp2, exp10, expm1 (OpenCL C 3.0 section 6.15.2; 3 ulp).
#include "builtins.h"
#ifndef F
#define BODY "exp.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "exp_core.h"

F OVERLOAD exp(F x) { return exp_core(x); }

F OVERLOAD exp2(F x)
{
    x = sel(x > 129.0f, (F)129.0f, x);
    x = sel(x < -151.0f, (F)-151.0f, x);
    F t = x + ROUND, r = x - (t - ROUND);
    F p = FMA((F)0x1.41fbbcp-13f, r, (F)0x1.5f3e54p-10f);
    p = FMA(p, r, (F)0x1.3b2d4cp-7f);
    p = FMA(p, r, (F)0x1.c6aee8p-5f);
    p = FMA(p, r, (F)0x1.ebfbdcp-3f);
    p = FMA(p, r, (F)0x1.62e430p-1f);
    return exp_scale(FMA(p, r, (F)1.0f), AS(I, t) - ROUND_BITS);
}

F OVERLOAD exp10(F x)
{
    x = sel(x > 39.0f, (F)39.0f, x);
    x = sel(x < -46.0f, (F)-46.0f, x);
    F t = FMA(x, (F)0x1.a934f0p+1f, (F)ROUND), n = t - ROUND;
    F r = FMA(n, (F)-0x1.344136p-2f, x);      // log10(2) in two parts; r is exact but for its last bit
    r = FMA(n, (F)0x1.ec10c0p-27f, r);
    F p = FMA((F)0x1.a68b9cp-3f, r, (F)0x1.1584aap-1f);
    p = FMA(p, r, (F)0x1.2bd9d8p+0f);
    p = FMA(p, r, (F)0x1.046f68p+1f);
    p = FMA(p, r, (F)0x1.53524ap+1f);
    p = FMA(p, r, (F)0x1.26bb1cp+1f);
    return exp_scale(FMA(p, r, (F)1.0f), AS(I, t) - ROUND_BITS);
}

F OVERLOAD expm1(F x)
{
    F h = half_expm1(x);
    return sel(ABS(x) < 0x1p-25f, x, h + h);
}
#else
#include "exp_double.h"

F OVERLOAD exp(F x) { return exp_core(x); }

F OVERLOAD exp2(F x)
{
    x = sel(x > 1025.0, (F)1025.0, x);
    x = sel(x < -1076.0, (F)-1076.0, x);
    F t = x + ROUND_DOUBLE, r = (x - (t - ROUND_DOUBLE)) * M_LN2;
    return exp_scale(expm1_poly(r) + 1.0, AS(I, t) - ROUND_DOUBLE_BITS);
}

F OVERLOAD exp10(F x)
{
    x = sel(x > 309.0, (F)309.0, x);
    x = sel(x < -324.0, (F)-324.0, x);
    F t = FMA(x, (F)0x1.a934f0979a371p+1, (F)ROUND_DOUBLE), n = t - ROUND_DOUBLE;
    F r = FMA(n, (F)0x1.0c0219dc1da99p-39, FMA(n, (F)-0x1.3441350a00000p-2, x)) * M_LN10;
    return exp_scale(expm1_poly(r) + 1.0, AS(I, t) - ROUND_DOUBLE_BITS);
}

F OVERLOAD expm1(F x)
{
    F h = half_expm1(x);
    return sel(ABS(x) < 0x1p-54, x, h + h);
}
#endif
