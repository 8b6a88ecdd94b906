// any and all (OpenCL C 3.0 section 6.15.6): of the most significant bits.
#include "builtins.h"
#ifndef F
#define BODY "any_all.cl"
#include "each_integer.h"
#elif SIGNED

#if N == 1
int OVERLOAD any(F x) { return x < 0; }
int OVERLOAD all(F x) { return x < 0; }
#elif N == 2
int OVERLOAD any(F x) { return (x.x | x.y) < 0; }
int OVERLOAD all(F x) { return (x.x & x.y) < 0; }
#elif N == 3
int OVERLOAD any(F x) { return (x.x | x.y | x.z) < 0; }
int OVERLOAD all(F x) { return (x.x & x.y & x.z) < 0; }
#else
int OVERLOAD any(F x) { return any(x.lo | x.hi); }
int OVERLOAD all(F x) { return all(x.lo & x.hi); }
#endif
#endif
