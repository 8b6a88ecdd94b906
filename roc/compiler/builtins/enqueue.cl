// Device-side enqueue (OpenCL C 3.0 section 6.15.18). clang makes calls of the functions that start with two underscores of
// enqueue_kernel and of the queries about blocks.
#include "device_queue.h"

#define SUB_GROUP 16
#define QUEUE(q) ((generic Queue *)__builtin_astype(q, private Queue *))
#define EVENT(e) ((ulong)__builtin_astype(e, private Event *))
#define RANGE const private ndrange_t *

int __enqueue_kernel_basic(queue_t q, int flags, RANGE r, generic void *k, generic void *block)
{
    return aqueduct_device_enqueue(aqueduct_enqueues(), QUEUE(q), flags, r, 0, 0, 0, k, block, 0, 0);
}

int __enqueue_kernel_basic_events(queue_t q, int flags, RANGE r, uint waits, generic clk_event_t *wait, generic clk_event_t *ret,
                                  generic void *k, generic void *block)
{
    return aqueduct_device_enqueue(aqueduct_enqueues(), QUEUE(q), flags, r, waits, (generic ulong *)wait, (generic ulong *)ret, k,
                                   block, 0, 0);
}

int __enqueue_kernel_varargs(queue_t q, int flags, RANGE r, generic void *k, generic void *block, uint locals,
                             private ulong *sizes)
{
    return aqueduct_device_enqueue(aqueduct_enqueues(), QUEUE(q), flags, r, 0, 0, 0, k, block, locals, sizes);
}

int __enqueue_kernel_events_varargs(queue_t q, int flags, RANGE r, uint waits, generic clk_event_t *wait, generic clk_event_t *ret,
                                    generic void *k, generic void *block, uint locals, private ulong *sizes)
{
    return aqueduct_device_enqueue(aqueduct_enqueues(), QUEUE(q), flags, r, waits, (generic ulong *)wait, (generic ulong *)ret, k,
                                   block, locals, sizes);
}

int OVERLOAD enqueue_marker(queue_t q, uint waits, const generic clk_event_t *wait, generic clk_event_t *ret)
{
    return aqueduct_device_enqueue(aqueduct_enqueues(), QUEUE(q), CLK_ENQUEUE_FLAGS_NO_WAIT, 0, waits, (const generic ulong *)wait,
                                   (generic ulong *)ret, 0, 0, 0, 0);
}

// "the maximum work-group size that can be used to execute a block"
uint __get_kernel_work_group_size_impl(generic void *k, generic void *block) { return ((generic Kernel *)k)->max_items; }

uint __get_kernel_preferred_work_group_size_multiple_impl(generic void *k, generic void *block)
{
    return ((generic Kernel *)k)->multiple;
}

LOCAL ulong group_items(RANGE r, const generic Kernel *k)
{
    ulong n = 1;
    for (uint d = 0; d < r->workDimension && d < 3; d++)
        n *= r->localWorkSize[d];
    return n ? n : k->target_items;
}

uint __get_kernel_sub_group_count_for_ndrange_impl(RANGE r, generic void *k, generic void *block)
{
    return (group_items(r, k) + SUB_GROUP - 1) / SUB_GROUP;
}

uint __get_kernel_max_sub_group_size_for_ndrange_impl(RANGE r, generic void *k, generic void *block)
{
    return MIN(group_items(r, k), SUB_GROUP);
}

// What SPIR-V asks beyond OpenCL C of a kernel whose work-groups may have so many work-items: OpGetKernelMaxNumSubgroups and
// OpGetKernelLocalSizeForSubgroupCount.
uint __aqueduct_max_sub_groups(uint items) { return (items + SUB_GROUP - 1) / SUB_GROUP; }
uint __aqueduct_local_size(uint items, uint sub_groups) { return sub_groups <= items / SUB_GROUP ? sub_groups * SUB_GROUP : 0; }

queue_t OVERLOAD get_default_queue(void)
{
    return __builtin_astype((private void *)aqueduct_enqueues()->default_queue, queue_t);
}

clk_event_t OVERLOAD create_user_event(void)
{
    return __builtin_astype((private void *)aqueduct_device_create(aqueduct_enqueues()), clk_event_t);
}

bool OVERLOAD is_valid_event(clk_event_t e)
{
    return aqueduct_device_valid(aqueduct_enqueues(), EVENT(e)) != 0;
}

void OVERLOAD set_user_event_status(clk_event_t e, int status) { aqueduct_device_set(aqueduct_enqueues(), EVENT(e), status); }
void OVERLOAD retain_event(clk_event_t e) { aqueduct_device_retain(aqueduct_enqueues(), EVENT(e)); }
void OVERLOAD release_event(clk_event_t e) { aqueduct_device_release(aqueduct_enqueues(), EVENT(e)); }

void OVERLOAD capture_event_profiling_info(clk_event_t e, clk_profiling_info name, global void *value)
{
    if (name == CLK_PROFILING_COMMAND_EXEC_TIME)
        aqueduct_device_capture(aqueduct_enqueues(), EVENT(e), value);
}

#define ND(n, T, AT) \
    LOCAL ndrange_t range_##n(T offset, T size, T group) \
    { \
        ndrange_t r = {n}; \
        for (int d = 0; d < n; d++) { \
            r.globalWorkOffset[d] = AT(offset); \
            r.globalWorkSize[d] = AT(size); \
            r.localWorkSize[d] = AT(group); \
        } \
        return r; \
    } \
    ndrange_t OVERLOAD ndrange_##n##D(T size) { return range_##n(0, size, 0); } \
    ndrange_t OVERLOAD ndrange_##n##D(T size, T group) { return range_##n(0, size, group); } \
    ndrange_t OVERLOAD ndrange_##n##D(T offset, T size, T group) { return range_##n(offset, size, group); }

#define NUMBER(x) (x)
#define ELEMENT(x) ((x) ? (x)[d] : 0)
ND(1, size_t, NUMBER)
ND(2, const private size_t *, ELEMENT)
ND(3, const private size_t *, ELEMENT)
