// rsqrt, cbrt, hypot (OpenCL C 3.0 section 6.15.2; 2, 2 and 4 ulp).
#include "builtins.h"
#ifndef F
#define BODY "roots.cl"
#include "each_float.h"
#include "each_double.h"
#else

F OVERLOAD rsqrt(F x) { return (E)1 / __builtin_elementwise_sqrt(x); }

// The magnitudes are scaled so that no square overflows, or loses bits that matter.
F OVERLOAD hypot(F x, F y)
{
    F a = ABS(x), b = ABS(y);
    F m = __builtin_elementwise_max(a, b), n = __builtin_elementwise_min(a, b);
    I big = m > (F)E_BIG, tiny = m < (F)E_SMALL;
    F up = sel(big, (F)E_DOWN, sel(tiny, (F)E_UP, (F)1));
    F down = sel(big, (F)E_UP, sel(tiny, (F)E_DOWN, (F)1));
    m = m * up;
    n = n * up;
    F r = __builtin_elementwise_sqrt(FMA(m, m, n * n)) * down;
    r = sel((x != x) | (y != y), x + y, r);
    return sel((a == INFINITY) | (b == INFINITY), (F)INFINITY, r);
}

#if BITS == 32
#define THIRD_OF_BIAS 0x54a2fa8c
#define STEPS 2
#else
#define THIRD_OF_BIAS 0x553ef0ff289dd796
#define STEPS 3
#endif

// Steps of Halley's method for x^(-1/3) from a third of the exponent, then one for x^(1/3) with an exact residual.
F OVERLOAD cbrt(F x)
{
    F a = ABS(x);
    I tiny = a < (F)(E_NORMAL * 0x1p26);
    F s = sel(tiny, a * (E)0x1p60, a);
    F r = AS(F, (I)THIRD_OF_BIAS - AS(I, s) / 3);
    for (int i = 0; i < STEPS; i++) {
        F e = FMA(-s * r, r * r, (F)1);
        r = FMA(r * e, FMA(e, (F)(2.0 / 9), (F)(1.0 / 3)), r);
    }
    F y = s * r * r, y2 = y * y;
    F residual = FMA(y2, y, -s) + FMA(y, y, -y2) * y;
    y = FMA(residual, r * r * (E)(-1.0 / 3), y);
    y = sel(tiny, y * (E)0x1p-20, y);
    return COPYSIGN(sel((a == (E)0) | (a == INFINITY) | (a != a), a, y), x);
}
#undef THIRD_OF_BIAS
#undef STEPS
#endif
