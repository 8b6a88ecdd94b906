// Common functions (OpenCL C 3.0 section 6.15.4): clamp, degrees, max, min, mix, radians, step, smoothstep, sign.
#include "builtins.h"
#ifndef F
#define BODY "common.cl"
#include "each_floating.h"
#else

F OVERLOAD max(F x, F y) { return sel(x < y, y, x); }
F OVERLOAD min(F x, F y) { return sel(y < x, y, x); }
F OVERLOAD clamp(F x, F lo, F hi) { return __builtin_elementwise_min(__builtin_elementwise_max(x, lo), hi); }
F OVERLOAD degrees(F x) { return x * (E)(180 / M_PI); }
F OVERLOAD radians(F x) { return x * (E)(M_PI / 180); }
F OVERLOAD step(F edge, F x) { return sel(x < edge, (F)0, (F)1); }
F OVERLOAD sign(F x) { return sel(x != x, (F)0, sel(x == (E)0, x, COPYSIGN((F)1, x))); }

F OVERLOAD mix(F x, F y, F a)
{
#pragma OPENCL FP_CONTRACT ON
    return x + (y - x) * a;
}

F OVERLOAD smoothstep(F a, F b, F x)
{
    F t = (x - a) / (b - a);
    t = sel(t < (E)0, (F)0, sel(t > (E)1, (F)1, t));
    return t * t * ((E)3 - (E)2 * t);
}

#if N > 1
F OVERLOAD max(F x, E y) { return max(x, (F)y); }
F OVERLOAD min(F x, E y) { return min(x, (F)y); }
F OVERLOAD clamp(F x, E lo, E hi) { return clamp(x, (F)lo, (F)hi); }
F OVERLOAD step(E edge, F x) { return step((F)edge, x); }
F OVERLOAD mix(F x, F y, E a) { return mix(x, y, (F)a); }
F OVERLOAD smoothstep(E a, E b, F x) { return smoothstep((F)a, (F)b, x); }
#endif
#endif
