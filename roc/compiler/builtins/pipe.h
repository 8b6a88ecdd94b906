// Pipes (OpenCL C 3.0 section 6.15.17): a ring of packets (codeobject.Pipe). A reservation takes tickets, by one compare-and-exchange,
// as many as there are packets; the ticket's remainder is the place in the ring. Each place has a flag that its packet is there:
// commits set or clear it in whatever order they come, and a reservation is made only of places whose flags are as it needs them.
// So a packet is seen neither before it is committed nor before those in front of it, and nobody ever waits.
#ifndef PIPE_H
#define PIPE_H

typedef struct {
    uint packet_size, max_packets;
    global uchar *packets, *filled;
    ulong apart1[5];
    ulong written; // tickets that writers have taken
    ulong apart2[7];
    ulong read; // tickets that readers have taken
} Pipe;

#define WRITE true
#define READ false

// A reservation is the number of packets in its upper half, and the first one's place in the lower.
#define NONE AS(ulong, CLK_NULL_RESERVE_ID)
#define RESERVATION(id) AS(reserve_id_t, id)

LOCAL uint place(global Pipe *p, ulong i) { return i < p->max_packets ? i : i - p->max_packets; }

LOCAL bool all_are(global Pipe *p, uint first, uint n, bool filled)
{
    for (uint i = 0; i < n; i++)
        if (__atomic_load_n(&p->filled[place(p, (ulong)first + i)], __ATOMIC_ACQUIRE) != filled)
            return false;
    return true;
}

LOCAL ulong reserve(global Pipe *p, bool write, uint n, uint size)
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

LOCAL void commit(global Pipe *p, bool write, ulong id)
{
    if (id == NONE)
        return;
    for (uint i = 0, n = id >> 32; i < n; i++)
        __atomic_store_n(&p->filled[place(p, (ulong)(uint)id + i)], (uchar)write, __ATOMIC_RELEASE);
}

#endif
