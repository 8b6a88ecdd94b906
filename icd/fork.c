// A Go runtime does not survive fork: in the child its threads are gone and any call into it would hang. So the child gets
// other functions, in C alone, that return an error at once.
#include "icd.h"

#include <pthread.h>
#include <string.h>

static cl_int lost_status(void) { return CL_OUT_OF_RESOURCES; }
static void lost_void(void) {}
static void *lost_null(void) { return NULL; }

// lost_create_N is for functions whose errcode_ret comes after N other arguments, none of them floating-point: each takes one
// register or one stack slot, whatever its width.
#define LOST_CREATE(n, ...)                                                                                                   \
	static void *lost_create_##n(__VA_ARGS__, cl_int *errcode)                                                                \
	{                                                                                                                         \
		if (errcode)                                                                                                          \
			*errcode = CL_OUT_OF_RESOURCES;                                                                                   \
		return NULL;                                                                                                          \
	}
LOST_CREATE(1, long a)
LOST_CREATE(2, long a, long b)
LOST_CREATE(3, long a, long b, long c)
LOST_CREATE(4, long a, long b, long c, long d)
LOST_CREATE(5, long a, long b, long c, long d, long e)
LOST_CREATE(6, long a, long b, long c, long d, long e, long f)
LOST_CREATE(7, long a, long b, long c, long d, long e, long f, long g)
LOST_CREATE(8, long a, long b, long c, long d, long e, long f, long g, long h)
LOST_CREATE(9, long a, long b, long c, long d, long e, long f, long g, long h, long i)
LOST_CREATE(11, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k)

#define SLOT(i, name, lost) [i] = (void *)lost,
static void *const lost_functions[AQ_FUNCTIONS] = { FUNCTIONS(SLOT) };
#undef SLOT

int aq_forked;

static void in_child(void)
{
	aq_forked = 1;
	memcpy(aq_functions, lost_functions, sizeof aq_functions);
	for (int i = 0; i < AQ_SLOTS; i++)
		if (i != AQ_clGetPlatformIDs && i != AQ_clUnloadCompiler) // these hold tags
			aq_dispatch[i] = lost_functions[i];
}

__attribute__((constructor)) static void watch_fork(void) { pthread_atfork(NULL, NULL, in_child); }
