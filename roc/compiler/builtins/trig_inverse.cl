// asin, acos, atan, atan2 and the same over pi (OpenCL C 3.0 section 6.15.2; 4 to 6 ulp).
#include "builtins.h"
#ifndef F
#define BODY "trig_inverse.cl"
#include "each_float.h"
#include "each_double.h"
#elif BITS == 32

#define PI_HI 0x1.921fb6p+1f     // pi in two floats
#define PI_LO -0x1.777a5cp-24f

// asin(s) for 0 <= s <= 1/2 and z = s^2, relative error 2^-27.6.
LOCAL F asin_poly(F s, F z)
{
    F p = FMA((F)0x1.596d28p-5f, z, (F)0x1.8c283cp-6f);
    p = FMA(p, z, (F)0x1.747e4ap-5f);
    p = FMA(p, z, (F)0x1.3301e4p-4f);
    p = FMA(p, z, (F)0x1.5555c8p-3f);
    return FMA(s * z, p, s);
}

// atan(t) for 0 <= t <= 1, relative error 2^-25.8.
LOCAL F atan_poly(F t)
{
    F z = t * t;
    F p = FMA((F)0x1.7ed270p-9f, z, (F)-0x1.0c2c34p-6f);
    p = FMA(p, z, (F)0x1.61fdf4p-5f);
    p = FMA(p, z, (F)-0x1.3556c2p-4f);
    p = FMA(p, z, (F)0x1.b4e130p-4f);
    p = FMA(p, z, (F)-0x1.230adcp-3f);
    p = FMA(p, z, (F)0x1.9978f4p-3f);
    p = FMA(p, z, (F)-0x1.5554dcp-2f);
    return FMA(t * z, p, t);
}

// Above 1/2 by asin x = pi/2 - 2 asin sqrt((1-x)/2), which is exact in its argument.
F OVERLOAD asin(F x)
{
    F a = ABS(x), h = FMA(a, (F)-0.5f, (F)0.5f);
    I big = a > 0.5f;
    F z = sel(big, h, a * a), s = sel(big, __builtin_elementwise_sqrt(h), a);
    F p = asin_poly(s, z);
    F y = sel(big, PI_HI * 0.5f - FMA((F)2.0f, p, (F)(-PI_LO * 0.5f)), p);
    return COPYSIGN(y, x);
}

F OVERLOAD acos(F x)
{
    F a = ABS(x), h = FMA(a, (F)-0.5f, (F)0.5f);
    I big = a > 0.5f, negative = x < 0.0f;
    F z = sel(big, h, a * a), s = sel(big, __builtin_elementwise_sqrt(h), a);
    F p = asin_poly(s, z);
    F outer = sel(negative, PI_HI - FMA((F)2.0f, p, (F)-PI_LO), p + p);
    F inner = PI_HI * 0.5f - (COPYSIGN(p, x) - PI_LO * 0.5f);
    return sel(big, outer, inner);
}

F OVERLOAD atan(F x)
{
    F a = ABS(x);
    I big = a > 1.0f;
    F p = atan_poly(sel(big, 1.0f / a, a));
    return COPYSIGN(sel(big, PI_HI * 0.5f - (p - PI_LO * 0.5f), p), x);
}

F OVERLOAD atan2(F y, F x)
{
    F ax = ABS(x), ay = ABS(y);
    I steep = ay > ax;
    F n = sel(steep, ax, ay), d = sel(steep, ay, ax);
    F t = n / d;
    t = sel(d == 0.0f, (F)0.0f, t);
    t = sel(n == INFINITY, (F)1.0f, t);
    F p = atan_poly(t);
    I left = AS(I, x) < 0;
    F around = sel(left, -p, p); // from pi/2
    p = sel(steep, PI_HI * 0.5f - (around - PI_LO * 0.5f), sel(left, PI_HI - (p - PI_LO), p));
    return sel((x != x) | (y != y), x + y, COPYSIGN(p, y));
}

F OVERLOAD asinpi(F x) { return asin(x) * M_1_PI_F; }
F OVERLOAD acospi(F x) { return acos(x) * M_1_PI_F; }
F OVERLOAD atanpi(F x) { return atan(x) * M_1_PI_F; }
F OVERLOAD atan2pi(F y, F x) { return atan2(y, x) * M_1_PI_F; }
#elif N == 1
double OVERLOAD asin(double x) { return __builtin_asin(x); }
double OVERLOAD acos(double x) { return __builtin_acos(x); }
double OVERLOAD atan(double x) { return __builtin_atan(x); }
double OVERLOAD atan2(double y, double x) { return __builtin_atan2(y, x); }
double OVERLOAD asinpi(double x) { return __builtin_asin(x) * M_1_PI; }
double OVERLOAD acospi(double x) { return __builtin_acos(x) * M_1_PI; }
double OVERLOAD atanpi(double x) { return __builtin_atan(x) * M_1_PI; }
double OVERLOAD atan2pi(double y, double x) { return __builtin_atan2(y, x) * M_1_PI; }
#else
F OVERLOAD asin(F x) { return (F)(asin(LO(x)), asin(HI(x))); }
F OVERLOAD acos(F x) { return (F)(acos(LO(x)), acos(HI(x))); }
F OVERLOAD atan(F x) { return (F)(atan(LO(x)), atan(HI(x))); }
F OVERLOAD atan2(F y, F x) { return (F)(atan2(LO(y), LO(x)), atan2(HI(y), HI(x))); }
F OVERLOAD asinpi(F x) { return (F)(asinpi(LO(x)), asinpi(HI(x))); }
F OVERLOAD acospi(F x) { return (F)(acospi(LO(x)), acospi(HI(x))); }
F OVERLOAD atanpi(F x) { return (F)(atanpi(LO(x)), atanpi(HI(x))); }
F OVERLOAD atan2pi(F y, F x) { return (F)(atan2pi(LO(y), LO(x)), atan2pi(HI(y), HI(x))); }
#endif
