// log, log2, log10, log1p (OpenCL C 3.0 section 6.15.2; 3 ulp, log1p 2 ulp).
#include "builtins.h"
#ifndef F
#define BODY "log.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "log_core.h"

F OVERLOAD log(F x)
{
    F f, e = log_split(x, &f);
    F y = FMA(e, (F)0x1.7f7d1cp-20f, f * f * log_poly(f)) + f;
    return log_special(x, FMA(e, (F)0x1.62e400p-1f, y));
}

F OVERLOAD log2(F x)
{
    F f, e = log_split(x, &f);
    F q = FMA((F)0x1.021556p-3f, f, (F)-0x1.a6bc5cp-3f);
    q = FMA(q, f, (F)0x1.b8c5b6p-3f);
    q = FMA(q, f, (F)-0x1.e99948p-3f);
    q = FMA(q, f, (F)0x1.26e754p-2f);
    q = FMA(q, f, (F)-0x1.715b1ap-2f);
    q = FMA(q, f, (F)0x1.ec72f4p-2f);
    q = FMA(q, f, (F)-0x1.715472p-1f);
    F y = FMA(f, (F)0x1.715476p+0f, FMA(f, (F)0x1.4ae0c0p-26f, f * f * q));
    return log_special(x, e + y);
}

F OVERLOAD log10(F x)
{
    F f, e = log_split(x, &f);
    F q = FMA((F)0x1.36c368p-5f, f, (F)-0x1.fd064ep-5f);
    q = FMA(q, f, (F)0x1.095f12p-4f);
    q = FMA(q, f, (F)-0x1.26c490p-4f);
    q = FMA(q, f, (F)0x1.631970p-4f);
    q = FMA(q, f, (F)-0x1.bcbfb0p-4f);
    q = FMA(q, f, (F)0x1.287bdep-3f);
    q = FMA(q, f, (F)-0x1.bcb7acp-3f);
    F y = FMA(f, (F)0x1.bcb7b2p-2f, FMA(f, (F)-0x1.5b235ep-27f, f * f * q));
    y = FMA(e, (F)-0x1.95ec10p-19f, y);
    return log_special(x, FMA(e, (F)0x1.344200p-2f, y));
}

F OVERLOAD log1p(F x)
{
    F y = log1p_core(x);
    y = sel(x < INFINITY, y, x);
    y = sel(x == -1.0f, (F)-INFINITY, y);
    y = sel(x < -1.0f, (F)NANF, y);
    return sel(ABS(x) < 0x1p-25f, x, y);
}
#else
#include "log_double.h"

F OVERLOAD log(F x)
{
    F f, e = log_split(x, &f);
    return log_special(x, log_sum(e, f));
}

// (hi + lo) / log 2 and / log 10: the inverses are in two parts as well.
F OVERLOAD log2(F x)
{
    F f, lo, e = log_split(x, &f), hi = log_parts(f, &lo);
    F y = hi * M_LOG2E, rest = FMA(hi, (F)M_LOG2E, -y);
    rest = FMA(hi, (F)0x1.777d0ffda0d24p-56, FMA(lo, (F)M_LOG2E, rest));
    F sum = e + y;
    return log_special(x, sum + ((y - (sum - e)) + rest));
}

F OVERLOAD log10(F x)
{
    F f, lo, e = log_split(x, &f), hi = log_parts(f, &lo);
    F y = hi * M_LOG10E, rest = FMA(hi, (F)M_LOG10E, -y);
    rest = FMA(hi, (F)0x1.95355baaafad3p-57, FMA(lo, (F)M_LOG10E, rest));
    rest = FMA(e, (F)-0x1.0c0219dc1da99p-39, rest);
    F k = e * 0x1.3441350a00000p-2, sum = k + y;
    return log_special(x, sum + ((y - (sum - k)) + rest));
}

F OVERLOAD log1p(F x)
{
    F y = log1p_core(x);
    y = sel(x < INFINITY, y, x);
    y = sel(x == -1.0, (F)-INFINITY, y);
    y = sel(x < -1.0, (F)__builtin_nan(""), y);
    return sel(ABS(x) < 0x1p-54, x, y);
}
#endif
