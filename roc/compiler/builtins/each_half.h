// Reads BODY for half and its vectors. E_NORMAL is the least normal number.
#define E half
#define EI short
#define EU ushort
#define FLOATING 1
#define E_NORMAL 0x1p-14h
#define BITS 16
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef BITS
#undef FLOATING
#undef E_NORMAL
