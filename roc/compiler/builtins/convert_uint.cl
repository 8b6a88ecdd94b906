// Conversions to uint and its vectors.
#include "builtins.h"
#define T uint
#define T_I int
#define T_SIGNED 0
#define T_MIN 0
#define T_MAX UINT_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
