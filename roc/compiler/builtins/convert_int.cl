// Conversions to int and its vectors.
#include "builtins.h"
#define T int
#define T_I int
#define T_SIGNED 1
#define T_MIN INT_MIN
#define T_MAX INT_MAX
#define BODY "convert_integer.h"
#include "each_integer.h"
#include "each_floating.h"
