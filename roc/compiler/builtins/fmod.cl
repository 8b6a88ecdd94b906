// fmod, remainder, remquo (OpenCL C 3.0 section 6.15.2; exact). The quotient of remquo has seven bits.
#include "builtins.h"
#ifndef F
#define BODY "fmod.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "exp_core.h"

// a mod s for a/s < 2^24, and the whole quotient. Exact: a - n s is a multiple of the last bit of s and not above s. The
// rounded quotient may be one too big, which shows in the sign.
LOCAL F fmod_step(F a, F s, private F *quotient)
{
    F n = __builtin_elementwise_trunc(a / s), r = FMA(-n, s, a);
    I over = r < 0.0f;
    *quotient = sel(over, n - 1.0f, n);
    return sel(over, r + s, r);
}

// a mod b for finite a and b, b > 0, and the low bits of the quotient; NaN for others but b = inf. Nearly all arguments need
// one step; far ones first take some 22 bits of the quotient at a time.
LOCAL F fmod_core(F a, F b, private U *quotient)
{
    U q = (U)0u;
    F n;
    I far = a >= b * 0x1p22f;
    if (any_of(far)) {
        I eb = sel(b < 0x1p-126f, (AS(I, b * 0x1p24f) >> 23) - 24, AS(I, b) >> 23);
        do {
            I k = (AS(I, a) >> 23) - eb - 21;
            k = __builtin_elementwise_min(__builtin_elementwise_max(k, (I)0), (I)253);
            F r = fmod_step(a, exp_scale(b, k), &n);
            U m = CVT(U, sel(far & (k < 8) & (n < 0x1p25f), n, (F)0.0f));
            q += m << AS(U, k & 7);
            a = sel(far, r, a);
            far = a >= b * 0x1p22f;
        } while (any_of(far));
    }
    F r = fmod_step(a, b, &n);
    *quotient = q + CVT(U, sel(n < 0x1p25f, n, (F)0.0f));
    return r;
}

F OVERLOAD fmod(F x, F y)
{
    U q;
    F b = ABS(y), r = fmod_core(ABS(x), b, &q);
    r = sel((b == INFINITY) & (ABS(x) < INFINITY), x, r);
    return COPYSIGN(r, x);
}

LOCAL F remquo_core(F x, F y, private I *quotient)
{
    U q;
    F a = ABS(x), b = ABS(y), r = fmod_core(a, b, &q), rest = b - r;
    I up = (r > rest) | ((r == rest) & AS(I, (q & 1u) != 0u));
    r = sel(up, r - b, r);
    q = sel(up, q + 1u, q) & 127u;
    I whole = (b == INFINITY) & (a < INFINITY);
    r = sel(whole, a, r);
    q = sel(whole | (r != r), (U)0u, q);
    *quotient = sel((AS(I, x) ^ AS(I, y)) < 0, -AS(I, q), AS(I, q));
    return AS(F, AS(I, r) ^ (AS(I, x) & (int)0x80000000));
}

F OVERLOAD remainder(F x, F y)
{
    I q;
    return remquo_core(x, y, &q);
}
#else
#if N == 1
double OVERLOAD fmod(double x, double y) { return __builtin_fmod(x, y); }
double OVERLOAD remainder(double x, double y) { return __builtin_remainder(x, y); }
LOCAL double remquo_core(double x, double y, private int *quotient)
{
    int q = 0;
    double r = __builtin_remquo(x, y, &q);
    *quotient = r != r ? 0 : q < 0 ? -(-q & 127) : q & 127;
    return r;
}
#else
F OVERLOAD fmod(F x, F y) { return (F)(fmod(LO(x), LO(y)), fmod(HI(x), HI(y))); }
F OVERLOAD remainder(F x, F y) { return (F)(remainder(LO(x), LO(y)), remainder(HI(x), HI(y))); }
LOCAL F remquo_core(F x, F y, private CAT(int, W) *quotient)
{
    CAT(int, W_LO) a;
    CAT(int, W_HI) b;
    F r = (F)(remquo_core(LO(x), LO(y), &a), remquo_core(HI(x), HI(y), &b));
    *quotient = (CAT(int, W))(a, b);
    return r;
}
#endif
#endif

#ifdef F
#define REMQUO(space) F OVERLOAD remquo(F x, F y, space CAT(int, W) *q) { CAT(int, W) i; F r = remquo_core(x, y, &i); *q = i; return r; }
EACH_SPACE(REMQUO)
#undef REMQUO
#endif
