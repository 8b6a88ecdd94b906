// Native kernels with the calling convention of package codeobject, for tests.
#include <stdint.h>

#define KERNEL(name) void name(const char *arg, const void *ctx, uint64_t first, uint64_t last)

KERNEL(nothing) {}

struct step { uint64_t *value, *errors; uint64_t expect; };
KERNEL(step) { // has to run when value is what it expects, and alone
	const struct step *s = (const void *)arg;
	if (*s->value != s->expect)
		__atomic_fetch_add(s->errors, 1, __ATOMIC_RELAXED);
	*s->value = s->expect + 1;
}

struct add { uint64_t *counter; };
KERNEL(add) { // adds one for each group
	const struct add *s = (const void *)arg;
	__atomic_fetch_add(s->counter, last - first, __ATOMIC_RELAXED);
}

KERNEL(trap) { __builtin_trap(); }
