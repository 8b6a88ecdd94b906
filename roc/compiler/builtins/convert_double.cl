// Conversions to double and its vectors.
#include "builtins.h"
#define T double
#define T_I long
#define T_BITS 64
#define BODY "convert_floating.h"
#include "each_floating.h"
#include "each_integer.h"
