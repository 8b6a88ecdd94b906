// What kernels call to enqueue, see package devicequeue. These functions are linked when the work-group transforms are through.
#include "device_queue.h"
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

#define FUNCTION __attribute__((noinline))
#define RELAXED __ATOMIC_RELAXED
#define POINTER(T, address) ((generic T *)(private T *)(address))
#define ADDRESS(p) ((ulong)(p))

LOCAL uint align_up(uint n, uint to) { return (n + to - 1) & -to; }

// take removes an element from a pool; 0 if it is empty.
LOCAL ulong take(generic Pool *p)
{
    ulong old = __atomic_load_n(&p->top, __ATOMIC_ACQUIRE);
    while ((uint)old) {
        ulong e = p->base + ((uint)old - 1) * (ulong)p->size;
        // Another may have it by now, and write there: then the tag has changed.
        uint next = __atomic_load_n(POINTER(uint, e), RELAXED);
        if (__atomic_compare_exchange_n(&p->top, &old, ((old >> 32) + 1) << 32 | next, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
            if (next && p->size == sizeof(Slot)) { // the one to take next is in no cache, or in that of another core
                generic uchar *first = POINTER(uchar, p->base + (next - 1) * (ulong)p->size);
                for (int i = 0; i < 5; i++)
                    __builtin_prefetch((const void *)(first + 64 * i), 1);
            }
            return e;
        }
    }
    uint n = __atomic_load_n(&p->fresh, RELAXED);
    while (n < p->count)
        if (__atomic_compare_exchange_n(&p->fresh, &n, n + 1, true, RELAXED, RELAXED))
            return p->base + n * (ulong)p->size;
    return 0;
}

LOCAL void give(generic Pool *p, ulong e)
{
    uint index = ((e - p->base) >> __builtin_ctz(p->size)) + 1;
    ulong old = __atomic_load_n(&p->top, RELAXED);
    do
        __atomic_store_n(POINTER(uint, e), (uint)old, RELAXED);
    while (!__atomic_compare_exchange_n(&p->top, &old, old & 0xffffffff00000000 | index, true, __ATOMIC_RELEASE, RELAXED));
}

// new_event returns an event with so many references.
LOCAL ulong new_event(generic Pool *events, int refs)
{
    ulong at = take(events);
    generic Event *e = POINTER(Event, at);
    if (at) {
        e->status = CL_SUBMITTED;
        e->refs = refs;
        e->waiters = e->start = e->end = e->capture = 0;
        e->result = 0;
    }
    return at;
}

LOCAL bool valid(generic Pool *events, ulong e)
{
    ulong offset = e - events->base;
    return offset < __atomic_load_n(&events->fresh, RELAXED) * (ulong)events->size && (offset & events->size - 1) == 0 &&
           POINTER(Event, e)->refs > 0;
}

// choose is the work-group size for a range that leaves it open.
LOCAL void choose(const private ulong *size, private ulong *items, const generic Kernel *k)
{
    uint room = k->target_items;
    for (int d = 0; d < 3; d++) {
        uint all = size[d], n = MIN(all, room);
        if (k->uniform && n > 1)
            while (all % n)
                n--;
        items[d] = n;
        if (n > 1)
            room /= n;
    }
}

// Sizes of an NDRange, with ones behind its last dimension.
typedef struct {
    ulong offset[3], size[3], items[3];
    bool empty;
} Sizes;

LOCAL int measure(private Sizes *s, const private ndrange_t *r, const generic Kernel *k)
{
    uint n = r->workDimension;
    if (n < 1 || n > 3)
        return CLK_INVALID_NDRANGE;
    bool open = true;
    s->empty = false;
    for (uint d = 0; d < 3; d++) {
        s->offset[d] = d < n ? r->globalWorkOffset[d] : 0;
        s->size[d] = d < n ? r->globalWorkSize[d] : 1;
        s->items[d] = d < n ? r->localWorkSize[d] : 1;
        open &= d >= n || s->items[d] == 0;
        s->empty |= s->size[d] == 0;
        if (s->size[d] >> 32)
            return CLK_INVALID_NDRANGE;
    }
    if (s->empty)
        return CLK_SUCCESS;
    if (open) {
        choose(s->size, s->items, k);
        return CLK_SUCCESS;
    }
    ulong items = 1;
    for (uint d = 0; d < 3; d++) {
        if (s->items[d] == 0 || s->items[d] > k->max_items || k->uniform && s->size[d] % s->items[d])
            return CLK_INVALID_NDRANGE;
        items *= s->items[d];
    }
    return items > k->max_items ? CLK_INVALID_NDRANGE : CLK_SUCCESS;
}

// The hidden arguments of codeobject.HiddenArgs that native kernels read.
typedef struct {
    uint blocks[3];
    ushort size[3], remainder[3];
    uint base[3], unused;
    ulong offset[3];
    ushort dims, unused2[3];
    ulong unused3[4], default_queue, unused4[2];
} Hidden;

LOCAL void fill(generic Slot *slot, generic uchar *kernarg, const private Sizes *r, uint dims, const generic Kernel *k, uint group,
                ulong default_queue)
{
    generic Hidden *h = (generic Hidden *)(kernarg + k->hidden);
    slot->setup = dims;
    slot->private_size = k->private_size;
    slot->group_size = group;
    slot->object = k->object;
    for (int d = 0; d < 3; d++) {
        slot->group[d] = r->items[d];
        slot->grid[d] = r->size[d];
        uint size = r->size[d], items = r->items[d];
        h->blocks[d] = size == items ? 1 : size / items;
        h->remainder[d] = size == items ? 0 : size % items;
        h->size[d] = r->items[d];
        h->base[d] = 0;
        h->offset[d] = r->offset[d];
    }
    h->dims = dims;
    h->default_queue = default_queue;
}

LOCAL void copy(generic uchar *to, const generic uchar *from, uint size)
{
    uint i = 0;
    for (; i + 8 <= size; i += 8)
        *(generic ulong *)(to + i) = *(const generic ulong *)(from + i);
    for (; i < size; i++)
        to[i] = from[i];
}

// count has one more member counted where the kernel counts, several at a time if it goes on: others count there too.
LOCAL void count(private Enqueues *s)
{
    if (s->credit == 0) {
        s->granted = s->granted ? MIN(2 * s->granted, 64u) : 1;
        s->credit = s->granted;
        if (s->node & 1) // a family
            __atomic_fetch_add(POINTER(long, s->node ^ 1), (long)s->credit, RELAXED);
        else
            __atomic_fetch_add(&POINTER(Event, s->node)->count, (int)s->credit, RELAXED);
    }
    s->credit--;
}

// publish puts a slot into the ring of those that may run.
LOCAL void publish(private Enqueues *s, generic Queue *queue, ulong slot)
{
    ulong at = __atomic_fetch_add(&queue->put, 1, __ATOMIC_SEQ_CST);
    generic uint *cell = POINTER(uint, queue->ready) + (at & queue->mask);
    uint index = (slot - queue->slots.base) / sizeof(Slot) + 1, empty = 0;
    while (!__atomic_compare_exchange_n(cell, &empty, index, false, __ATOMIC_RELEASE, RELAXED))
        empty = 0;
    s->published++;
    if (!s->bell || (long)(__atomic_load_n(&queue->got, RELAXED) - at) < 0)
        return; // who was told of an earlier one will find it
    generic Bell *bell = POINTER(Bell, s->bell);
    __atomic_fetch_add(POINTER(uint, bell->news), 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(POINTER(int, bell->attentive), RELAXED) == 0 && __atomic_load_n(POINTER(int, bell->spare), RELAXED) > 0)
        ((void (*)(generic Bell *))bell->wake)(bell);
}

FUNCTION int aqueduct_device_enqueue(private Enqueues *s, generic Queue *queue, int flags, const private ndrange_t *range, uint waits,
                                     const generic ulong *wait, generic ulong *ret, const generic Kernel *k,
                                     const generic Literal *block, uint locals, const private ulong *sizes)
{
    if (!queue)
        return CLK_INVALID_QUEUE;
    // CLK_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or if event_wait_list is not NULL
    // and num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events; of a marker also if it is
    // NULL
    if (!wait != !waits || !k && !wait)
        return CLK_INVALID_EVENT_WAIT_LIST;
    generic Pool *events = POINTER(Pool, queue->events);
    for (uint i = 0; i < waits; i++)
        if (!valid(events, wait[i]))
            return CLK_INVALID_EVENT_WAIT_LIST;
    private Sizes r;
    uint group = 0, end = 0;
    if (k) {
        if (flags < CLK_ENQUEUE_FLAGS_NO_WAIT || flags > CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP)
            return CLK_ENQUEUE_FAILURE;
        int error = measure(&r, range, k);
        if (error)
            return error;
        ulong at = k->group_segment;
        for (uint i = 0; i < locals; i++) {
            if (sizes[i] == 0)
                return CLK_INVALID_ARG_SIZE;
            at = (at + 127 & -128L) + sizes[i];
            if (at > k->local_memory)
                return CLK_OUT_OF_RESOURCES;
        }
        group = at;
        end = k->hidden + sizeof(Hidden);
    } else if (!ret) {
        return CLK_SUCCESS; // "event_ret must not be NULL as otherwise this is a no-op"
    }
    uint literal = k ? align_up(end, MAX(block->align, 8)) : 0;
    if (k)
        end = literal + block->size;
    end = align_up(end, 8);
    uint list = end;
    end += waits * sizeof(Wait);

    ulong at = take(&queue->slots);
    if (!at)
        return CLK_DEVICE_QUEUE_FULL;
    generic Slot *slot = POINTER(Slot, at);
    ulong data = ADDRESS(&slot->data), event = 0;
    slot->class = 0;
    s->claimed = at;
    if (end > SLOT_DATA) {
        int c = 0;
        while (c < LARGE_BLOCKS && queue->large[c].size < end)
            c++;
        data = c < LARGE_BLOCKS && waits < 4096 ? take(&queue->large[c]) : 0;
        if (!data) {
            s->claimed = 0;
            give(&queue->slots, at);
            return CLK_OUT_OF_RESOURCES;
        }
        slot->kernarg = data;
        slot->class = c + 1;
    }
    if (ret && !(event = new_event(events, 2))) { // for the kernel, and until it has ended
        if (slot->class)
            give(&queue->large[slot->class - 1], data);
        s->claimed = 0;
        give(&queue->slots, at);
        return CLK_EVENT_ALLOCATION_FAILURE;
    }
    slot->queue = ADDRESS(queue);
    slot->kernarg = data;
    slot->object = 0;
    slot->event = event;
    slot->status = 0;
    slot->flags = flags;
    slot->events = waits;
    slot->waits = data + list;
    slot->next = 0;
    if (k) {
        generic uchar *kernarg = POINTER(uchar, data);
        copy(kernarg + literal, (const generic uchar *)block, block->size);
        if (!r.empty) {
            *(generic ulong *)kernarg = data + literal;
            uint offset = k->group_segment;
            for (uint i = 0; i < locals; i++) {
                offset = offset + 127 & -128;
                *(generic uint *)(kernarg + 8 + 4 * i) = offset;
                offset += sizes[i];
            }
            fill(slot, kernarg, &r, range->workDimension, k, group, s->default_queue);
        }
    }
    for (uint i = 0; i < waits; i++) {
        POINTER(Wait, slot->waits)[i].event = wait[i];
        __atomic_fetch_add(&POINTER(Event, wait[i])->refs, 1, RELAXED);
    }
    if (ret)
        *ret = event;
    s->claimed = 0;
    count(s);
    slot->family = s->family;
    slot->node = s->node;
    if (event) {
        slot->node = event;
        POINTER(Event, event)->up = s->node;
        POINTER(Event, event)->count = 1;
    }
    if (flags == CLK_ENQUEUE_FLAGS_NO_WAIT && !waits && slot->object) {
        publish(s, queue, at);
        return CLK_SUCCESS;
    }
    if (s->last)
        POINTER(Slot, s->last)->next = at;
    else
        s->first = at;
    s->last = at;
    return CLK_SUCCESS;
}

FUNCTION ulong aqueduct_device_create(private Enqueues *s)
{
    ulong e = s->events ? new_event(POINTER(Pool, s->events), 1) : 0;
    if (!e)
        return ~0UL; // CLK_NULL_EVENT
    POINTER(Event, e)->count = USER;
    return e;
}

FUNCTION int aqueduct_device_valid(private Enqueues *s, ulong e) { return s->events && valid(POINTER(Pool, s->events), e); }

FUNCTION void aqueduct_device_set(private Enqueues *s, ulong event, int status)
{
    generic Event *e = POINTER(Event, event);
    int unset = USER; // an event has one status
    if (status > 0 || !aqueduct_device_valid(s, event) || !__atomic_compare_exchange_n(&e->count, &unset, status, false, RELAXED, RELAXED))
        return;
    e->up = s->signals;
    __atomic_fetch_add(&e->refs, 1, RELAXED);
    s->signals = event;
}

FUNCTION void aqueduct_device_retain(private Enqueues *s, ulong event)
{
    if (aqueduct_device_valid(s, event))
        __atomic_fetch_add(&POINTER(Event, event)->refs, 1, RELAXED);
}

FUNCTION void aqueduct_device_release(private Enqueues *s, ulong event)
{
    if (aqueduct_device_valid(s, event) && __atomic_fetch_sub(&POINTER(Event, event)->refs, 1, __ATOMIC_ACQ_REL) == 1)
        give(POINTER(Pool, s->events), event);
}

FUNCTION void aqueduct_device_capture(private Enqueues *s, ulong event, global ulong *value)
{
    if (!aqueduct_device_valid(s, event))
        return;
    generic Event *e = POINTER(Event, event);
    ulong open = 0;
    if (__atomic_compare_exchange_n(&e->capture, &open, (ulong)value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    value[0] = e->end;
    value[1] = e->start;
}
