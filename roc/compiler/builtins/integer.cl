// Integer functions (OpenCL C 3.0 section 6.15.3) on lanes of any size: abs, abs_diff, add_sat, sub_sat, hadd, rhadd, max, min,
// clamp, rotate; and mad24, mul24 (32 bits).
#include "builtins.h"
#ifndef F
#define BODY "integer.cl"
#include "each_integer.h"
#else

#if SIGNED
U OVERLOAD abs(F x) { return AS(U, (F)ABS(x)); }
#else
U OVERLOAD abs(F x) { return x; }
#endif

U OVERLOAD abs_diff(F x, F y)
{
    return AS(U, (F)__builtin_elementwise_max(x, y)) - AS(U, (F)__builtin_elementwise_min(x, y));
}

#if N == 1 && BITS < 32
// C promotes these to int, where nothing overflows.
F OVERLOAD add_sat(F x, F y) { return (F)__builtin_elementwise_min(__builtin_elementwise_max(x + y, E_MIN), E_MAX); }
F OVERLOAD sub_sat(F x, F y) { return (F)__builtin_elementwise_min(__builtin_elementwise_max(x - y, E_MIN), E_MAX); }
#else
F OVERLOAD add_sat(F x, F y) { return __builtin_elementwise_add_sat(x, y); }
F OVERLOAD sub_sat(F x, F y) { return __builtin_elementwise_sub_sat(x, y); }
#endif
F OVERLOAD hadd(F x, F y) { return (x >> (F)1) + (y >> (F)1) + (x & y & (F)1); }
F OVERLOAD rhadd(F x, F y) { return (x >> (F)1) + (y >> (F)1) + ((x | y) & (F)1); }
F OVERLOAD max(F x, F y) { return __builtin_elementwise_max(x, y); }
F OVERLOAD min(F x, F y) { return __builtin_elementwise_min(x, y); }
F OVERLOAD clamp(F x, F lo, F hi) { return __builtin_elementwise_min(__builtin_elementwise_max(x, lo), hi); }

F OVERLOAD rotate(F x, F n)
{
    U v = AS(U, x), left = AS(U, n) & (U)(BITS - 1), right = (U)0 - left & (U)(BITS - 1);
    return AS(F, (U)(v << left | v >> right));
}

#if BITS == 32
F OVERLOAD mul24(F x, F y) { return AS(F, AS(U, x) * AS(U, y)); }
F OVERLOAD mad24(F x, F y, F z) { return AS(F, AS(U, x) * AS(U, y) + AS(U, z)); }
#endif

#if N > 1
F OVERLOAD max(F x, E y) { return max(x, (F)y); }
F OVERLOAD min(F x, E y) { return min(x, (F)y); }
F OVERLOAD clamp(F x, E lo, E hi) { return clamp(x, (F)lo, (F)hi); }
#endif
#endif
