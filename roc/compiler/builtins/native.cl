// native_ and half_ functions (OpenCL C 3.0 section 6.15.2): implementation-defined, and 8192 ulp. No special ranges.
#include "builtins.h"
#ifndef F
#define BODY "native.cl"
#include "each_float.h"
#else
#include "exp_core.h"
#include "log_core.h"
#include "trig_core.h"

// 2^x, relative error 2^-23.4; neither denormals nor a last step to infinity.
LOCAL F native_2_to(F x)
{
    x = sel(x > 128.0f, (F)128.0f, x);
    x = sel(x < -127.0f, (F)-127.0f, x);
    F t = x + ROUND, r = x - (t - ROUND);
    F p = FMA((F)0x1.5bba14p-10f, r, (F)0x1.3cea88p-7f);
    p = FMA(p, r, (F)0x1.c6b752p-5f);
    p = FMA(p, r, (F)0x1.ebf9bcp-3f);
    p = FMA(p, r, (F)0x1.62e42ap-1f);
    return FMA(p, r, (F)1.0f) * AS(F, (AS(I, t) << 23) + 0x3f800000);
}

LOCAL F native_reduce(F x, private I *q)
{
    F t = FMA(x, (F)0x1.45f306p-1f, (F)ROUND), n = t - ROUND;
    *q = AS(I, t);
    return FMA(n, (F)0x1.777a5cp-25f, FMA(n, (F)-0x1.921fb6p+0f, x));
}

LOCAL F native_log(F x, float scale, float exponent_scale)
{
    F f, e = log_split(x, &f);
    return FMA(e, (F)exponent_scale, FMA(f * f, log_poly(f), f) * scale);
}

F OVERLOAD native_exp(F x) { return native_2_to(x * M_LOG2E_F); }
F OVERLOAD native_exp2(F x) { return native_2_to(x); }
F OVERLOAD native_exp10(F x) { return native_2_to(x * 0x1.a934f0p+1f); }
F OVERLOAD native_log(F x) { return log_special(x, native_log(x, 1.0f, M_LN2_F)); }
F OVERLOAD native_log2(F x) { return log_special(x, native_log(x, M_LOG2E_F, 1.0f)); }
F OVERLOAD native_log10(F x) { return log_special(x, native_log(x, M_LOG10E_F, 0x1.344136p-2f)); }
F OVERLOAD native_powr(F x, F y) { return native_2_to(y * native_log2(x)); }
F OVERLOAD native_divide(F x, F y) { return x / y; }
F OVERLOAD native_recip(F x) { return 1.0f / x; }
F OVERLOAD native_sqrt(F x) { return __builtin_elementwise_sqrt(x); }
F OVERLOAD native_rsqrt(F x) { return 1.0f / __builtin_elementwise_sqrt(x); }

F OVERLOAD native_sin(F x)
{
    I q;
    F r = native_reduce(x, &q), z = r * r;
    F y = sel((q & 1) != 0, cos_poly(z), sin_poly(r, z));
    return AS(F, AS(I, y) ^ ((q & 2) << 30));
}

F OVERLOAD native_cos(F x)
{
    I q;
    F r = native_reduce(x, &q), z = r * r;
    F y = sel((q & 1) != 0, sin_poly(r, z), cos_poly(z));
    return AS(F, AS(I, y) ^ ((((q & 3) + 1) & 2) << 30));
}

F OVERLOAD native_tan(F x)
{
    I q;
    F r = native_reduce(x, &q), z = r * r, s = sin_poly(r, z), c = cos_poly(z);
    I odd = (q & 1) != 0;
    return sel(odd, -c, s) / sel(odd, s, c);
}
#endif
