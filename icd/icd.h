// What the C files of the driver share with each other and with Go.
#ifndef AQ_ICD_H
#define AQ_ICD_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdint.h>

#include "slots.h"

enum {
#define SLOT(i, name, lost) AQ_##name = i,
	FUNCTIONS(SLOT)
#undef SLOT
	AQ_FUNCTIONS
};

// aq_functions are the functions of the dispatch table, in its order, then those found by name alone. A forked child has others
// there (fork.c).
extern void *aq_functions[AQ_FUNCTIONS];

// aq_forked is 1 in a forked child.
extern int aq_forked;

// aq_dispatch is what handles point to: the first of aq_functions, but for the two tags of cl_khr_icd 2.0.
extern void *aq_dispatch[AQ_SLOTS];

// aq_thunks are functions that call aq_functions[i], whatever it is by then: these addresses are given out by name.
extern void *const aq_thunks[AQ_FUNCTIONS];

// aq_address is the thunk of a function by its name, NULL if there is none; aq_extension_address knows those alone that are not
// in the dispatch table.
void *aq_address(const char *name);
void *aq_extension_address(const char *name);

// aq_share_urgent lets the application's handler of SIGURG be called beside Go's, which is in its place since Go's runtime began.
void aq_share_urgent(void);

// aq_own_slack gives a thread of the runtime's the timers' slack of the application's, before it calls what is the application's.
void aq_own_slack(void);

// The callbacks of the specification, called. fn is the application's function.
void aq_call_notify(uintptr_t fn, const char *text, uintptr_t user);
void aq_call_object(uintptr_t fn, uintptr_t handle, uintptr_t user);
void aq_call_event(uintptr_t fn, uintptr_t event, int32_t status, uintptr_t user);
void aq_call_free(uintptr_t fn, uintptr_t queue, uint32_t n, void *pointers, uintptr_t user);
void aq_call_native(uintptr_t fn, void *args);

#endif
