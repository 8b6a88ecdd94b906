// half_ functions of float (OpenCL C 3.0 section 6.15.2; 8192 ulp): the native ones where these are good everywhere that is
// asked, else the full ones.
#include "builtins.h"
#ifndef F
#define BODY "half_math.cl"
#include "each_float.h"
#else

F DECLARE exp(F x);
F DECLARE exp2(F x);
F DECLARE exp10(F x);
F DECLARE powr(F x, F y);
F DECLARE native_log(F x);
F DECLARE native_log2(F x);
F DECLARE native_log10(F x);
F DECLARE native_sin(F x);
F DECLARE native_cos(F x);
F DECLARE native_tan(F x);

// Angles are good up to 2^16 ("x must be in the range -2^16 ... +2^16"); the sine of larger ones is that of 0, and of infinities NaN.
LOCAL F angle(F x) { return sel(ABS(x) <= 0x1p16f, x, x * 0.0f); }

F OVERLOAD half_exp(F x) { return exp(x); }
F OVERLOAD half_exp2(F x) { return exp2(x); }
F OVERLOAD half_exp10(F x) { return exp10(x); }
F OVERLOAD half_powr(F x, F y) { return powr(x, y); }
F OVERLOAD half_log(F x) { return native_log(x); }
F OVERLOAD half_log2(F x) { return native_log2(x); }
F OVERLOAD half_log10(F x) { return native_log10(x); }
F OVERLOAD half_sin(F x) { return native_sin(angle(x)); }
F OVERLOAD half_cos(F x) { return native_cos(angle(x)); }
F OVERLOAD half_tan(F x) { return native_tan(angle(x)); }
F OVERLOAD half_divide(F x, F y) { return x / y; }
F OVERLOAD half_recip(F x) { return 1.0f / x; }
F OVERLOAD half_sqrt(F x) { return __builtin_elementwise_sqrt(x); }
F OVERLOAD half_rsqrt(F x) { return 1.0f / __builtin_elementwise_sqrt(x); }
#endif
