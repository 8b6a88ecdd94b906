// Native kernels with the calling convention of package codeobject, for tests.
#include <stddef.h>
#include <stdint.h>

struct context { char *local, *frame; void *services; };
struct hidden {
	uint32_t block_count[3];
	uint16_t group_size[3], remainder[3];
	uint32_t group_base[3], global_blocks;
	uint64_t global_offset[3];
	uint16_t grid_dims;
};
#define KERNEL(name) void name(const char *arg, const struct context *ctx, uint64_t first, uint64_t last)

struct add { float *out; const float *a, *b; uint64_t n; };
KERNEL(add) { // one dimension, groups of group_size
	const struct add *s = (const void *)arg;
	const struct hidden *h = (const void *)(arg + sizeof *s);
	uint64_t size = h->group_size[0];
	for (uint64_t i = first * size; i < last * size && i < s->n; i++)
		s->out[i] = s->a[i] + s->b[i];
}

struct count { uint64_t *counter; uint64_t rounds; };
KERNEL(count) { // adds one for each group, after some rounds of nothing
	const struct count *s = (const void *)arg;
	for (uint64_t g = first; g < last; g++) {
		for (volatile uint64_t i = 0; i < s->rounds; i++) {}
		__atomic_fetch_add(s->counter, 1, __ATOMIC_RELAXED);
	}
}

struct step { uint64_t *value, *errors; uint64_t expect; };
KERNEL(step) { // has to run when value is what it expects, and alone
	const struct step *s = (const void *)arg;
	if (*s->value != s->expect)
		__atomic_fetch_add(s->errors, 1, __ATOMIC_RELAXED);
	*s->value = s->expect + 1;
}

struct mark { uint64_t *groups; };
KERNEL(mark) { // counts how often each group ran
	const struct mark *s = (const void *)arg;
	for (uint64_t g = first; g < last; g++)
		__atomic_fetch_add(&s->groups[g], 1, __ATOMIC_RELAXED);
}

struct follow { uint64_t *ran, self; const uint64_t *others; uint64_t n, *errors; };
KERNEL(follow) { // has to run when all of n others have
	const struct follow *s = (const void *)arg;
	for (uint64_t i = 0; i < s->n; i++)
		if (!s->ran[s->others[i]]) __atomic_fetch_add(s->errors, 1, __ATOMIC_RELAXED);
	s->ran[s->self] = 1;
}

struct hold { volatile uint64_t *gate; };
KERNEL(hold) { // runs until the host opens the gate
	const struct hold *s = (const void *)arg;
	while (!__atomic_load_n(s->gate, __ATOMIC_RELAXED)) {}
}

struct scratch { uint64_t *errors; uint64_t local, frame; };
KERNEL(scratch) { // uses all of its local memory and frame
	const struct scratch *s = (const void *)arg;
	if (((uintptr_t)ctx->local | (uintptr_t)ctx->frame) & 255)
		__atomic_fetch_add(s->errors, 1, __ATOMIC_RELAXED);
	for (uint64_t g = first; g < last; g++) {
		for (uint64_t i = 0; i < s->local; i++) ctx->local[i] = (char)(i + g);
		for (uint64_t i = 0; i < s->frame; i++) ctx->frame[i] = (char)(i * 3 + g);
		for (uint64_t i = 0; i < s->local; i++)
			if (ctx->local[i] != (char)(i + g)) __atomic_fetch_add(s->errors, 1, __ATOMIC_RELAXED);
		for (uint64_t i = 0; i < s->frame; i++)
			if (ctx->frame[i] != (char)(i * 3 + g)) __atomic_fetch_add(s->errors, 1, __ATOMIC_RELAXED);
	}
}

struct deep { uint64_t *out; uint64_t bytes; };
KERNEL(deep) { // uses a large private array
	const struct deep *s = (const void *)arg;
	volatile char *p = __builtin_alloca(s->bytes);
	for (uint64_t i = 0; i < s->bytes; i += 512) p[i] = 1;
	*s->out = p[0];
}

KERNEL(trap_null) { *(volatile int *)0 = 1; }
KERNEL(trap_wild) { *(volatile int *)0x123456789000 = 1; }
KERNEL(trap_illegal) { __builtin_trap(); }
KERNEL(trap_divide) { volatile int zero = 0, n = 100; n = n / zero; }
static volatile int never;
__attribute__((noinline)) static int endless(volatile int *p) { volatile int x[64]; x[0] = *p; return never ? 0 : endless(x) + x[0]; }
KERNEL(trap_stack) { volatile int x = 1; x = endless(&x); }
KERNEL(trap_jump) { volatile char *p = __builtin_alloca(6 << 20); p[0] = 1; volatile char *q = __builtin_alloca(4 << 20); q[0] = 1; }
KERNEL(over_stack) { volatile int x[4]; for (long i = 0; i < 100000000; i++) x[i] = i; }
KERNEL(over_local) { // by a byte more than rounding and the margin leave
	for (long i = 0; i <= 512; i++) ((volatile char *)ctx->local)[i] = 1;
}
KERNEL(trap_late) { // the last group traps
	const struct mark *s = (const void *)arg;
	for (uint64_t g = first; g < last; g++)
		if (s->groups[g]) *(volatile int *)0 = 1;
}
