// The dispatch table, and the few functions the library exports by name. The functions of the table are Go's (exports.go);
// their names carry a prefix so that they do not collide with those of the ICD loader.
#include "icd.h"

#include <string.h>

#define CL_ICD2_TAG ((void *)(intptr_t)0x4F50454E434C3331) // cl_khr_icd, "Additions to the dispatch table": "OPENCL31"

#define SLOT(i, name, lost) void aq_##name(void);
FUNCTIONS(SLOT)
#undef SLOT

#define SLOT(i, name, lost) [i] = (void *)aq_##name,
void *aq_functions[AQ_FUNCTIONS] = { FUNCTIONS(SLOT) };
void *aq_dispatch[AQ_SLOTS] = {
	SLOTS(SLOT)
	[AQ_clGetPlatformIDs] = CL_ICD2_TAG,
	[AQ_clUnloadCompiler] = CL_ICD2_TAG,
};
#undef SLOT

_Static_assert(sizeof(cl_icd_dispatch) == AQ_SLOTS * sizeof(void *), "slots.h was made from another CL/cl_icd.h");

#define SLOT(i, name, lost) #name,
static const char *const names[AQ_FUNCTIONS] = { FUNCTIONS(SLOT) };
#undef SLOT

static void *address_from(int first, const char *name)
{
	for (int i = first; i < AQ_FUNCTIONS; i++)
		if (strcmp(name, names[i]) == 0)
			return aq_thunks[i];
	return NULL;
}

void *aq_address(const char *name) { return address_from(0, name); }
void *aq_extension_address(const char *name) { return address_from(AQ_SLOTS, name); }

#define CALL(name) ((cl_api_##name)aq_functions[AQ_##name])

int32_t aq_set_dispatch_data(uintptr_t platform, uintptr_t data);

// The functions of cl_khr_icd (section 8 of its specification). None of them may be called through a dispatch table.

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count)
{
	return CALL(clGetPlatformIDs)(entries, platforms, count);
}

CL_API_ENTRY void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char *name)
{
	return name ? aq_address(name) : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *data)
{
	return aq_forked ? CL_OUT_OF_RESOURCES : aq_set_dispatch_data((uintptr_t)platform, (uintptr_t)data);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	if (!name)
		return NULL;
	if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
		return clIcdGetPlatformIDsKHR;
	if (strcmp(name, "clIcdGetFunctionAddressForPlatformKHR") == 0)
		return clIcdGetFunctionAddressForPlatformKHR;
	if (strcmp(name, "clIcdSetPlatformDispatchDataKHR") == 0)
		return clIcdSetPlatformDispatchDataKHR;
	return CALL(clGetExtensionFunctionAddress)(name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param, size_t size, void *value,
                                                  size_t *size_ret)
{
	return CALL(clGetPlatformInfo)(platform, param, size, value, size_ret);
}
