// mul_hi, mad_hi, mad_sat (OpenCL C 3.0 section 6.15.3).
#include "builtins.h"
#ifndef F
#define BODY "multiply.cl"
#include "each_integer.h"
#else

#if BITS < 64
F OVERLOAD mul_hi(F x, F y)
{
    typedef CAT(E_WIDE, W) Wide;
    return CVT(F, (Wide)(CVT(Wide, x) * CVT(Wide, y) >> (Wide)BITS));
}

F OVERLOAD mad_sat(F x, F y, F z)
{
    typedef CAT(E_WIDE, W) Wide;
    Wide r = CVT(Wide, x) * CVT(Wide, y) + CVT(Wide, z);
    r = __builtin_elementwise_min(__builtin_elementwise_max(r, (Wide)E_MIN), (Wide)E_MAX);
    return CVT(F, r);
}
#else
#if SIGNED
// By 32-bit halves, which vectors multiply well.
LOCAL U mul_hi_unsigned(U x, U y)
{
    U xl = x & 0xffffffffUL, xh = x >> 32, yl = y & 0xffffffffUL, yh = y >> 32;
    U ll = xl * yl, m = xh * yl + (ll >> 32), n = xl * yh + (m & 0xffffffffUL);
    return xh * yh + (m >> 32) + (n >> 32);
}

F OVERLOAD mul_hi(F x, F y)
{
    return AS(F, mul_hi_unsigned(AS(U, x), AS(U, y)) - AS(U, (x >> 63) & y) - AS(U, (y >> 63) & x));
}

F OVERLOAD mad_sat(F x, F y, F z)
{
    F low = AS(F, AS(U, x) * AS(U, y)), high = mul_hi(x, y);
    F sum = AS(F, AS(U, low) + AS(U, z));
    // high:low + z as 128 bits
    F carry = AS(F, sel(AS(U, sum) < AS(U, low), (U)1, (U)0));
    high = AS(F, AS(U, high) + AS(U, z >> 63) + AS(U, carry));
    F limit = sel(high < 0, (F)E_MIN, (F)E_MAX);
    return sel(high == (sum >> 63), sum, limit);
}
#else
F OVERLOAD mul_hi(F x, F y) { return mul_hi_unsigned(x, y); }

F OVERLOAD mad_sat(F x, F y, F z)
{
    F low = x * y, sum = low + z;
    return sel((mul_hi_unsigned(x, y) != 0) | (sum < low), (F)E_MAX, sum);
}
#endif
#endif

F OVERLOAD mad_hi(F x, F y, F z) { return AS(F, (U)(AS(U, mul_hi(x, y)) + AS(U, z))); }
#endif
