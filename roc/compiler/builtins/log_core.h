// The logarithm of a float: x = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2). Read within a body.

// e, as a float; *f. x > 0, denormals included.
LOCAL F log_split(F x, private F *f)
{
    I tiny = x < 0x1p-126f;
    I i = AS(I, sel(tiny, x * 0x1p23f, x));
    I k = (i - 0x3f3504f3) & (int)0xff800000;
    *f = AS(F, i - k) - 1.0f;
    return CVT(F, (k >> 23) - sel(tiny, (I)23, (I)0));
}

// (log(1+f) - f) / f^2; relative error of the logarithm 2^-25.
LOCAL F log_poly(F f)
{
    F q = FMA((F)0x1.65c78cp-4f, f, (F)-0x1.2504a4p-3f);
    q = FMA(q, f, (F)0x1.318524p-3f);
    q = FMA(q, f, (F)-0x1.535d2ep-3f);
    q = FMA(q, f, (F)0x1.98d2c0p-3f);
    q = FMA(q, f, (F)-0x1.00049ap-2f);
    q = FMA(q, f, (F)0x1.5556f4p-2f);
    return FMA(q, f, (F)-0x1.fffffap-2f);
}

// y for ordinary x, else what IEEE 754 and annex F of C99 say: -inf for zeros, NaN below.
LOCAL F log_special(F x, F y)
{
    y = sel(x < INFINITY, y, x);
    y = sel(x < 0.0f, (F)NANF, y);
    return sel(x == 0.0f, (F)-INFINITY, y);
}

// log(1+x) for -1 < x < inf. 1 + x = 2^e (1 + f), where f = x/2^e + (1/2^e - 1) is rounded once; by quarters, since 2^-128
// is no normal number.
LOCAL F log1p_core(F x)
{
    F u = 1.0f + x;
    I k = (AS(I, u) - 0x3f3504f3) & (int)0xff800000;
    F s = AS(F, 0x40800000 - k);
    F f = FMA(x * 0.25f, s, FMA(s, (F)0.25f, (F)-1.0f)), e = CVT(F, k >> 23);
    F y = FMA(e, (F)0x1.7f7d1cp-20f, f * f * log_poly(f)) + f;
    return FMA(e, (F)0x1.62e400p-1f, y);
}
