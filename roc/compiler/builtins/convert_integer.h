// Body of the conversions from E to the integer type T, with T_I the signed type of its size, T_SIGNED, T_MIN and T_MAX
// (OpenCL C 3.0 section 6.4.3). Rounding modes matter to floating-point sources only, and round toward zero by default.
#define TW CAT(T, W)
#define DEFINE(suffix, value) TW OVERLOAD CAT3(convert_, TW, suffix)(F x) { return value; }

#if FLOATING
#if BITS == 16
#define S CAT(float, W)
#define SE float
#define WIDEN(x) CVT(S, x)
#else
#define S F
#define SE E
#define WIDEN(x) (x)
#endif
#if N == 1
#define MASK(c) (c)
#else
#define MASK(c) CVT(CAT(T_I, W), c)
#endif

#if BITS != 16
// x is whole, infinite or NaN. T_MIN and T_MAX + 1 are powers of two, or zero.
LOCAL TW convert_saturated(S x)
{
    TW r = sel(MASK(x < (SE)T_MIN), (TW)T_MIN, sel(MASK(x >= (SE)2 * (SE)(T_MAX / 2 + 1)), (TW)T_MAX, CVT(TW, x)));
    return sel(MASK(x != x), (TW)0, r);
}
#endif

DEFINE(, CVT(TW, WIDEN(x)))
DEFINE(_rte, CVT(TW, __builtin_elementwise_rint(WIDEN(x))))
DEFINE(_rtz, CVT(TW, WIDEN(x)))
DEFINE(_rtp, CVT(TW, __builtin_elementwise_ceil(WIDEN(x))))
DEFINE(_rtn, CVT(TW, __builtin_elementwise_floor(WIDEN(x))))
DEFINE(_sat, convert_saturated(__builtin_elementwise_trunc(WIDEN(x))))
DEFINE(_sat_rte, convert_saturated(__builtin_elementwise_rint(WIDEN(x))))
DEFINE(_sat_rtz, convert_saturated(__builtin_elementwise_trunc(WIDEN(x))))
DEFINE(_sat_rtp, convert_saturated(__builtin_elementwise_ceil(WIDEN(x))))
DEFINE(_sat_rtn, convert_saturated(__builtin_elementwise_floor(WIDEN(x))))
#undef S
#undef SE
#undef WIDEN
#undef MASK
#else

// The part of T's range that E has.
#define TOP ((ulong)T_MAX < (ulong)E_MAX ? (E)T_MAX : (E)E_MAX)
#if SIGNED && T_SIGNED
#define BOTTOM (T_MIN > E_MIN ? (E)T_MIN : (E)E_MIN)
#else
#define BOTTOM (E)0
#endif
#define SATURATED CVT(TW, (F)__builtin_elementwise_max((F)__builtin_elementwise_min(x, (F)TOP), (F)BOTTOM))

DEFINE(, CVT(TW, x))
DEFINE(_rte, CVT(TW, x))
DEFINE(_rtz, CVT(TW, x))
DEFINE(_rtp, CVT(TW, x))
DEFINE(_rtn, CVT(TW, x))
DEFINE(_sat, SATURATED)
DEFINE(_sat_rte, SATURATED)
DEFINE(_sat_rtz, SATURATED)
DEFINE(_sat_rtp, SATURATED)
DEFINE(_sat_rtn, SATURATED)
#undef TOP
#undef BOTTOM
#undef SATURATED
#endif
#undef TW
#undef DEFINE
