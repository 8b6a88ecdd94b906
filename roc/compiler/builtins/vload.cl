// vloadn and vstoren (OpenCL C 3.0 section 6.15.7) for every type. Pointers are aligned to an element only.
#include "builtins.h"
#ifndef F
#define BODY "vload.cl"
#include "each_integer.h"
#include "each_floating.h"
#elif N > 1

#if N == 3
#define LOAD(space) F OVERLOAD vload3(size_t i, const space E *p) { p += 3 * i; return (F)(p[0], p[1], p[2]); }
#define STORE(space) void OVERLOAD vstore3(F v, size_t i, space E *p) { p += 3 * i; p[0] = v.x; p[1] = v.y; p[2] = v.z; }
#else
typedef F CAT(F, _unaligned) __attribute__((aligned(BITS / 8)));
#define LOAD(space) F OVERLOAD CAT(vload, W)(size_t i, const space E *p) { return *(const space CAT(F, _unaligned) *)(p + N * i); }
#define STORE(space) void OVERLOAD CAT(vstore, W)(F v, size_t i, space E *p) { *(space CAT(F, _unaligned) *)(p + N * i) = v; }
#endif

EACH_SPACE(LOAD)
LOAD(constant)
EACH_SPACE(STORE)
#undef LOAD
#undef STORE
#endif
