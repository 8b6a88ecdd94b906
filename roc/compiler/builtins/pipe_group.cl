// Pipe functions of work-groups and sub-groups: one work-item does it for all, a commit when all have come there.
#include "builtins.h"
#include "pipe.h"
#include "exchange.h"
#include "sub_group.h"

LOCAL CONVERGENT reserve_id_t group_reserve(global Pipe *p, bool write, uint n, uint size)
{
    local ulong *got = (local ulong *)(aqueduct_exchange() + group_items() * sizeof(ulong));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_linear_id() == 0)
        *got = aqueduct_pipe_reserve(p, write, n, size);
    barrier(CLK_LOCAL_MEM_FENCE);
    return RESERVATION(*got);
}

LOCAL CONVERGENT void group_commit(global Pipe *p, bool write, reserve_id_t r)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_linear_id() == 0)
        commit(p, write, AS(ulong, r));
}

LOCAL CONVERGENT reserve_id_t sub_group_reserve(global Pipe *p, bool write, uint n, uint size)
{
    ulong x = 0;
    COLLECTIVE(ulong, ulong r = aqueduct_pipe_reserve(p, write, n, size); EACH_FROM(l, k) GOT(ulong, k) = r);
    return RESERVATION(GOT(ulong, l));
}

LOCAL CONVERGENT void sub_group_commit(global Pipe *p, bool write, reserve_id_t r)
{
    aqueduct_sub_group_meet();
    if (get_sub_group_local_id() == first_of(aqueduct_sub_group_active()))
        commit(p, write, AS(ulong, r));
}

#define FUNCTIONS(group, do_reserve, do_commit) \
    FUNCTION reserve_id_t __##group##_reserve_read_pipe(global Pipe *p, uint n, uint size, uint align) { return do_reserve(p, READ, n, size); } \
    FUNCTION reserve_id_t __##group##_reserve_write_pipe(global Pipe *p, uint n, uint size, uint align) { return do_reserve(p, WRITE, n, size); } \
    FUNCTION void __##group##_commit_read_pipe(global Pipe *p, reserve_id_t r, uint size, uint align) { do_commit(p, READ, r); } \
    FUNCTION void __##group##_commit_write_pipe(global Pipe *p, reserve_id_t r, uint size, uint align) { do_commit(p, WRITE, r); }
#define FUNCTION CONVERGENT __attribute__((always_inline))

FUNCTIONS(work_group, group_reserve, group_commit)
FUNCTIONS(sub_group, sub_group_reserve, sub_group_commit)
