package kernelgen

import "fmt"

// combined is what the atomic operations make of an old value and an operand, in OpenCL C.
var combined = map[string]string{"add": "was_ + x_", "xor": "was_ ^ x_", "or": "was_ | x_", "max": "was_ > x_ ? was_ : x_"}

// combine is that for the interpreter.
func combine(op string, was, x uint32) uint32 {
	switch op {
	case "add":
		return was + x
	case "xor":
		return was ^ x
	case "or":
		return was | x
	}
	return max(was, x)
}

// atomic combines the element of an array that i names with x, in an order that does not matter: by one operation, or by
// comparing and exchanging until nobody comes between. Kernels with functions of sub-groups have the first only, and those that jump
// mostly: the others are loops that watch memory, in which sub-groups take turns, and which keep a kernel in scalar form if they stand
// in a loop of several entries.
func (g *gen) atomic(space, array, op, scope string, i, x expr, of func(*item) []uint32) stmt {
	forms := []string{
		"__opencl_atomic_fetch_%[3]s((volatile %[1]s atomic_uint *)p_, x_, memory_order_relaxed, %[4]s);",
		"uint was_, old_; do { old_ = was_ = *p_; %[5]s; } while (old_ != was_);",
		"uint was_, old_ = *p_; do { was_ = old_; %[5]s; } while (old_ != was_);",
		"uint was_ = 0, old_ = 0; while (!%[5]s) was_ = old_;",
		"for (uint old_ = *p_, was_ = old_; (%[6]s) != was_; was_ = old_) if (%[5]s) break;",
	}
	form := forms[0]
	if !g.groups && (!g.flows || g.forms.Intn(8) == 0) {
		form = pick(g.forms, forms)
	}
	exchange := fmt.Sprintf("__opencl_atomic_compare_exchange_%s((volatile %s atomic_uint *)p_, &old_, %s, memory_order_relaxed, memory_order_relaxed, %s)",
		pick(g.forms, []string{"weak", "strong"}), space, combined[op], scope)
	form += "%.0[2]s%.0[3]s%.0[4]s%.0[5]s%.0[6]s" // not all forms use all
	text := fmt.Sprintf("{ volatile %[1]s uint *p_ = &%[2]s[%%v & 15u]; uint x_ = %%v; "+form+" }", space, array, op, scope, exchange, combined[op])
	return effect{text, []expr{i, x}, func(it *item, v []uint64) {
		p := &of(it)[v[0]&15]
		*p = combine(op, *p, uint32(v[1]))
	}}
}

// exchange puts x in the work-item's place of local memory, and perhaps what was there in a variable.
func (g *gen) exchange(x expr) stmt {
	text, target := "", (*variable)(nil)
	for _, v := range g.vars {
		if v.t == uint32T && !v.uniform && v.array == 0 && v.name[0] != 'k' && g.forms.Intn(2) == 0 {
			text, target = v.name+" = ", v
		}
	}
	text += "__opencl_atomic_exchange((volatile local atomic_uint *)&own[lid], %v, memory_order_relaxed, memory_scope_work_group);"
	return effect{text, []expr{x}, func(it *item, v []uint64) {
		if target != nil {
			it.vars[target.number][0][0] = uint64(it.own[it.lid])
		}
		it.own[it.lid] = uint32(v[0])
	}}
}
