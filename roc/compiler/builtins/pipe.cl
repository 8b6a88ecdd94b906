// Pipe functions of a work-item, and queries. Clang calls them by these names, with size and alignment of a packet. A packet of
// another size than the pipe's is neither read nor written.
#include "builtins.h"
#include "pipe.h"

#define COPY(T) for (uint i = 0; i < size / sizeof(T); i++) ((generic T *)to)[i] = ((const generic T *)from)[i]

LOCAL void copy(generic void *to, const generic void *from, uint size, uint align)
{
    if (align >= 8)
        COPY(ulong);
    else if (align == 4)
        COPY(uint);
    else if (align == 2)
        COPY(ushort);
    else
        COPY(uchar);
}

LOCAL global uchar *packet(global Pipe *p, uint i) { return p->packets + (ulong)i * p->packet_size; }

// The place of packet index of a reservation, PAST where there is none.
#define PAST UINT_MAX
LOCAL uint reserved(global Pipe *p, reserve_id_t r, uint index, uint size)
{
    ulong id = AS(ulong, r);
    return id != NONE && index < id >> 32 && size == p->packet_size ? place(p, (ulong)(uint)id + index) : PAST;
}

#define FUNCTION __attribute__((always_inline))

FUNCTION int __read_pipe_2(global Pipe *p, generic void *to, uint size, uint align)
{
    ulong id = aqueduct_pipe_reserve(p, READ, 1, size);
    if (id == NONE)
        return -1;
    copy(to, packet(p, id), size, align);
    commit(p, READ, id);
    return 0;
}

FUNCTION int __write_pipe_2(global Pipe *p, const generic void *from, uint size, uint align)
{
    ulong id = aqueduct_pipe_reserve(p, WRITE, 1, size);
    if (id == NONE)
        return -1;
    copy(packet(p, id), from, size, align);
    commit(p, WRITE, id);
    return 0;
}

FUNCTION int __read_pipe_4(global Pipe *p, reserve_id_t r, uint index, generic void *to, uint size, uint align)
{
    uint at = reserved(p, r, index, size);
    if (at == PAST)
        return -1;
    copy(to, packet(p, at), size, align);
    return 0;
}

FUNCTION int __write_pipe_4(global Pipe *p, reserve_id_t r, uint index, const generic void *from, uint size, uint align)
{
    uint at = reserved(p, r, index, size);
    if (at == PAST)
        return -1;
    copy(packet(p, at), from, size, align);
    return 0;
}

FUNCTION reserve_id_t __reserve_read_pipe(global Pipe *p, uint n, uint size, uint align) { return RESERVATION(aqueduct_pipe_reserve(p, READ, n, size)); }
FUNCTION reserve_id_t __reserve_write_pipe(global Pipe *p, uint n, uint size, uint align) { return RESERVATION(aqueduct_pipe_reserve(p, WRITE, n, size)); }
FUNCTION void __commit_read_pipe(global Pipe *p, reserve_id_t r, uint size, uint align) { commit(p, READ, AS(ulong, r)); }
FUNCTION void __commit_write_pipe(global Pipe *p, reserve_id_t r, uint size, uint align) { commit(p, WRITE, AS(ulong, r)); }

bool OVERLOAD is_valid_reserve_id(reserve_id_t r) { return AS(ulong, r) != NONE; }

LOCAL uint packets(global Pipe *p)
{
    ulong read = __atomic_load_n(&p->read, __ATOMIC_ACQUIRE); // first: it follows the other
    return __atomic_load_n(&p->written, __ATOMIC_ACQUIRE) - read;
}

FUNCTION uint __get_pipe_num_packets_ro(global Pipe *p, uint size, uint align) { return packets(p); }
FUNCTION uint __get_pipe_num_packets_wo(global Pipe *p, uint size, uint align) { return packets(p); }
FUNCTION uint __get_pipe_max_packets_ro(global Pipe *p, uint size, uint align) { return p->max_packets; }
FUNCTION uint __get_pipe_max_packets_wo(global Pipe *p, uint size, uint align) { return p->max_packets; }
