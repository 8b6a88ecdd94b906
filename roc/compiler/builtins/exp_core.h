// The exponential of a float: e^x = 2^n (1 + p) with n an integer and |x - n ln 2| <= ln 2 / 2. Read within a body.
// The polynomials are minimax for the relative error of the result (2^-28 for e^r - 1).

// ROUND is added to round to an integer in the low bits of the sum: its ulp is 1.
#ifndef EXP_CORE_H
#define EXP_CORE_H
#define ROUND 0x1.8p23f
#define ROUND_BITS 0x4b400000
#endif

// y * 2^n for -252 <= n <= 254, rounded once.
LOCAL F exp_scale(F y, I n)
{
    I h = n >> 1;
    return y * AS(F, (h + 127) << 23) * AS(F, (n - h + 127) << 23);
}

// e^r - 1 for |r| <= 0.35, relative error 2^-26 before rounding.
LOCAL F expm1_poly(F r)
{
    F q = FMA((F)0x1.6bebfap-10f, r, (F)0x1.1227b0p-7f);
    q = FMA(q, r, (F)0x1.555674p-5f);
    q = FMA(q, r, (F)0x1.5554b0p-3f);
    q = FMA(q, r, (F)0x1.fffffep-2f);
    return FMA(q, r * r, r);
}

// n of the reduction; *r = x - n ln 2. |x| must be below 2^21.
LOCAL I exp_reduce(F x, private F *r)
{
    F t = FMA(x, (F)M_LOG2E_F, (F)ROUND), n = t - ROUND;
    *r = FMA(n, (F)-0x1.7f7d1cp-20f, FMA(n, (F)-0x1.62e400p-1f, x));
    return AS(I, t) - ROUND_BITS;
}

LOCAL F exp_core(F x)
{
    x = sel(x > 89.0f, (F)89.0f, x);
    x = sel(x < -104.0f, (F)-104.0f, x);
    F r;
    I n = exp_reduce(x, &r);
    return exp_scale(expm1_poly(r) + 1.0f, n);
}

// (e^x - 1) / 2, so that sinh need not overflow before its time.
LOCAL F half_expm1(F x)
{
    F c = sel(x > 89.5f, (F)89.5f, x);
    c = sel(c < -20.0f, (F)-20.0f, c);
    F r;
    I n = exp_reduce(c, &r);
    F s = AS(F, (n + 125) << 23), h = FMA(s, expm1_poly(r), s - 0.25f);
    return h + h;
}
