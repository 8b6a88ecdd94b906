// On-device queues, in the layouts of package devicequeue.
#ifndef DEVICE_QUEUE_H
#define DEVICE_QUEUE_H
#include "builtins.h"

typedef struct {
    ulong base;
    ulong top; // of the stack of free elements: tag, and below it 32 bits of index plus one
    uint fresh, count, size, unused;
} Pool;

// Queue is what a queue_t points to.
#define LARGE_BLOCKS 4
typedef struct {
    Pool slots, large[LARGE_BLOCKS];
    ulong events, self, ready, mask, unused[8], put, unused2[7], got;
} Queue;

#define SLOT_DATA 384
typedef struct {
    ushort header, setup, group[3], unused;
    uint grid[3], private_size, group_size;
    ulong object, kernarg, unused2, completion;
    ulong next, queue, family, node, event, waits;
    int open, status;
    uint events;
    ushort flags;
    uchar class, unused3;
    uchar data[SLOT_DATA];
} Slot;

typedef struct {
    ulong event, next, slot;
} Wait;

// Event is what a clk_event_t points to.
typedef struct {
    uint free;
    int status, refs, count;
    ulong up, waiters, start, end, capture;
    int result, unused;
} Event;

// USER is Event.count of a user event that has no status.
#define USER (-0x7fffffff - 1)

// Enqueues is where what a thread's kernels enqueue is left.
typedef struct {
    ulong first, last, claimed, signals, default_queue, events, family, node, bell;
    uint credit, granted, published, unused;
} Enqueues;

typedef struct {
    ulong attentive, spare, news, wake, pool;
} Bell;

// Kernel is what the driver writes of a block, see codeobject.BlockDescriptor.
typedef struct {
    ulong object;
    uint hidden, group_segment, local_memory, max_items, target_items, multiple, private_size, uniform;
} Kernel;

// Literal is a block as clang makes it: what it captures follows.
typedef struct {
    int size, align;
    ulong invoke;
} Literal;

// Package devicequeue's tests have the same numbers.
#define AT(T, field, offset) _Static_assert(__builtin_offsetof(T, field) == offset, #T "." #field)
_Static_assert(sizeof(Slot) == 512 && sizeof(Event) == 64 && sizeof(Pool) == 32 && sizeof(Enqueues) == 88 && sizeof(Wait) == 24, "sizes");
_Static_assert(sizeof(Kernel) == 40, "codeobject.BlockDescriptor");
AT(Slot, next, 64); AT(Slot, node, 88); AT(Slot, waits, 104); AT(Slot, open, 112); AT(Slot, events, 120); AT(Slot, flags, 124);
AT(Slot, class, 126); AT(Slot, data, 128);
AT(Event, count, 12); AT(Event, up, 16); AT(Event, capture, 48); AT(Event, result, 56);
AT(Pool, fresh, 16); AT(Pool, size, 24); AT(Queue, events, 160);
AT(Queue, ready, 176); AT(Queue, put, 256); AT(Queue, got, 320);
AT(Enqueues, claimed, 16); AT(Enqueues, default_queue, 32); AT(Enqueues, node, 56); AT(Enqueues, credit, 72);
AT(Bell, wake, 24); _Static_assert(sizeof(Bell) == 40, "Bell");

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// What is above is for the functions of device_queue.cl. They stay calls until the work-group transforms are through, and these
// lend them the address of the Enqueues.
private Enqueues *aqueduct_enqueues(void) __attribute__((const));
int aqueduct_device_enqueue(private Enqueues *s, generic Queue *queue, int flags, const private ndrange_t *range, uint waits,
                            const generic ulong *wait, generic ulong *ret, const generic Kernel *k,
                            const generic Literal *block, uint locals, const private ulong *sizes);
ulong aqueduct_device_create(private Enqueues *s);
void aqueduct_device_set(private Enqueues *s, ulong event, int status);
void aqueduct_device_retain(private Enqueues *s, ulong event);
void aqueduct_device_release(private Enqueues *s, ulong event);
int aqueduct_device_valid(private Enqueues *s, ulong event);
void aqueduct_device_capture(private Enqueues *s, ulong event, global ulong *value);

#endif
