// select and bitselect (OpenCL C 3.0 section 6.15.6) for every type. A scalar condition counts as a whole, an element of a
// vector one by its most significant bit.
#include "builtins.h"
#ifndef F
#define BODY "select.cl"
#include "each_integer.h"
#include "each_floating.h"
#else

#if N == 1
F OVERLOAD select(F a, F b, I c) { return c ? b : a; }
F OVERLOAD select(F a, F b, U c) { return c ? b : a; }
#else
F OVERLOAD select(F a, F b, I c) { return c ? b : a; }
F OVERLOAD select(F a, F b, U c) { return AS(I, c) ? b : a; }
#endif

F OVERLOAD bitselect(F a, F b, F c)
{
    U mask = AS(U, c);
    return AS(F, (U)((AS(U, a) & ~mask) | (AS(U, b) & mask)));
}
#endif
