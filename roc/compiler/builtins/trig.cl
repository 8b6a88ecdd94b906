// sin, cos, tan, sincos (OpenCL C 3.0 section 6.15.2; 4 ulp, tan 5 ulp), for every float.
#include "builtins.h"
#ifndef F
#define BODY "trig.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "trig_core.h"

F OVERLOAD sin(F x)
{
    F r;
    I q = trig_reduce(ABS(x), &r);
    F z = r * r;
    F y = sel((q & 1) != 0, cos_poly(z), sin_poly(r, z));
    return AS(F, AS(I, y) ^ ((q & 2) << 30) ^ (AS(I, x) & (int)0x80000000));
}

F OVERLOAD cos(F x)
{
    F r;
    I q = trig_reduce(ABS(x), &r);
    F z = r * r;
    F y = sel((q & 1) != 0, sin_poly(r, z), cos_poly(z));
    return AS(F, AS(I, y) ^ ((((q & 3) + 1) & 2) << 30));
}

LOCAL F sincos_(F x, private F *c)
{
    F r;
    I q = trig_reduce(ABS(x), &r);
    F z = r * r, sr = sin_poly(r, z), cr = cos_poly(z);
    I odd = (q & 1) != 0;
    *c = AS(F, AS(I, sel(odd, sr, cr)) ^ ((((q & 3) + 1) & 2) << 30));
    return AS(F, AS(I, sel(odd, cr, sr)) ^ ((q & 2) << 30) ^ (AS(I, x) & (int)0x80000000));
}

F OVERLOAD tan(F x)
{
    F r;
    I q = trig_reduce(ABS(x), &r);
    F z = r * r, s = sin_poly(r, z), c = cos_poly(z);
    I odd = (q & 1) != 0;
    F y = sel(odd, -c, s) / sel(odd, s, c);
    return AS(F, AS(I, y) ^ (AS(I, x) & (int)0x80000000));
}
#else
#include "trig_double.h"

// Few arguments are so large that libm must reduce them.
#define FAR 0x1p30
#if N == 1
LOCAL double far_sin(double x) { return __builtin_sin(x); }
LOCAL double far_cos(double x) { return __builtin_cos(x); }
LOCAL double far_tan(double x) { return __builtin_tan(x); }
#else
LOCAL F far_sin(F x) { return (F)(far_sin(LO(x)), far_sin(HI(x))); }
LOCAL F far_cos(F x) { return (F)(far_cos(LO(x)), far_cos(HI(x))); }
LOCAL F far_tan(F x) { return (F)(far_tan(LO(x)), far_tan(HI(x))); }
#endif

F OVERLOAD sin(F x)
{
    F a = ABS(x), r;
    I far = a >= FAR, q = trig_reduce(sel(far, (F)0.0, a), &r);
    F z = r * r, y = sel((q & 1) != 0, cos_poly(z), sin_poly(r, z));
    y = AS(F, AS(I, y) ^ ((q & 2) << 62) ^ (AS(I, x) & LONG_MIN));
    if (any_of(far))
        y = sel(far, far_sin(x), y);
    return y;
}

F OVERLOAD cos(F x)
{
    F a = ABS(x), r;
    I far = a >= FAR, q = trig_reduce(sel(far, (F)0.0, a), &r);
    F z = r * r, y = sel((q & 1) != 0, sin_poly(r, z), cos_poly(z));
    y = AS(F, AS(I, y) ^ ((((q & 3) + 1) & 2) << 62));
    if (any_of(far))
        y = sel(far, far_cos(x), y);
    return y;
}

F OVERLOAD tan(F x)
{
    F a = ABS(x), r;
    I far = a >= FAR, q = trig_reduce(sel(far, (F)0.0, a), &r), odd = (q & 1) != 0;
    F z = r * r, s = sin_poly(r, z), c = cos_poly(z);
    F y = sel(odd, -c, s) / sel(odd, s, c);
    y = AS(F, AS(I, y) ^ (AS(I, x) & LONG_MIN));
    if (any_of(far))
        y = sel(far, far_tan(x), y);
    return y;
}

LOCAL F sincos_(F x, private F *c)
{
    *c = cos(x);
    return sin(x);
}
#undef FAR
#endif

#ifdef F
#define SINCOS(space) F OVERLOAD sincos(F x, space F *cosine) { F c, s = sincos_(x, &c); *cosine = c; return s; }
EACH_SPACE(SINCOS)
#undef SINCOS
#endif
