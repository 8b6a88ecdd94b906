// What soft/testdata/kernels.c is for the embedded agent, for GPUs.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

static bool first(void) { return get_local_id(0) + get_local_id(1) + get_local_id(2) == 0; }

// Adds one for each group, after some rounds of nothing.
kernel void count(global ulong *counter, ulong rounds) {
	if (!first()) return;
	for (volatile ulong i = 0; i < rounds; i++) {}
	atom_inc(counter);
}

// Has to run when value is what it expects, and alone.
kernel void step(global ulong *value, global ulong *errors, ulong expect) {
	if (*value != expect) atom_inc(errors);
	*value = expect + 1;
}

// Counts how often each group ran.
kernel void mark(global ulong *groups) {
	if (first()) atom_inc(groups + get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
}

// Has to run when all of n others have.
kernel void follow(global ulong *ran, ulong self, global const ulong *others, ulong n, global ulong *errors) {
	for (ulong i = 0; i < n; i++)
		if (!ran[others[i]]) atom_inc(errors);
	ran[self] = 1;
}

// Runs until the host opens the gate.
kernel void hold(global ulong *gate) {
	while (!__opencl_atomic_load((global atomic_ulong *)gate, memory_order_relaxed, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)) {}
}

kernel void trap(ulong unused) { __builtin_trap(); }
