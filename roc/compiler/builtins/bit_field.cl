// bitfield_insert, bitfield_extract_signed, bitfield_extract_unsigned, bit_reverse (OpenCL C 3.0 section 6.15.3, extended bit
// operations: cl_khr_extended_bit_ops).
#include "builtins.h"
#ifndef F
#define BODY "bit_field.cl"
#include "each_integer.h"
#else

F OVERLOAD bitfield_insert(F base, F insert, uint offset, uint count)
{
    U mask = (U)(EU)(count < BITS ? (((ulong)1 << count) - 1) << offset : -1);
    return AS(F, (U)((AS(U, base) & ~mask) | (AS(U, insert) << (U)(EU)offset & mask)));
}

// The field is first moved to the upper end. A shift by BITS, of an empty field, is one by 0 and means nothing.
I OVERLOAD bitfield_extract_signed(F base, uint offset, uint count)
{
    I high = AS(I, (U)(AS(U, base) << (U)(EU)(BITS - offset - count & BITS - 1)));
    return count ? (I)(high >> (I)(EI)(BITS - count)) : (I)0;
}

U OVERLOAD bitfield_extract_unsigned(F base, uint offset, uint count)
{
    U mask = (U)(EU)(count < BITS ? ((ulong)1 << count) - 1 : -1);
    return (U)(AS(U, base) >> (U)(EU)(offset & BITS - 1) & mask);
}

#if N == 1
F OVERLOAD bit_reverse(F x) { return AS(F, CAT(__builtin_bitreverse, BITS)(AS(U, x))); }
#else
F OVERLOAD bit_reverse(F x) { return __builtin_elementwise_bitreverse(x); }
#endif
#endif
