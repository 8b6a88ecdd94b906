// Argument reduction and kernels of sine and cosine of double: what trig_core.h is for float. Read within a body.

// Quadrant of x, 0 <= x < 2^30, and the remainder in [-pi/4, pi/4] but for rounding.
LOCAL I trig_reduce(F x, private F *r)
{
    F t = FMA(x, (F)M_2_PI, (F)0x1.8p52), n = t - 0x1.8p52;
    *r = FMA(n, (F)0x1.f1976b7ed8fbcp-110, FMA(n, (F)-0x1.1a62633145c07p-54, FMA(n, (F)-M_PI_2, x)));
    return AS(I, t);
}

LOCAL F sin_poly(F r, F z)
{
    F p = FMA((F)0x1.5d93a5acfd57cp-33, z, (F)-0x1.ae5e68a2b9cebp-26);
    p = FMA(p, z, (F)0x1.71de357b1fe7dp-19);
    p = FMA(p, z, (F)-0x1.a01a019c161d5p-13);
    p = FMA(p, z, (F)0x1.111111110f8a6p-7);
    p = FMA(p, z, (F)-0x1.5555555555549p-3);
    return FMA(r * z, p, r);
}

LOCAL F cos_poly(F z)
{
    F p = FMA((F)-0x1.8fae9be8838d4p-37, z, (F)0x1.1ee9ebdb4b1c4p-29);
    p = FMA(p, z, (F)-0x1.27e4f809c52adp-22);
    p = FMA(p, z, (F)0x1.a01a019cb1590p-16);
    p = FMA(p, z, (F)-0x1.6c16c16c15177p-10);
    p = FMA(p, z, (F)0x1.555555555554cp-5);
    return FMA(z * z, p, FMA(z, (F)-0.5, (F)1.0));
}
