// What follows from the work-item functions that the work-group transforms provide (OpenCL C 3.0 sections 6.15.1, 6.15.8).
#include "builtins.h"

size_t DECLARE get_global_id(uint d);
size_t DECLARE get_global_offset(uint d);
size_t DECLARE get_global_size(uint d);
size_t DECLARE get_local_id(uint d);
size_t DECLARE get_local_size(uint d);

size_t OVERLOAD get_global_linear_id(void)
{
    size_t z = get_global_id(2) - get_global_offset(2), y = get_global_id(1) - get_global_offset(1);
    return (z * get_global_size(1) + y) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
}

size_t OVERLOAD get_local_linear_id(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

// Work-items of a group run on one thread; other threads see x86's order, so that only the compiler needs to be told.
void OVERLOAD mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
void OVERLOAD read_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
void OVERLOAD write_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_RELEASE); }
