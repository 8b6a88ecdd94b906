// sinh, cosh, tanh and their inverses (OpenCL C 3.0 section 6.15.2; 4 ulp, tanh and atanh 5 ulp).
#include "builtins.h"
#ifndef F
#define BODY "hyperbolic.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "exp_core.h"
#include "log_core.h"

F OVERLOAD sinh(F x)
{
    F h = half_expm1(ABS(x));
    F y = h + h / FMA((F)2.0f, h, (F)1.0f);    // h = (e^|x| - 1) / 2; infinite 2h+1 is harmless
    y = sel(ABS(x) < 0x1p-12f, ABS(x), y);
    y = sel(h < INFINITY, y, h);
    return COPYSIGN(y, x);
}

F OVERLOAD cosh(F x)
{
    F h = half_expm1(ABS(x));
    return (h + 0.5f) + 0.5f / FMA((F)2.0f, h, (F)1.0f);
}

F OVERLOAD tanh(F x)
{
    F a = ABS(x);
    F h = half_expm1(sel(a > 10.0f, (F)20.0f, a + a));
    F y = h / (h + 1.0f);
    return COPYSIGN(sel(a < 0x1p-12f, a, y), x);
}

F OVERLOAD asinh(F x)
{
    F a = ABS(x), s = a * a;
    I big = a > 0x1p14f;
    F y = log1p_core(sel(big, a - 1.0f, a + s / (1.0f + __builtin_elementwise_sqrt(s + 1.0f))));
    y = y + sel(big, (F)M_LN2_F, (F)0.0f);
    y = sel(a < 0x1p-12f, a, y);
    return COPYSIGN(sel(a < INFINITY, y, a), x);
}

F OVERLOAD acosh(F x)
{
    F t = x - 1.0f;
    I big = x > 0x1p14f;
    F y = log1p_core(sel(big, t, t + __builtin_elementwise_sqrt(FMA(t, t, t + t))));
    y = y + sel(big, (F)M_LN2_F, (F)0.0f);
    y = sel(x < INFINITY, y, x);
    return sel(x < 1.0f, (F)NANF, y);
}

F OVERLOAD atanh(F x)
{
    F a = ABS(x);
    F y = 0.5f * log1p_core((a + a) / (1.0f - a));
    y = sel(a == 1.0f, (F)INFINITY, y);
    y = sel(a > 1.0f, (F)NANF, y);
    return COPYSIGN(sel(a < 0x1p-12f, a, y), x);
}
#elif N == 1
double OVERLOAD sinh(double x) { return __builtin_sinh(x); }
double OVERLOAD cosh(double x) { return __builtin_cosh(x); }
double OVERLOAD tanh(double x) { return __builtin_tanh(x); }
double OVERLOAD asinh(double x) { return __builtin_asinh(x); }
double OVERLOAD acosh(double x) { return __builtin_acosh(x); }
double OVERLOAD atanh(double x) { return __builtin_atanh(x); }
#else
F OVERLOAD sinh(F x) { return (F)(sinh(LO(x)), sinh(HI(x))); }
F OVERLOAD cosh(F x) { return (F)(cosh(LO(x)), cosh(HI(x))); }
F OVERLOAD tanh(F x) { return (F)(tanh(LO(x)), tanh(HI(x))); }
F OVERLOAD asinh(F x) { return (F)(asinh(LO(x)), asinh(HI(x))); }
F OVERLOAD acosh(F x) { return (F)(acosh(LO(x)), acosh(HI(x))); }
F OVERLOAD atanh(F x) { return (F)(atanh(LO(x)), atanh(HI(x))); }
#endif
