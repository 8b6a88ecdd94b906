// Relational functions on floating-point numbers (OpenCL C 3.0 section 6.15.6): int for scalars, a mask per element for vectors.
#include "builtins.h"
#ifndef F
#define BODY "relational.cl"
#include "each_floating.h"
#else

#if N == 1
#define R int
#else
#define R I
#endif

R OVERLOAD isequal(F x, F y) { return x == y; }
R OVERLOAD isnotequal(F x, F y) { return x != y; }
R OVERLOAD isgreater(F x, F y) { return x > y; }
R OVERLOAD isgreaterequal(F x, F y) { return x >= y; }
R OVERLOAD isless(F x, F y) { return x < y; }
R OVERLOAD islessequal(F x, F y) { return x <= y; }
R OVERLOAD islessgreater(F x, F y) { return (x < y) | (x > y); }
R OVERLOAD isfinite(F x) { return ABS(x) < (F)INFINITY; }
R OVERLOAD isinf(F x) { return ABS(x) == (F)INFINITY; }
R OVERLOAD isnan(F x) { return x != x; }
R OVERLOAD isnormal(F x) { return (ABS(x) < (F)INFINITY) & (ABS(x) >= (F)E_NORMAL); }
R OVERLOAD isordered(F x, F y) { return (x == x) & (y == y); }
R OVERLOAD isunordered(F x, F y) { return (x != x) | (y != y); }
R OVERLOAD signbit(F x) { return AS(I, x) < (I)0; }
#undef R
#endif
