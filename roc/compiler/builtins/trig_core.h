// Argument reduction and kernels of sine and cosine. Read within a body.
#ifndef TRIG_CORE_H
#define TRIG_CORE_H
// Above this, reduction by three floats of pi/2 is not enough.
#define TRIG_BIG 0x1p17f
#endif

#define UL CAT(ulong, W)
#define D CAT(double, W)
#define PICK(a, b, c, d, e) sel(k == 0u, (U)(a), sel(k == 1u, (U)(b), sel(k == 2u, (U)(c), sel(k == 3u, (U)(d), (U)(e)))))

// Quadrant (mod 4) and remainder of x >= 2^17 by pi/2, after Payne and Hanek: of the bits of 2/pi only the 96 are used
// whose product with the 24-bit mantissa is not a multiple of 4 and still matters. Words come by selection, not from a
// table, so that this is plain vector code.
LOCAL I trig_reduce_big(F x, private F *r)
{
    U b = AS(U, x), m = (b & 0x7fffffu) | 0x800000u;
    U s = (b >> 23) - 120u, k = s >> 5;
    UL sh = CVT(UL, 32u - (s & 31u));
    UL w0 = CVT(UL, PICK(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u));
    UL w1 = CVT(UL, PICK(0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u));
    UL w2 = CVT(UL, PICK(0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u));
    UL w3 = CVT(UL, PICK(0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu));
    UL a = ((w0 << 32 | w1) >> sh) & 0xffffffffUL;
    UL c = ((w1 << 32 | w2) >> sh) & 0xffffffffUL;
    UL d = ((w2 << 32 | w3) >> sh) & 0xffffffffUL;
    UL ml = CVT(UL, m);
    UL p = (ml * a << 32) + ml * c + (ml * d >> 32);    // x * 2/pi mod 4, 62 bits of fraction
    UL q = (p + (1UL << 61)) >> 62;
    UL f = p << 2;
    D t = CVT(D, AS(I, CVT(U, f >> 32))) * 0x1p32 + CVT(D, CVT(U, f));
    *r = CVT(F, t * 0x1.921fb54442d18p-64);
    return AS(I, CVT(U, q));
}

// Quadrant of x, 0 <= x, and the remainder in [-pi/4, pi/4] but for rounding; NaN for infinity.
// Three floats of pi/2: the first product cancels exactly, since x and pi/2's first float are multiples of 2^-24.
LOCAL I trig_reduce(F x, private F *r)
{
    I big = x >= TRIG_BIG;
    F y = sel(big, (F)0.0f, x);
    F t = FMA(y, (F)0x1.45f306p-1f, (F)0x1.8p23f), n = t - 0x1.8p23f;
    F s = FMA(n, (F)0x1.ee59dap-50f, FMA(n, (F)0x1.777a5cp-25f, FMA(n, (F)-0x1.921fb6p+0f, y)));
    I q = AS(I, t);
    if (any_of(big)) {
        F sb;
        I qb = trig_reduce_big(x, &sb);
        sb = sel(x < INFINITY, sb, (F)NANF);
        s = sel(big, sb, s);
        q = sel(big, qb, q);
    }
    *r = s;
    return q;
}

// sin r for |r| <= 0.81, relative error 2^-27.6.
LOCAL F sin_poly(F r, F z)
{
    F p = FMA(FMA((F)-0x1.98d978p-13f, z, (F)0x1.1105fep-7f), z, (F)-0x1.555542p-3f);
    return FMA(r * z, p, r);
}

// cos r, z = r^2.
LOCAL F cos_poly(F z)
{
    F p = FMA(FMA((F)0x1.998a48p-16f, z, (F)-0x1.6c0adcp-10f), z, (F)0x1.555548p-5f);
    return FMA(z * z, p, FMA(z, (F)-0.5f, (F)1.0f));
}

#undef UL
#undef D
#undef PICK
