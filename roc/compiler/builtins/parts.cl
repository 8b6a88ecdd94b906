// Functions on the parts of a floating-point number (OpenCL C 3.0 section 6.15.2; exact): frexp, ldexp, ilogb, logb, modf, fract,
// nextafter, nan.
#include "builtins.h"
#ifndef F
#define BODY "parts.cl"
#include "each_floating.h"
#else

#define IW CAT(int, W)
#define EXPONENT ((I)((EI)(2 * E_BIAS + 1) << E_MANTISSA))
#define UP (E_MANTISSA + 2)
// x with the exponent field n.
#define WITH_EXPONENT(x, n) AS(F, (I)((AS(I, x) & ~EXPONENT) | (I)((n) << (I)E_MANTISSA)))
#define TWO_TO(n) AS(F, (I)((I)((n) + E_BIAS) << (I)E_MANTISSA))

// x times 2^*up, so that no denormal is left.
LOCAL F normal(F x, private I *up)
{
    I tiny = ABS(x) < (F)E_NORMAL;
    *up = sel(tiny, (I)UP, (I)0);
    return sel(tiny, x * TWO_TO(UP), x);
}

LOCAL I exponent(F x) { return (AS(I, x) & EXPONENT) >> (I)E_MANTISSA; }

// Zeros, infinities and NaNs have no parts.
LOCAL I no_parts(F x) { return (x == (F)0) | (ABS(x) == (F)INFINITY) | (x != x); }

LOCAL F frexp_(F x, private IW *e)
{
    I up, none = no_parts(x);
    F n = normal(x, &up);
    *e = CVT(IW, sel(none, (I)0, (I)(exponent(n) - up - (I)(E_BIAS - 1))));
    return sel(none, x, WITH_EXPONENT(n, (I)(E_BIAS - 1)));
}

F OVERLOAD ldexp(F x, IW k)
{
    I up, none = no_parts(x);
    F n = normal(x, &up);
    k = __builtin_elementwise_min(__builtin_elementwise_max(k, (IW)(-4 * E_BIAS)), (IW)(4 * E_BIAS));
    I e = exponent(n) - up + CVT(I, k), low = e < (I)1;
    // Below the normal numbers one product rounds.
    I field = __builtin_elementwise_max((I)(e + sel(low, (I)UP, (I)0)), (I)0);
    F y = WITH_EXPONENT(n, __builtin_elementwise_min(field, (I)(2 * E_BIAS)));
    y = sel(low, y * TWO_TO(-UP), y);
    y = sel(field == (I)0, COPYSIGN((F)0, x), y);
    y = sel(e > (I)(2 * E_BIAS), COPYSIGN((F)INFINITY, x), y);
    return sel(none, x, y);
}

IW OVERLOAD ilogb(F x)
{
    I up, none = no_parts(x), zero = x == (F)0;
    F n = normal(x, &up);
    IW e = CVT(IW, (I)(exponent(n) - up - (I)E_BIAS));
#if N == 1
    return sel(none, sel(zero, FP_ILOGB0, FP_ILOGBNAN), e);
#else
    return sel(CVT(IW, none), sel(CVT(IW, zero), (IW)FP_ILOGB0, (IW)FP_ILOGBNAN), e);
#endif
}

F OVERLOAD logb(F x)
{
    I up, none = no_parts(x);
    F n = normal(x, &up);
    F e = CVT(F, (I)(exponent(n) - up - (I)E_BIAS));
    return sel(none, sel(x == (F)0, (F)-INFINITY, ABS(x)), e);
}

LOCAL F modf_(F x, private F *whole)
{
    F t = __builtin_elementwise_trunc(x);
    *whole = t;
    return COPYSIGN(sel(ABS(x) == (F)INFINITY, (F)0, x - t), x);
}

LOCAL F fract_(F x, private F *whole)
{
    F t = __builtin_elementwise_floor(x), r = x - t, below_one = AS(F, (I)(AS(I, (F)1) - (I)1));
    *whole = t;
    r = sel(r > below_one, below_one, r);
    return sel(ABS(x) == (F)INFINITY, COPYSIGN((F)0, x), sel(x == (F)0, x, r));
}

#define POINTERS(space) \
    F OVERLOAD frexp(F x, space IW *e) { IW i; F r = frexp_(x, &i); *e = i; return r; } \
    F OVERLOAD modf(F x, space F *whole) { F w, r = modf_(x, &w); *whole = w; return r; } \
    F OVERLOAD fract(F x, space F *whole) { F w, r = fract_(x, &w); *whole = w; return r; }
EACH_SPACE(POINTERS)
#undef POINTERS

// Floats are ordered as their bits are, but for the sign.
F OVERLOAD nextafter(F x, F y)
{
    I i = AS(I, x), away = (I)((I)((ABS(y) > ABS(x)) & ((AS(I, y) ^ i) >= (I)0)));
    I step = sel(away, (I)1, (I)-1);
    F r = AS(F, (I)(i + step));
    F least = COPYSIGN(AS(F, (I)1), y);
    r = sel(x == (F)0, least, r);
    r = sel(x == y, y, r);
    return sel((x != x) | (y != y), x + y, r);
}

F OVERLOAD nan(U code)
{
    return AS(F, (U)((code & (U)(((EU)1 << (E_MANTISSA - 1)) - 1)) | AS(U, (I)(EXPONENT | (I)((EI)1 << (E_MANTISSA - 1))))));
}

#if N > 1
F OVERLOAD ldexp(F x, int k) { return ldexp(x, (IW)k); }
#endif
#undef IW
#undef EXPONENT
#undef UP
#undef WITH_EXPONENT
#undef TWO_TO
#endif
