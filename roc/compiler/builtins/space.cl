// to_global, to_local, to_private and get_fence (OpenCL C 3.0 section 6.15.13). A generic pointer is an address; what memory the
// kernel was lent says which space it is in.
#include "builtins.h"

// codeobject.Context
typedef struct { ulong local_start, frame_start, services, print, local_end, frame_end, stack_start, stack_end; } Context;
__attribute__((const)) private const Context *aqueduct_context(void);

LOCAL bool is_local(ulong p)
{
    private const Context *c = aqueduct_context();
    return p - c->local_start < c->local_end - c->local_start;
}

LOCAL bool is_private(ulong p)
{
    private const Context *c = aqueduct_context();
    return p - c->stack_start < c->stack_end - c->stack_start | p - c->frame_start < c->frame_end - c->frame_start;
}

#define CONVERSION(space, condition) \
    __attribute__((always_inline)) space void *__to_##space(generic void *generic_pointer) \
    { \
        ulong p = (ulong)generic_pointer; \
        return (space void *)(condition ? p : 0); \
    }

CONVERSION(global, (!is_local(p) & !is_private(p)))
CONVERSION(local, is_local(p))
CONVERSION(private, is_private(p))

cl_mem_fence_flags OVERLOAD get_fence(generic void *p)
{
    ulong at = (ulong)p;
    return is_local(at) ? CLK_LOCAL_MEM_FENCE : is_private(at) ? 0 : CLK_GLOBAL_MEM_FENCE;
}
cl_mem_fence_flags OVERLOAD get_fence(const generic void *p) { return get_fence((generic void *)p); }
