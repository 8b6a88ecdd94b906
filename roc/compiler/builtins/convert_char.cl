// Conversions to char and its vectors.
#include "builtins.h"
#define T char
#define T_I char
#define T_SIGNED 1
#define T_MIN SCHAR_MIN
#define T_MAX SCHAR_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
