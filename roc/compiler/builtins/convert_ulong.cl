// Conversions to ulong and its vectors.
#include "builtins.h"
#define T ulong
#define T_I long
#define T_SIGNED 0
#define T_MIN 0
#define T_MAX ULONG_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
