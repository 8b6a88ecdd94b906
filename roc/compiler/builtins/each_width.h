// Reads BODY for the scalar and each vector width of E (integer types EI, EU of the same size). CVT converts between a
// float and an integer type of equal N; LO and HI halve a vector, so that (F)(f(LO(x)), f(HI(x))) applies f to each
// element; W_LO and W_HI are the suffixes of the halves' types.
#define F CAT(E, W)
#define I CAT(EI, W)
#define U CAT(EU, W)

#define N 1
#define W
#define CVT(T, x) ((T)(x))
#include BODY
#undef N
#undef W
#undef W_LO
#undef W_HI
#undef CVT

#define CVT(T, x) __builtin_convertvector(x, T)
#define LO(x) x.lo
#define HI(x) x.hi
#define N 2
#define W 2
#define W_LO
#define W_HI
#include BODY
#undef N
#undef W
#undef W_LO
#undef W_HI
#define N 4
#define W 4
#define W_LO 2
#define W_HI 2
#include BODY
#undef N
#undef W
#undef W_LO
#undef W_HI
#define N 8
#define W 8
#define W_LO 4
#define W_HI 4
#include BODY
#undef N
#undef W
#undef W_LO
#undef W_HI
#define N 16
#define W 16
#define W_LO 8
#define W_HI 8
#include BODY
#undef N
#undef W
#undef W_LO
#undef W_HI
#undef LO
#undef HI

#define LO(x) x.xy
#define HI(x) x.z
#define N 3
#define W 3
#define W_LO 2
#define W_HI
#include BODY
#undef N
#undef W
#undef W_LO
#undef W_HI
#undef LO
#undef HI
#undef CVT

#undef F
#undef I
#undef U
