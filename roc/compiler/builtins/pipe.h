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

// The function of pipe_reserve.cl, which stays a call until the work-group transforms are through: lanes of a vector make their
// reservations one after the other, as in a loop that each leaves for itself one might wait for another.
ulong aqueduct_pipe_reserve(global Pipe *p, int write, uint n, uint size);

LOCAL void commit(global Pipe *p, bool write, ulong id)
{
    if (id == NONE)
        return;
    for (uint i = 0, n = id >> 32; i < n; i++)
        __atomic_store_n(&p->filled[place(p, (ulong)(uint)id + i)], (uchar)write, __ATOMIC_RELEASE);
}

#endif
