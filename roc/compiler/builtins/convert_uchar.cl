// Conversions to uchar and its vectors.
#include "builtins.h"
#define T uchar
#define T_I char
#define T_SIGNED 0
#define T_MIN 0
#define T_MAX UCHAR_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
