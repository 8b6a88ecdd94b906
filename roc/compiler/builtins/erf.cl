// erf and erfc (OpenCL C 3.0 section 6.15.2; 16 ulp).
#include "builtins.h"
#ifndef F
#define BODY "erf.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32
#include "exp_core.h"

// Below 0.9277 an odd polynomial, above 1 - e^-q(x). Both are within 1 ulp.
F OVERLOAD erf(F x)
{
    F a = ABS(x), s = x * x;
    F p = FMA((F)-5.96761703e-4f, s, (F)4.99119423e-3f);
    p = FMA(p, s, (F)-2.67681349e-2f);
    p = FMA(p, s, (F)1.12819925e-1f);
    p = FMA(p, s, (F)-3.76125336e-1f);
    p = FMA(p, s, (F)1.28379166e-1f);
    p = FMA(p, x, x);
    F c = sel(a > 4.0f, (F)4.0f, a), z = c * c;
    F q = FMA((F)-1.72853470e-5f, c, (F)3.83197126e-4f);
    q = FMA(q, z, FMA((F)-3.88396438e-3f, c, (F)2.42546219e-2f));
    q = FMA(q, c, (F)-1.06777877e-1f);
    q = FMA(q, c, (F)-6.34846687e-1f);
    q = FMA(q, c, (F)-1.28717512e-1f);
    q = FMA(q, c, -c);
    q = 1.0f - exp_core(q);
    return sel(a > 0.927734375f, COPYSIGN(q, x), p);
}

// erfc|x| = e^(-x^2) / (1 + 2|x|) p((|x| - 3) / (|x| + 3)), where x^2 is in two parts.
F OVERLOAD erfc(F x)
{
    F a = ABS(x);
    a = sel(a > 10.5f, (F)10.5f, a);
    F t = (a - 3.0f) / (a + 3.0f);
    F p = FMA((F)-0x1.182894p-12f, t, (F)-0x1.9662c2p-11f);
    p = FMA(p, t, (F)0x1.069550p-9f);
    p = FMA(p, t, (F)0x1.506782p-9f);
    p = FMA(p, t, (F)-0x1.85ea4ep-6f);
    p = FMA(p, t, (F)0x1.17bd48p-4f);
    p = FMA(p, t, (F)-0x1.e8887ep-4f);
    p = FMA(p, t, (F)0x1.098412p-3f);
    p = FMA(p, t, (F)-0x1.85a19ap-5f);
    p = FMA(p, t, (F)-0x1.15c08ap-3f);
    p = FMA(p, t, (F)0x1.40c522p+0f);
    F s = a * a, rest = FMA(a, a, -s);
    p = p / FMA((F)2.0f, a, (F)1.0f);
    F y = exp_core(-s) * FMA(-rest, p, p);
    return sel(x < 0.0f, 2.0f - y, y);
}
#elif N == 1
double OVERLOAD erf(double x) { return __builtin_erf(x); }
double OVERLOAD erfc(double x) { return __builtin_erfc(x); }
#else
F OVERLOAD erf(F x) { return (F)(erf(LO(x)), erf(HI(x))); }
F OVERLOAD erfc(F x) { return (F)(erfc(LO(x)), erfc(HI(x))); }
#endif
