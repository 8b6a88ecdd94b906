// vload_half, vloada_half, vstore_half, vstorea_half with every rounding (OpenCL C 3.0 section 6.15.7).
#include "builtins.h"
#ifndef F
#define BODY "vload_half.cl"
#include "each_float.h"
#include "each_double.h"
#else

#define H CAT(half, W)

#if BITS == 32
#if N == 1
#define LOAD(space) \
    float OVERLOAD vload_half(size_t i, const space half *p) { return (float)p[i]; } \
    float OVERLOAD vloada_half(size_t i, const space half *p) { return (float)p[i]; }
#elif N == 3
#define LOAD(space) \
    F OVERLOAD vload_half3(size_t i, const space half *p) { p += 3 * i; return CVT(F, ((H)(p[0], p[1], p[2]))); } \
    F OVERLOAD vloada_half3(size_t i, const space half *p) { p += 4 * i; return CVT(F, ((H)(p[0], p[1], p[2]))); }
#else
typedef H CAT(H, _unaligned) __attribute__((aligned(2)));
#define LOAD(space) \
    F OVERLOAD CAT(vload_half, W)(size_t i, const space half *p) { return CVT(F, *(const space CAT(H, _unaligned) *)(p + N * i)); } \
    F OVERLOAD CAT(vloada_half, W)(size_t i, const space half *p) { return CVT(F, *(const space H *)(p + N * i)); }
#endif
EACH_SPACE(LOAD)
LOAD(constant)
#undef LOAD
#endif

#if N == 1
#define STORE(space, rounding) \
    void OVERLOAD CAT(vstore_half, rounding)(F v, size_t i, space half *p) { p[i] = CAT(convert_half, rounding)(v); } \
    void OVERLOAD CAT(vstorea_half, rounding)(F v, size_t i, space half *p) { p[i] = CAT(convert_half, rounding)(v); }
#elif N == 3
#define PUT(p, v, rounding) H h = CAT(convert_half3, rounding)(v); p[0] = h.x; p[1] = h.y; p[2] = h.z
#define STORE(space, rounding) \
    void OVERLOAD CAT(vstore_half3, rounding)(F v, size_t i, space half *p) { p += 3 * i; PUT(p, v, rounding); } \
    void OVERLOAD CAT(vstorea_half3, rounding)(F v, size_t i, space half *p) { p += 4 * i; PUT(p, v, rounding); }
#else
#define STORE(space, rounding) \
    void OVERLOAD CAT3(vstore_half, W, rounding)(F v, size_t i, space half *p) \
    { \
        *(space CAT(H, _unaligned) *)(p + N * i) = CAT3(convert_half, W, rounding)(v); \
    } \
    void OVERLOAD CAT3(vstorea_half, W, rounding)(F v, size_t i, space half *p) { *(space H *)(p + N * i) = CAT3(convert_half, W, rounding)(v); }
#endif

#define EACH_ROUNDING(space) STORE(space, ) STORE(space, _rte) STORE(space, _rtz) STORE(space, _rtp) STORE(space, _rtn)
H DECLARE CAT(convert_half, W)(F v);
H DECLARE CAT3(convert_half, W, _rte)(F v);
H DECLARE CAT3(convert_half, W, _rtz)(F v);
H DECLARE CAT3(convert_half, W, _rtp)(F v);
H DECLARE CAT3(convert_half, W, _rtn)(F v);
EACH_SPACE(EACH_ROUNDING)

#undef H
#undef PUT
#undef STORE
#undef EACH_ROUNDING
#endif
