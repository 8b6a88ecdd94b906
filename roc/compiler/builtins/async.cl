// async_work_group_copy, async_work_group_strided_copy, wait_group_events, prefetch (OpenCL C 3.0 section 6.15.11). Each
// work-item copies its share at once; the wait is a barrier.
#include "builtins.h"
#ifndef F
size_t DECLARE get_local_linear_id(void);
size_t DECLARE get_local_size(uint d);
void DECLARE __attribute__((convergent)) barrier(cl_mem_fence_flags flags);

LOCAL size_t group_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define WAIT(space) void OVERLOAD wait_group_events(int n, space event_t *events) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
EACH_SPACE(WAIT)

#define BODY "async.cl"
#include "each_integer.h"
#include "each_floating.h"
#else

#define COPY(To, From) \
    event_t OVERLOAD async_work_group_copy(To F *to, const From F *from, size_t n, event_t event) \
    { \
        for (size_t i = get_local_linear_id(), step = group_items(); i < n; i += step) \
            to[i] = from[i]; \
        return event; \
    }

COPY(local, global)
COPY(global, local)
#undef COPY

event_t OVERLOAD async_work_group_strided_copy(local F *to, const global F *from, size_t n, size_t stride, event_t event)
{
    for (size_t i = get_local_linear_id(), step = group_items(); i < n; i += step)
        to[i] = from[i * stride];
    return event;
}

event_t OVERLOAD async_work_group_strided_copy(global F *to, const local F *from, size_t n, size_t stride, event_t event)
{
    for (size_t i = get_local_linear_id(), step = group_items(); i < n; i += step)
        to[i * stride] = from[i];
    return event;
}

void OVERLOAD prefetch(const global F *p, size_t n) {}
#endif
