// fmod, remainder, remquo (OpenCL C 3.0 section 6.15.2; exact). The quotient of remquo has seven bits.
#include "builtins.h"
#ifndef F
#define BODY "fmod.cl"
#include "each_float.h"
#include "each_double.h"
#else

#if BITS == 32
#define FAR 0x1p22f
#define UP 24
#else
#define FAR 0x1p51
#define UP 53
#endif
#define TWO_TO(n) AS(F, (I)((I)((n) + E_BIAS) << (I)E_MANTISSA))

// a mod s for a/s < 4 FAR, and the whole quotient. Exact: a - n s is a multiple of the last bit of s and not above s. The
// rounded quotient may be one too big, which shows in the sign.
LOCAL F fmod_step(F a, F s, private F *quotient)
{
    F n = __builtin_elementwise_trunc(a / s), r = FMA(-n, s, a);
    I over = r < (E)0;
    *quotient = sel(over, n - (E)1, n);
    return sel(over, r + s, r);
}

// a mod b for finite a and b, b > 0, and the low bits of the quotient; NaN for others but b = inf. Nearly all arguments need
// one step; far ones first take some bits of the quotient at a time, with b times a power of two.
LOCAL F fmod_core(F a, F b, private U *quotient)
{
    U q = (U)0;
    F n;
    I far = a >= b * FAR;
    if (any_of(far)) {
        I eb = sel(b < (F)E_NORMAL, (AS(I, b * TWO_TO(UP)) >> (I)E_MANTISSA) - (I)UP, AS(I, b) >> (I)E_MANTISSA);
        do {
            I k = (AS(I, a) >> (I)E_MANTISSA) - eb - (I)(UP - 3);
            k = __builtin_elementwise_min(__builtin_elementwise_max(k, (I)0), (I)(2 * E_BIAS));
            I h = k >> (I)1;
            F r = fmod_step(a, b * TWO_TO(h) * TWO_TO(k - h), &n);
            U m = CVT(U, sel(far & (k < (I)8) & (n < 8 * FAR), n, (F)0));
            q += m << AS(U, (I)(k & (I)7));
            a = sel(far, r, a);
            far = a >= b * FAR;
        } while (any_of(far));
    }
    F r = fmod_step(a, b, &n);
    *quotient = q + CVT(U, sel(n < 8 * FAR, n, (F)0));
    return r;
}

F OVERLOAD fmod(F x, F y)
{
    U q;
    F b = ABS(y), r = fmod_core(ABS(x), b, &q);
    r = sel((b == INFINITY) & (ABS(x) < INFINITY), x, r);
    return COPYSIGN(r, x);
}

LOCAL F remquo_core(F x, F y, private CAT(int, W) *quotient)
{
    U q;
    F a = ABS(x), b = ABS(y), r = fmod_core(a, b, &q), rest = b - r;
    I odd = (q & (U)1) != (U)0;
    I up = (r > rest) | ((r == rest) & odd);
    r = sel(up, r - b, r);
    q = sel(up, q + (U)1, q) & (U)127;
    I whole = (b == INFINITY) & (a < INFINITY);
    r = sel(whole, a, r);
    q = sel(whole | (r != r), (U)0, q);
    I s = sel((AS(I, x) ^ AS(I, y)) < (I)0, -AS(I, q), AS(I, q));
    *quotient = CVT(CAT(int, W), s);
    return AS(F, (I)(AS(I, r) ^ (AS(I, x) & (I)((EI)1 << (BITS - 1)))));
}

F OVERLOAD remainder(F x, F y)
{
    CAT(int, W) q;
    return remquo_core(x, y, &q);
}

#define REMQUO(space) F OVERLOAD remquo(F x, F y, space CAT(int, W) *q) { CAT(int, W) i; F r = remquo_core(x, y, &i); *q = i; return r; }
EACH_SPACE(REMQUO)
#undef REMQUO
#undef FAR
#undef UP
#undef TWO_TO
#endif
