// The exponential of a double: what exp_core.h is for float. Read within a body.
#ifndef EXP_DOUBLE_H
#define EXP_DOUBLE_H
#define ROUND_DOUBLE 0x1.8p52
#define ROUND_DOUBLE_BITS 0x4338000000000000L
#endif

// y * 2^n for -2044 <= n <= 2046, rounded once.
LOCAL F exp_scale(F y, I n)
{
    I h = n >> 1;
    return y * AS(F, (h + 1023) << 52) * AS(F, (n - h + 1023) << 52);
}

// e^r - 1 for |r| <= 0.35, relative error 2^-61.7 before rounding.
LOCAL F expm1_poly(F r)
{
    F q = FMA((F)0x1.1ee889e658d13p-29, r, (F)0x1.af5ea8735e7dap-26);
    q = FMA(q, r, (F)0x1.27e53642ed7adp-22);
    q = FMA(q, r, (F)0x1.71ddf863a354ep-19);
    q = FMA(q, r, (F)0x1.a01a017bb04f5p-16);
    q = FMA(q, r, (F)0x1.a01a01afdd987p-13);
    q = FMA(q, r, (F)0x1.6c16c16c1f0e6p-10);
    q = FMA(q, r, (F)0x1.111111110f6c4p-7);
    q = FMA(q, r, (F)0x1.555555555553ep-5);
    q = FMA(q, r, (F)0x1.5555555555559p-3);
    q = FMA(q, r, (F)0.5);
    return FMA(q, r * r, r);
}

// n of the reduction; *r = x - n ln 2. |x| must be below 2^20.
LOCAL I exp_reduce(F x, private F *r)
{
    F t = FMA(x, (F)M_LOG2E, (F)ROUND_DOUBLE), n = t - ROUND_DOUBLE;
    *r = FMA(n, (F)0x1.718432a1b0e26p-35, FMA(n, (F)-0x1.62e42ff000000p-1, x));
    return AS(I, t) - ROUND_DOUBLE_BITS;
}

LOCAL F exp_core(F x)
{
    x = sel(x > 710.0, (F)710.0, x);
    x = sel(x < -746.0, (F)-746.0, x);
    F r;
    I n = exp_reduce(x, &r);
    return exp_scale(expm1_poly(r) + 1.0, n);
}

// (e^x - 1) / 2, so that sinh need not overflow before its time.
LOCAL F half_expm1(F x)
{
    F c = sel(x > 710.6, (F)710.6, x);
    c = sel(c < -45.0, (F)-45.0, c);
    F r;
    I n = exp_reduce(c, &r);
    F s = AS(F, (n + 1021) << 52), h = FMA(s, expm1_poly(r), s - 0.25);
    return h + h;
}
