// Reads BODY for float and its vectors. E_NORMAL is the least normal number, E_MANTISSA the stored bits of a mantissa,
// E_BIAS the bias of the exponent. Squares of magnitudes from E_SMALL to E_BIG stay in range, and E_UP and its inverse
// E_DOWN bring others there.
#define E float
#define EI int
#define EU uint
#define FLOATING 1
#define E_NORMAL 0x1p-126f
#define E_BIG 0x1p60f
#define E_SMALL 0x1p-40f
#define E_UP 0x1p80f
#define E_DOWN 0x1p-80f
#define E_MANTISSA 23
#define E_BIAS 127
#define BITS 32
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef BITS
#undef E_MANTISSA
#undef E_BIAS
#undef FLOATING
#undef E_NORMAL
#undef E_BIG
#undef E_SMALL
#undef E_UP
#undef E_DOWN
