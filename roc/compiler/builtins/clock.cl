// Kernel clocks (cl_khr_kernel_clock): the processor's time stamp, which all cores share and which never goes back.
#include "builtins.h"

#define CLOCK(scope) \
    ulong OVERLOAD clock_read_##scope(void) { return __builtin_readcyclecounter(); } \
    uint2 OVERLOAD clock_read_hilo_##scope(void) { return AS(uint2, (ulong)__builtin_readcyclecounter()); }

CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
