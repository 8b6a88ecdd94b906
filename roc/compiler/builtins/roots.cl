// rsqrt, cbrt, hypot (OpenCL C 3.0 section 6.15.2; 2, 2 and 4 ulp).
#include "builtins.h"
#ifndef F
#define BODY "roots.cl"
#include "each_float.h"
#include "each_double.h"
#else

F OVERLOAD rsqrt(F x) { return (E)1 / __builtin_elementwise_sqrt(x); }

#if BITS == 32
// The magnitudes are scaled so that no square overflows, or loses bits that matter.
F OVERLOAD hypot(F x, F y)
{
    F a = ABS(x), b = ABS(y);
    F m = __builtin_elementwise_max(a, b), n = __builtin_elementwise_min(a, b);
    I big = m > 0x1p60f, tiny = m < 0x1p-40f;
    F up = sel(big, (F)0x1p-70f, sel(tiny, (F)0x1p90f, (F)1.0f));
    F down = sel(big, (F)0x1p70f, sel(tiny, (F)0x1p-90f, (F)1.0f));
    m = m * up;
    n = n * up;
    F r = __builtin_elementwise_sqrt(FMA(m, m, n * n)) * down;
    r = sel((x != x) | (y != y), x + y, r);
    return sel((a == INFINITY) | (b == INFINITY), (F)INFINITY, r);
}

// Two steps of Halley's method for x^(-1/3) from a third of the exponent, then one for x^(1/3) with an exact residual.
F OVERLOAD cbrt(F x)
{
    F a = ABS(x);
    I tiny = a < 0x1p-100f;
    F s = sel(tiny, a * 0x1p60f, a);
    F r = AS(F, (I)0x54a2fa8c - AS(I, s) / 3);
    for (int i = 0; i < 2; i++) {
        F e = FMA(-s * r, r * r, (F)1.0f);
        r = FMA(r * e, FMA(e, (F)0x1.c71c72p-3f, (F)0x1.555556p-2f), r);
    }
    F y = s * r * r, y2 = y * y;
    F residual = FMA(y2, y, -s) + FMA(y, y, -y2) * y;
    y = FMA(residual, r * r * -0x1.555556p-2f, y);
    y = sel(tiny, y * 0x1p-20f, y);
    return COPYSIGN(sel((a == 0.0f) | (a == INFINITY) | (a != a), a, y), x);
}
#elif N == 1
double OVERLOAD hypot(double x, double y) { return __builtin_hypot(x, y); }
double OVERLOAD cbrt(double x) { return __builtin_cbrt(x); }
#else
F OVERLOAD hypot(F x, F y) { return (F)(hypot(LO(x), LO(y)), hypot(HI(x), HI(y))); }
F OVERLOAD cbrt(F x) { return (F)(cbrt(LO(x)), cbrt(HI(x))); }
#endif
#endif
