// Reads BODY for every integer type and its vectors: E is the type, SIGNED 1 or 0, BITS its size, E_MIN and E_MAX its range,
// E_WIDE the type of twice its size and the same signedness, EU_WIDE the unsigned one.

#define E char
#define EI char
#define EU uchar
#define FLOATING 0
#define SIGNED 1
#define BITS 8
#define E_MIN SCHAR_MIN
#define E_MAX SCHAR_MAX
#define E_WIDE short
#define EU_WIDE ushort
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
#undef E_WIDE
#undef EU_WIDE

#define E uchar
#define EI char
#define EU uchar
#define FLOATING 0
#define SIGNED 0
#define BITS 8
#define E_MIN 0
#define E_MAX UCHAR_MAX
#define E_WIDE ushort
#define EU_WIDE ushort
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
#undef E_WIDE
#undef EU_WIDE

#define E short
#define EI short
#define EU ushort
#define FLOATING 0
#define SIGNED 1
#define BITS 16
#define E_MIN SHRT_MIN
#define E_MAX SHRT_MAX
#define E_WIDE int
#define EU_WIDE uint
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
#undef E_WIDE
#undef EU_WIDE

#define E ushort
#define EI short
#define EU ushort
#define FLOATING 0
#define SIGNED 0
#define BITS 16
#define E_MIN 0
#define E_MAX USHRT_MAX
#define E_WIDE uint
#define EU_WIDE uint
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
#undef E_WIDE
#undef EU_WIDE

#define E int
#define EI int
#define EU uint
#define FLOATING 0
#define SIGNED 1
#define BITS 32
#define E_MIN INT_MIN
#define E_MAX INT_MAX
#define E_WIDE long
#define EU_WIDE ulong
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
#undef E_WIDE
#undef EU_WIDE

#define E uint
#define EI int
#define EU uint
#define FLOATING 0
#define SIGNED 0
#define BITS 32
#define E_MIN 0
#define E_MAX UINT_MAX
#define E_WIDE ulong
#define EU_WIDE ulong
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
#undef E_WIDE
#undef EU_WIDE

#define E long
#define EI long
#define EU ulong
#define FLOATING 0
#define SIGNED 1
#define BITS 64
#define E_MIN LONG_MIN
#define E_MAX LONG_MAX
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX

#define E ulong
#define EI long
#define EU ulong
#define FLOATING 0
#define SIGNED 0
#define BITS 64
#define E_MIN 0
#define E_MAX ULONG_MAX
#include "each_width.h"
#undef E
#undef EI
#undef EU
#undef FLOATING
#undef SIGNED
#undef BITS
#undef E_MIN
#undef E_MAX
