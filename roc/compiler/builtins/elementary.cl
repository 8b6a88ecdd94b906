// What rounds once or not at all (OpenCL C 3.0 section 6.15.2): ceil, floor, rint, round, trunc, fabs, copysign, fmin, fmax,
// fdim, fma, mad, maxmag, minmag, sqrt.
#include "builtins.h"
#ifndef F
#define BODY "elementary.cl"
#include "each_floating.h"
#else

F OVERLOAD ceil(F x) { return __builtin_elementwise_ceil(x); }
F OVERLOAD floor(F x) { return __builtin_elementwise_floor(x); }
F OVERLOAD rint(F x) { return __builtin_elementwise_rint(x); }
F OVERLOAD round(F x) { return __builtin_elementwise_round(x); }
F OVERLOAD trunc(F x) { return __builtin_elementwise_trunc(x); }
F OVERLOAD fabs(F x) { return ABS(x); }
F OVERLOAD sqrt(F x) { return __builtin_elementwise_sqrt(x); }
F OVERLOAD copysign(F x, F y) { return COPYSIGN(x, y); }
F OVERLOAD fmin(F x, F y) { return __builtin_elementwise_min(x, y); }
F OVERLOAD fmax(F x, F y) { return __builtin_elementwise_max(x, y); }
F OVERLOAD fdim(F x, F y) { return sel((x > y) | (x != x) | (y != y), x - y, (F)0); }

F OVERLOAD maxmag(F x, F y)
{
    F a = ABS(x), b = ABS(y), m = __builtin_elementwise_max(x, y);
    return sel(a > b, x, sel(b > a, y, m));
}

F OVERLOAD minmag(F x, F y)
{
    F a = ABS(x), b = ABS(y), m = __builtin_elementwise_min(x, y);
    return sel(a < b, x, sel(b < a, y, m));
}

#if BITS == 16
// Products of halves are exact in double, and so are sums that are neither halves nor far from a tie.
F DECLARE CAT(convert_, F)(CAT(double, W) x);

F OVERLOAD fma(F a, F b, F c)
{
    CAT(double, W) x = CVT(CAT(double, W), a), y = CVT(CAT(double, W), b), z = CVT(CAT(double, W), c);
    return CAT(convert_, F)(FMA(x, y, z));
}
#else
F OVERLOAD fma(F a, F b, F c) { return FMA(a, b, c); }
#endif

F OVERLOAD mad(F a, F b, F c)
{
#pragma OPENCL FP_CONTRACT ON
    return a * b + c;
}

#if N > 1
F OVERLOAD fmin(F x, E y) { return __builtin_elementwise_min(x, (F)y); }
F OVERLOAD fmax(F x, E y) { return __builtin_elementwise_max(x, (F)y); }
#endif
#endif
