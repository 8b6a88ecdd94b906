// Reservations of pipes. This function is linked when the work-group transforms are through.
#include "builtins.h"
#include "pipe.h"

LOCAL bool all_are(global Pipe *p, uint first, uint n, bool filled)
{
    for (uint i = 0; i < n; i++)
        if (__atomic_load_n(&p->filled[place(p, (ulong)first + i)], __ATOMIC_ACQUIRE) != filled)
            return false;
    return true;
}

__attribute__((noinline)) ulong aqueduct_pipe_reserve(global Pipe *p, int write, uint n, uint size)
{
    uint max = p->max_packets;
    if (size != p->packet_size || n == 0 || n > max)
        return NONE;
    global ulong *mine = write ? &p->written : &p->read;
    ulong ticket = __atomic_load_n(mine, __ATOMIC_RELAXED);
    for (;;) {
        ulong end = write ? __atomic_load_n(&p->read, __ATOMIC_ACQUIRE) + max : __atomic_load_n(&p->written, __ATOMIC_ACQUIRE);
        if (ticket + n > end)
            return NONE;
        uint first = ticket % max;
        ulong before = ticket;
        if (!all_are(p, first, n, !write)) {
            ticket = __atomic_load_n(mine, __ATOMIC_RELAXED);
            if (ticket == before)
                return NONE;
        } else if (__atomic_compare_exchange_n(mine, &ticket, ticket + n, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            return (ulong)n << 32 | first;
        }
    }
}
