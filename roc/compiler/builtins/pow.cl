// pow, powr, pown, rootn (OpenCL C 3.0 section 6.15.2; 16 ulp). Special cases are those of section 7.5.1 and of C99 annex F.
#include "builtins.h"
#ifndef F
#define BODY "pow.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "exp_core.h"
#include "log_core.h"
#include "pow_core.h"

// The sign of x to an odd power.
LOCAL F pow_sign(F x, I odd, F y) { return AS(F, AS(I, y) ^ sel(odd, AS(I, x) & (int)0x80000000, (I)0)); }

F OVERLOAD pow(F x, F y)
{
    F r = pow_core(ABS(x), y, (F)0.0f), half_y = y * 0.5f;
    I whole = __builtin_elementwise_trunc(y) == y;
    r = pow_sign(x, whole & (__builtin_elementwise_trunc(half_y) != half_y), r);
    r = sel((x < 0.0f) & (x > -INFINITY) & (whole == 0), (F)NANF, r);
    r = sel((x != x) | (y != y), x + y, r);
    return sel((y == 0.0f) | (x == 1.0f), (F)1.0f, r);
}

F OVERLOAD powr(F x, F y)
{
    F r = pow_core(ABS(x), y, (F)0.0f);
    I zero = y == 0.0f, end = (x == 0.0f) | (x == INFINITY);
    r = sel(zero, (F)1.0f, r);
    r = sel((zero & end) | (x < 0.0f) | ((x == 1.0f) & (ABS(y) == INFINITY)), (F)NANF, r);
    return sel((x != x) | (y != y), x + y, r);
}

F OVERLOAD pown(F x, I n)
{
    I low = sel(ABS(n) > 0x1000000, n & 255, (I)0);   // n in two floats
    F y = CVT(F, n - low), dy = CVT(F, low);
    F r = pow_sign(x, (n & 1) != 0, pow_core(ABS(x), y, dy));
    r = sel(x != x, x, r);
    return sel(n == 0, (F)1.0f, r);
}

F OVERLOAD rootn(F x, I n)
{
    F d = CVT(F, n), y = 1.0f / d, dy = FMA(-y, d, (F)1.0f) * y;
    I odd = (n & 1) != 0;
    F r = pow_sign(x, odd, pow_core(ABS(x), y, dy));
    r = sel(x != x, x, r);
    return sel((n == 0) | ((x < 0.0f) & (odd == 0)), (F)NANF, r);
}
#elif N == 1
double OVERLOAD pow(double x, double y) { return __builtin_pow(x, y); }

double OVERLOAD powr(double x, double y)
{
    if (x < 0 || (y == 0 && (x == 0 || x == INFINITY)) || (x == 1 && __builtin_fabs(y) == INFINITY) || x != x)
        return __builtin_nan("");
    return y != y ? y : __builtin_pow(__builtin_fabs(x), y);
}

double OVERLOAD pown(double x, int n) { return __builtin_pow(x, (double)n); }

double OVERLOAD rootn(double x, int n)
{
    if (n == 0 || (x < 0 && !(n & 1)))
        return __builtin_nan("");
    double y = 1.0 / n, dy = __builtin_fma(-y, (double)n, 1.0) * y, r = __builtin_pow(__builtin_fabs(x), y);
    if (r > 0 && r < INFINITY && n != 1)
        r = __builtin_fma(r, dy * __builtin_log(__builtin_fabs(x)), r);
    return n & 1 ? __builtin_copysign(r, x) : r;
}
#else
F OVERLOAD pow(F x, F y) { return (F)(pow(LO(x), LO(y)), pow(HI(x), HI(y))); }
F OVERLOAD powr(F x, F y) { return (F)(powr(LO(x), LO(y)), powr(HI(x), HI(y))); }
F OVERLOAD pown(F x, CAT(int, W) y) { return (F)(pown(LO(x), LO(y)), pown(HI(x), HI(y))); }
F OVERLOAD rootn(F x, CAT(int, W) y) { return (F)(rootn(LO(x), LO(y)), rootn(HI(x), HI(y))); }
#endif
