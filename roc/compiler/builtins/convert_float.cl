// Conversions to float and its vectors.
#include "builtins.h"
#define T float
#define T_I int
#define T_BITS 32
#define BODY "convert_floating.h"
#include "each_floating.h"
#include "each_integer.h"
