// Conversions to short and its vectors.
#include "builtins.h"
#define T short
#define T_I short
#define T_SIGNED 1
#define T_MIN SHRT_MIN
#define T_MAX SHRT_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
