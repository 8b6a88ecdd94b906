// How collective functions combine two values.
#ifndef COMBINE_H
#define COMBINE_H

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) || (a) != (a) ? (b) : (a)) // of a number and a NaN the number, as SPIR-V has it
#define MAX(a, b) ((a) < (b) || (a) != (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

#endif
