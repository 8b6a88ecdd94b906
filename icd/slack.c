// Go's runtime has a thread that looks every 20 µs what the others do, as long as any does something. Where a timer, an interrupt and
// what they cost in translation caches are dear, as in virtual machines, that took a quarter of the time of kernels that are bound by
// memory. Once a millisecond is enough: what the thread sees to early, processors kept by calls into C, there are enough of
// (pool.makeRoom). It cannot be told so, but threads inherit their timers' slack (prctl(2), PR_SET_TIMERSLACK).
#include "icd.h"

#include <sys/prctl.h>

enum { WIDE = 1000000 }; // nanoseconds

static int applications; // slack of the thread that loads the driver

// Before Go's runtime, which is an ordinary constructor, starts.
__attribute__((constructor(101))) static void widen(void)
{
	applications = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	if (applications < WIDE)
		prctl(PR_SET_TIMERSLACK, WIDE, 0, 0, 0);
}

// After that: it is linked first.
__attribute__((constructor)) static void restore(void) { prctl(PR_SET_TIMERSLACK, applications, 0, 0, 0); }

void aq_own_slack(void)
{
	static __thread int known;
	if (!known && prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == WIDE)
		prctl(PR_SET_TIMERSLACK, applications, 0, 0, 0);
	known = 1;
}
