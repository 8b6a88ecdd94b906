// sinpi, cospi, tanpi (OpenCL C 3.0 section 6.15.2; 4, 4 and 6 ulp).
#include "builtins.h"
#ifndef F
#define BODY "trig_pi.cl"
#include "each_float.h"
#include "each_double.h"
#else

// x = 2k + n/2 + r, all exact: n is 0 to 4, r from -1/4 to 1/4. 0 <= x; NaN for infinity.
LOCAL F pi_reduce(F x, private F *n)
{
    F t = x - (E)2 * __builtin_elementwise_floor(x * (E)0.5);
    *n = __builtin_elementwise_rint(t + t);
    return t - *n * (E)0.5;
}

#if BITS == 32
// sin(pi r), relative error 2^-27.9; cos(pi r).
LOCAL F pi_sin(F r)
{
    F z = r * r;
    F p = FMA((F)0x1.4be09ep-4f, z, (F)-0x1.32cb0ep-1f);
    p = FMA(p, z, (F)0x1.466bbcp+1f);
    p = FMA(p, z, (F)-0x1.4abbcep+2f);
    return FMA(r, (F)0x1.921fb6p+1f, r * FMA(p, z, (F)-0x1.777a5cp-24f));
}

LOCAL F pi_cos(F r)
{
    F z = r * r;
    F p = FMA((F)0x1.d9d57ep-3f, z, (F)-0x1.55c5e0p+0f);
    p = FMA(p, z, (F)0x1.03c1dep+2f);
    p = FMA(p, z, (F)-0x1.3bd3ccp+2f);
    return FMA(p, z, (F)1.0f);
}
#else
#include "trig_double.h"

LOCAL F pi_sin(F r)
{
    F y = r * M_PI;
    return sin_poly(y, y * y);
}

LOCAL F pi_cos(F r)
{
    F y = r * M_PI;
    return cos_poly(y * y);
}
#endif

// Whole numbers give zeros of x's sign (section 7.5.1).
F OVERLOAD sinpi(F x)
{
    F n, r = pi_reduce(ABS(x), &n);
    I odd = (n == (E)1) | (n == (E)3), negative = (n == (E)2) | (n == (E)3);
    F y = sel(odd, pi_cos(r), pi_sin(r));
    y = sel(negative & (y != (E)0), -y, y);
    return sel(AS(I, x) < (I)0, -y, y);
}

F OVERLOAD cospi(F x)
{
    F n, r = pi_reduce(ABS(x), &n);
    I odd = (n == (E)1) | (n == (E)3), negative = (n == (E)1) | (n == (E)2);
    F y = sel(odd, pi_sin(r), pi_cos(r));
    return sel(negative, (E)0 - y, y);
}

F OVERLOAD tanpi(F x)
{
    F n, r = pi_reduce(ABS(x), &n), s = pi_sin(r), c = pi_cos(r);
    I odd = (n == (E)1) | (n == (E)3);
    F y = sel(odd, -c, s) / sel(odd, s, c);
    y = sel((r == (E)0) & (n == (E)1), (F)INFINITY, y);
    y = sel((r == (E)0) & (n == (E)2), -(F)0, y);
    return sel(AS(I, x) < (I)0, -y, y);
}
#endif
