// async_work_group_copy, async_work_group_strided_copy, wait_group_events, prefetch (OpenCL C 3.0 section 6.15.11), and the copies
// of cl_khr_extended_async_copies. Each work-item copies its share at once; the wait is a barrier.
#include "builtins.h"
#ifndef F
size_t DECLARE get_local_linear_id(void);
size_t DECLARE get_local_size(uint d);
void DECLARE __attribute__((convergent)) barrier(cl_mem_fence_flags flags);

LOCAL size_t group_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define WAIT(space) void OVERLOAD wait_group_events(int n, space event_t *events) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
EACH_SPACE(WAIT)

// Lengths are in elements of size bytes. Offsets, and the lengths from one line and plane to the next, are of to and of from.
#define COPY_3D(To, From) \
    event_t OVERLOAD async_work_group_copy_3D3D(To void *to, size_t to_offset, const From void *from, size_t from_offset, size_t size, \
                                                size_t elements, size_t lines, size_t planes, size_t from_line, size_t from_plane, \
                                                size_t to_line, size_t to_plane, event_t event) \
    { \
        for (size_t z = 0; z < planes; z++) \
            for (size_t y = 0; y < lines; y++) { \
                To uchar *t = (To uchar *)to + (to_offset + z * to_plane + y * to_line) * size; \
                const From uchar *f = (const From uchar *)from + (from_offset + z * from_plane + y * from_line) * size; \
                for (size_t i = get_local_linear_id(), step = group_items(); i < elements * size; i += step) \
                    t[i] = f[i]; \
            } \
        return event; \
    } \
    event_t OVERLOAD async_work_group_copy_2D2D(To void *to, size_t to_offset, const From void *from, size_t from_offset, size_t size, \
                                                size_t elements, size_t lines, size_t from_line, size_t to_line, event_t event) \
    { \
        return async_work_group_copy_3D3D(to, to_offset, from, from_offset, size, elements, lines, 1, from_line, 0, to_line, 0, event); \
    }

COPY_3D(local, global)
COPY_3D(global, local)

#define BODY "async.cl"
#include "each_integer.h"
#include "each_floating.h"
#else

// "async_work_group_copy and async_work_group_strided_copy for 3-component vector types behave as async_work_group_copy and
// async_work_group_strided_copy respectively for 4-component vector types": what lies in between is copied as well.
#if N == 3
#define ELEMENT CAT(E, 4)
#else
#define ELEMENT F
#endif

#define COPY(To, From, to_stride, from_stride) \
    for (size_t i = get_local_linear_id(), step = group_items(); i < n; i += step) \
        ((To ELEMENT *)to)[i * (to_stride)] = ((const From ELEMENT *)from)[i * (from_stride)]; \
    return event;

event_t OVERLOAD async_work_group_copy(local F *to, const global F *from, size_t n, event_t event) { COPY(local, global, 1, 1) }
event_t OVERLOAD async_work_group_copy(global F *to, const local F *from, size_t n, event_t event) { COPY(global, local, 1, 1) }

event_t OVERLOAD async_work_group_strided_copy(local F *to, const global F *from, size_t n, size_t stride, event_t event)
{
    COPY(local, global, 1, stride)
}

event_t OVERLOAD async_work_group_strided_copy(global F *to, const local F *from, size_t n, size_t stride, event_t event)
{
    COPY(global, local, stride, 1)
}
#undef COPY
#undef ELEMENT

void OVERLOAD prefetch(const global F *p, size_t n) {}
#endif
