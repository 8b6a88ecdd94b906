// The power of a float, by a base-2 logarithm in two floats. Read within a body.

// log2 x as a sum: the high part, and *lo. Relative error 2^-29 of the sum. 0 <= x; -inf and inf for zero and infinity.
LOCAL F pow_log2(F x, private F *lo)
{
    F f, e = log_split(x, &f);
    // s = f / (2 + f) in two parts; log(1+f) = 2 atanh(s) = 2 (s + s^3 p(s^2))
    F r = 1.0f / (2.0f + f);
    F s = f * r, t = r * FMA(s, -f, FMA(s, (F)-2.0f, f));
    F z = s * s;
    F p = FMA((F)0x1.e2fa42p-4f, z, (F)0x1.2438c2p-3f);
    p = FMA(p, z, (F)0x1.999a7ap-3f);
    p = FMA(p, z, (F)0x1.555554p-2f);
    F c = FMA(s * z, p, t);
    // times 2 / ln 2
    F h = s * 0x1.715476p+1f, l = FMA(s, (F)0x1.715476p+1f, -h);
    l = FMA(s, (F)0x1.4ae0c0p-25f, FMA(c, (F)0x1.715476p+1f, l));
    F hi = e + h;
    l = h - (hi - e) + l;
    F sum = hi + l;
    l = l - (sum - hi);
    I ends = (x == 0.0f) | (x == INFINITY);
    *lo = sel(ends, (F)0.0f, l);
    return sel(ends, sel(x == 0.0f, (F)-INFINITY, (F)INFINITY), sum);
}

// 2^(hi + lo), where lo is small beside hi.
LOCAL F pow_exp2(F hi, F lo)
{
    F h = sel(hi > 200.0f, (F)200.0f, hi);
    h = sel(h < -200.0f, (F)-200.0f, h);
    F l = sel(ABS(hi) < 200.0f, lo, (F)0.0f);
    F t = h + ROUND, r = h - (t - ROUND) + l;
    F p = FMA((F)0x1.41fbbcp-13f, r, (F)0x1.5f3e54p-10f);
    p = FMA(p, r, (F)0x1.3b2d4cp-7f);
    p = FMA(p, r, (F)0x1.c6aee8p-5f);
    p = FMA(p, r, (F)0x1.ebfbdcp-3f);
    p = FMA(p, r, (F)0x1.62e430p-1f);
    return exp_scale(FMA(p, r, (F)1.0f), AS(I, t) - ROUND_BITS);
}

// x^(y + dy) for 0 <= x, dy small beside y; 1 where x is 1.
LOCAL F pow_core(F x, F y, F dy)
{
    F l, h = pow_log2(x, &l);
    F p = y * h, q = FMA(y, h, -p) + FMA(y, l, dy * h);
    return sel(x == 1.0f, (F)1.0f, pow_exp2(p, q));
}
