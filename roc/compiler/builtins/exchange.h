// How the work-items of a group hand each other values: aqueduct_exchange is memory of the group with two numbers of eight bytes
// for each of its work-items, provided by the compiler (workgroup/exchange.go). Collective functions write what each work-item
// gives into `given`, and, behind a barrier, what each gets into `got`. The two are apart, so that a work-item can give to the
// next function while others have not yet got from the last one.
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "combine.h"

__attribute__((const)) local char *aqueduct_exchange(void);
size_t DECLARE get_local_linear_id(void);
size_t DECLARE get_local_size(uint d);
void DECLARE __attribute__((convergent)) barrier(cl_mem_fence_flags flags);

LOCAL size_t group_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#endif
