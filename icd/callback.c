// Go cannot call a C function pointer; these can.
#include "icd.h"

void aq_call_notify(uintptr_t fn, const char *text, uintptr_t user)
{
	aq_own_slack();
	((void(CL_CALLBACK *)(const char *, const void *, size_t, void *))fn)(text, NULL, 0, (void *)user);
}

// Destructor callbacks of contexts and memory objects, and notifications of builds, differ in the type of the handle alone.
void aq_call_object(uintptr_t fn, uintptr_t handle, uintptr_t user)
{
	aq_own_slack();
	((void(CL_CALLBACK *)(void *, void *))fn)((void *)handle, (void *)user);
}

void aq_call_event(uintptr_t fn, uintptr_t event, int32_t status, uintptr_t user)
{
	aq_own_slack();
	((void(CL_CALLBACK *)(cl_event, cl_int, void *))fn)((cl_event)event, status, (void *)user);
}

void aq_call_free(uintptr_t fn, uintptr_t queue, uint32_t n, void *pointers, uintptr_t user)
{
	aq_own_slack();
	((void(CL_CALLBACK *)(cl_command_queue, cl_uint, void **, void *))fn)((cl_command_queue)queue, n, pointers, (void *)user);
}

void aq_call_native(uintptr_t fn, void *args)
{
	aq_own_slack();
	((void(CL_CALLBACK *)(void *))fn)(args);
}
