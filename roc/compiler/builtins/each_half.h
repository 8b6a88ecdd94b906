// Reads BODY for half and its vectors. E_NORMAL is the least normal number, E_MANTISSA the stored bits of a mantissa,
// E_BIAS the bias of the exponent.
#define E half
#define EI short
#define EU ushort
#define FLOATING 1
#define E_NORMAL 0x1p-14h
#define E_MANTISSA 10
#define E_BIAS 15
#define BITS 16
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef BITS
#undef E_MANTISSA
#undef E_BIAS
#undef FLOATING
#undef E_NORMAL
