// Body of the conversions from E to the floating-point type T of T_BITS, with T_I the signed integer type of its size
// (OpenCL C 3.0 section 6.4.3). What is not exact is rounded to nearest first; where that went the wrong way, the neighbour
// on the other side of x is the result.
#define TW CAT(T, W)
#define TI CAT(T_I, W)
#define DEFINE(suffix, value) TW OVERLOAD CAT3(convert_, TW, suffix)(F x) { return value; }
#if N == 1
#define C int
#define MASK(c) (c)
#else
#define C TI
#define MASK(c) CVT(TI, c)
#endif

#if (FLOATING && BITS <= T_BITS) || (!FLOATING && (BITS == 8 || BITS < T_BITS))
DEFINE(, CVT(TW, x))
DEFINE(_rte, CVT(TW, x))
DEFINE(_rtz, CVT(TW, x))
DEFINE(_rtp, CVT(TW, x))
DEFINE(_rtn, CVT(TW, x))
#else

#if T_BITS == 16
// A float stands for x: one that rounds to half as x does. Integers that float rounds are beyond half's range.
#define S CAT(float, W)
#if FLOATING && BITS == 64
// Rounded to odd: toward zero, and the last bit tells of what was lost.
LOCAL S convert_stage(F x)
{
    typedef CAT(int, W) Bits;
    S f = CVT(S, x);
    F g = CVT(F, f);
#if N == 1
    int outside = ABS(g) > ABS(x), inexact = g != x;
    outside = -outside;
    inexact = -inexact;
#else
    Bits outside = CVT(Bits, ABS(g) > ABS(x)), inexact = CVT(Bits, g != x);
#endif
    return AS(S, (AS(Bits, f) + outside) | (inexact & 1));
}
#else
LOCAL S convert_stage(F x) { return CVT(S, x); }
#endif
#else
#define S F
LOCAL S convert_stage(F x) { return x; }
#endif

#if T_BITS != 16 || (FLOATING && BITS == 32) // once for each S
// Whether f is above, below the x it was rounded from.
#if FLOATING || T_BITS == 16
LOCAL C convert_above(TW f, S x) { return MASK(CVT(S, f) > x); }
LOCAL C convert_below(TW f, S x) { return MASK(CVT(S, f) < x); }
#else
// f may be one above the integer type's range.
#define LIMIT ((T)2 * (T)(E_MAX / 2 + 1))
LOCAL C convert_above(TW f, S x)
{
    C over = f >= LIMIT;
    return over | MASK(CVT(S, sel(over, (TW)0, f)) > x);
}
LOCAL C convert_below(TW f, S x)
{
    C over = f >= LIMIT;
    return (over == 0) & MASK(CVT(S, sel(over, (TW)0, f)) < x);
}
#undef LIMIT
#endif

// The neighbour of f in the direction where c holds. Zero is never asked for one on the side of its other sign.
#define STEP(c, step, f) sel(c, AS(TW, (TI)(AS(TI, f) + (step))), f)

LOCAL TW convert_down(S x)
{
    TW f = CVT(TW, x);
    return STEP(convert_above(f, x), sel(AS(TI, f) < (TI)0, (TI)1, (TI)-1), f);
}

LOCAL TW convert_up(S x)
{
    TW f = CVT(TW, x);
    return STEP(convert_below(f, x), sel(AS(TI, f) < (TI)0, (TI)-1, (TI)1), f);
}

LOCAL TW convert_inward(S x)
{
    TW f = CVT(TW, x);
    C outside = (convert_above(f, x) & (AS(TI, f) >= (TI)0)) | (convert_below(f, x) & (AS(TI, f) < (TI)0));
    return STEP(outside, (TI)-1, f);
}
#endif

DEFINE(, CVT(TW, convert_stage(x)))
DEFINE(_rte, CVT(TW, convert_stage(x)))
DEFINE(_rtz, convert_inward(convert_stage(x)))
DEFINE(_rtp, convert_up(convert_stage(x)))
DEFINE(_rtn, convert_down(convert_stage(x)))
#undef S
#undef STEP
#endif
#undef TW
#undef TI
#undef DEFINE
#undef C
#undef MASK
