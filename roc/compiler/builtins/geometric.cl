// Geometric functions (OpenCL C 3.0 section 6.15.5). Lengths of vectors whose squares leave the range of the type are scaled.
#include "builtins.h"
#ifndef F
#define BODY "geometric.cl"
#include "each_floating.h"
#elif N <= 4

#if BITS == 16
#define WIDE(x) CVT(CAT(float, W), x)
E OVERLOAD dot(F x, F y) { return (E)dot(WIDE(x), WIDE(y)); }
E OVERLOAD length(F x) { return (E)length(WIDE(x)); }
E OVERLOAD distance(F x, F y) { return (E)length(WIDE(x) - WIDE(y)); }
F OVERLOAD normalize(F x) { return CVT(F, normalize(WIDE(x))); }
#if N >= 3
F OVERLOAD cross(F x, F y) { return CVT(F, cross(WIDE(x), WIDE(y))); }
#endif
#undef WIDE
#else
#if N == 1
E OVERLOAD dot(F x, F y) { return x * y; }
#elif N == 2
E OVERLOAD dot(F x, F y) { return FMA(x.x, y.x, x.y * y.y); }
#elif N == 3
E OVERLOAD dot(F x, F y) { return FMA(x.x, y.x, FMA(x.y, y.y, x.z * y.z)); }
F OVERLOAD cross(F x, F y) { return x.yzx * y.zxy - x.zxy * y.yzx; }
#else
E OVERLOAD dot(F x, F y) { return FMA(x.x, y.x, x.y * y.y) + FMA(x.z, y.z, x.w * y.w); }
F OVERLOAD cross(F x, F y) { return (F)(x.yzx * y.zxy - x.zxy * y.yzx, (E)0); }
#endif

#if N == 1
E OVERLOAD length(F x) { return ABS(x); }
F OVERLOAD normalize(F x) { return sel((x == (E)0) | (x != x), x, COPYSIGN((F)1, x)); }
#else
// The largest magnitude of the elements.
LOCAL E largest(F x)
{
    F a = ABS(x);
#if N == 2
    return __builtin_elementwise_max(a.x, a.y);
#elif N == 3
    return __builtin_elementwise_max(__builtin_elementwise_max(a.x, a.y), a.z);
#else
    return __builtin_elementwise_max(__builtin_elementwise_max(a.x, a.y), __builtin_elementwise_max(a.z, a.w));
#endif
}

#if N == 2
// A power of two that brings squares of m into range.
LOCAL E range_scale(E m)
{
    return sel(m > (E)E_BIG, (E)E_DOWN, sel(m < (E)E_SMALL, (E)E_UP, (E)1));
}
#endif

E OVERLOAD length(F x)
{
    E m = largest(x), s = range_scale(m);
    F y = x * s;
    E r = __builtin_elementwise_sqrt(dot(y, y)) * (m > (E)E_BIG ? (E)E_UP : m < (E)E_SMALL ? (E)E_DOWN : (E)1);
    return sel(m == (E)INFINITY, (E)INFINITY, r);
}

F OVERLOAD normalize(F x)
{
    E m = largest(x);
    // "normalize(v) where any element of v is infinite": infinities count as ones, all else as zeros
    bool inf = m == (E)INFINITY;
    E s = inf ? (E)1 : range_scale(m);
    F z = inf ? COPYSIGN(sel(ABS(x) == (F)INFINITY, (F)1, (F)0), x) : x, y = z * s;
    // Small elements beside large ones are scaled down last, so that they keep their bits until then.
    F r = z * __builtin_elementwise_max(s, (E)1) / __builtin_elementwise_sqrt(dot(y, y)) * __builtin_elementwise_min(s, (E)1);
    E sum = dot(x, x);
    return sel((F)m == (F)0, x, sel((F)sum != (F)sum, (F)sum, r));
}
#endif

E OVERLOAD distance(F x, F y) { return length(x - y); }
#if BITS == 32
E OVERLOAD fast_length(F x) { return __builtin_elementwise_sqrt(dot(x, x)); }
E OVERLOAD fast_distance(F x, F y) { return fast_length(x - y); }
#if N == 1
F OVERLOAD fast_normalize(F x) { return normalize(x); }
#else
F OVERLOAD fast_normalize(F x)
{
    E d = dot(x, x);
    return d == 0.0f ? x : x / __builtin_elementwise_sqrt(d);
}
#endif
#endif
#endif
#endif
