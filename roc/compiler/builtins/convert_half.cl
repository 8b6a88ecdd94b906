// Conversions to half and its vectors.
#include "builtins.h"
#define T half
#define T_I short
#define T_BITS 16
#define BODY "convert_floating.h"
#include "each_floating.h"
#include "each_integer.h"
