// The logarithm of a double: what log_core.h is for float, by the method of fdlibm. Read within a body.

// e, as a double; *f. x > 0, denormals included.
LOCAL F log_split(F x, private F *f)
{
    I tiny = x < 0x1p-1022;
    I i = AS(I, sel(tiny, x * 0x1p52, x));
    I k = (i - 0x3fe6a09e667f3bcdL) & (I)0xfff0000000000000L;
    *f = AS(F, i - k) - 1.0;
    // k/2^52 becomes a double by way of its bits, since vectors of 64-bit integers convert badly.
    return AS(F, (k >> 52) + 0x4338000000000000L) - sel(tiny, (F)(0x1.8p52 + 52.0), (F)0x1.8p52);
}

// log(1+f) = f - *half_square + the result, where s = f/(2+f) and the result is s (f^2/2 + p(s^2)).
LOCAL F log_rest(F f, private F *half_square)
{
    F s = f / (2.0 + f), z = s * s, h = 0.5 * f * f;
    F p = FMA((F)0x1.2f112df3e5244p-3, z, (F)0x1.39a09d078c69fp-3);
    p = FMA(p, z, (F)0x1.7466496cb03dep-3);
    p = FMA(p, z, (F)0x1.c71c51d8e78afp-3);
    p = FMA(p, z, (F)0x1.2492494229359p-2);
    p = FMA(p, z, (F)0x1.999999997fa04p-2);
    p = FMA(p, z, (F)0x1.5555555555593p-1);
    *half_square = h;
    return s * FMA(p, z, h);
}

// log(1+f) + e log 2.
LOCAL F log_sum(F e, F f)
{
    F h, r = log_rest(f, &h);
    F y = f - (h - FMA(e, (F)0x1.a39ef35793c76p-33, r));
    return FMA(e, (F)0x1.62e42fee00000p-1, y);
}

// log(1+f) in two parts: the sum, and *lo.
LOCAL F log_parts(F f, private F *lo)
{
    F h, r = log_rest(f, &h);
    F hi = f - h;
    *lo = ((f - hi) - h) + r;
    return hi;
}

// y for ordinary x, else what IEEE 754 and annex F of C99 say: -inf for zeros, NaN below.
LOCAL F log_special(F x, F y)
{
    y = sel(x < INFINITY, y, x);
    y = sel(x < 0.0, (F)__builtin_nan(""), y);
    return sel(x == 0.0, (F)-INFINITY, y);
}

// log(1+x) for -1 < x < inf.
LOCAL F log1p_core(F x)
{
    F u = 1.0 + x;
    I k = (AS(I, u) - 0x3fe6a09e667f3bcdL) & (I)0xfff0000000000000L;
    F s = AS(F, 0x4010000000000000L - k);
    F f = FMA(x * 0.25, s, FMA(s, (F)0.25, (F)-1.0)), e = AS(F, (k >> 52) + 0x4338000000000000L) - 0x1.8p52;
    return log_sum(e, f);
}
