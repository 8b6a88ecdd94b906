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
#if N == 1
double OVERLOAD sin(double x) { return __builtin_sin(x); }
double OVERLOAD cos(double x) { return __builtin_cos(x); }
double OVERLOAD tan(double x) { return __builtin_tan(x); }
#else
F OVERLOAD sin(F x) { return (F)(sin(LO(x)), sin(HI(x))); }
F OVERLOAD cos(F x) { return (F)(cos(LO(x)), cos(HI(x))); }
F OVERLOAD tan(F x) { return (F)(tan(LO(x)), tan(HI(x))); }
#endif

LOCAL F sincos_(F x, private F *c)
{
    *c = cos(x);
    return sin(x);
}
#endif

#ifdef F
#define SINCOS(space) F OVERLOAD sincos(F x, space F *cosine) { F c, s = sincos_(x, &c); *cosine = c; return s; }
EACH_SPACE(SINCOS)
#undef SINCOS
#endif
