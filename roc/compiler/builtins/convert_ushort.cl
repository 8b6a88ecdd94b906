// Conversions to ushort and its vectors.
#include "builtins.h"
#define T ushort
#define T_I short
#define T_SIGNED 0
#define T_MIN 0
#define T_MAX USHRT_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
