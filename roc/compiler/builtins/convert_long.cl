// Conversions to long and its vectors.
#include "builtins.h"
#define T long
#define T_I long
#define T_SIGNED 1
#define T_MIN LONG_MIN
#define T_MAX LONG_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
