// clz, ctz, popcount (OpenCL C 3.0 section 6.15.3), and upsample.
#include "builtins.h"
#ifndef F
#define BODY "bits.cl"
#include "each_integer.h"
#else

#if N == 1
F OVERLOAD clz(F x) { return (F)__builtin_clzg((U)x, BITS); }
F OVERLOAD ctz(F x) { return (F)__builtin_ctzg((U)x, BITS); }
F OVERLOAD popcount(F x) { return (F)__builtin_popcountg((U)x); }
#else
F OVERLOAD clz(F x) { return (F)(clz(LO(x)), clz(HI(x))); }
F OVERLOAD ctz(F x) { return (F)(ctz(LO(x)), ctz(HI(x))); }
F OVERLOAD popcount(F x) { return (F)(popcount(LO(x)), popcount(HI(x))); }
#endif

#if BITS < 64
CAT(E_WIDE, W) OVERLOAD upsample(F hi, U lo)
{
    typedef CAT(E_WIDE, W) Wide;
    typedef CAT(EU_WIDE, W) UWide;
    return AS(Wide, (UWide)(CVT(UWide, AS(U, hi)) << (UWide)BITS | CVT(UWide, lo)));
}
#endif
#endif
