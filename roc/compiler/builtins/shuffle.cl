// shuffle and shuffle2 (OpenCL C 3.0 section 6.15.11). A mask counts modulo the number of elements.
#include "builtins.h"
#ifndef F
#define BODY "shuffle.cl"
#include "each_integer.h"
#include "each_floating.h"
#elif N > 1 && N != 3

// AT takes an element of the source, AT2 one of two sources.
#define AT(k) x[k & (N - 1)]
#define AT2(k) ((k & N) ? y[k & (N - 1)] : x[k & (N - 1)])
#define PICK2(A) A(m.s0), A(m.s1)
#define PICK4(A) PICK2(A), A(m.s2), A(m.s3)
#define PICK8(A) PICK4(A), A(m.s4), A(m.s5), A(m.s6), A(m.s7)
#define PICK16(A) PICK8(A), A(m.s8), A(m.s9), A(m.sa), A(m.sb), A(m.sc), A(m.sd), A(m.se), A(m.sf)
#define SHUFFLE(M) \
    CAT(E, M) OVERLOAD shuffle(F x, CAT(EU, M) m) { return (CAT(E, M))(PICK##M(AT)); } \
    CAT(E, M) OVERLOAD shuffle2(F x, F y, CAT(EU, M) m) { return (CAT(E, M))(PICK##M(AT2)); }

SHUFFLE(2)
SHUFFLE(4)
SHUFFLE(8)
SHUFFLE(16)

#undef AT
#undef AT2
#undef PICK2
#undef PICK4
#undef PICK8
#undef PICK16
#undef SHUFFLE
#endif
