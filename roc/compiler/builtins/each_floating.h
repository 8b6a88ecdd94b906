// Reads BODY for every floating-point type and its vectors.
#include "each_float.h"
#include "each_double.h"
#include "each_half.h"
