package wfv

import "aqueduct/roc/compiler/llvm"

// groupUniform finds the values that are the same in all vectors of a group: uniform, and of nothing but arguments, questions
// about the group, and memory. Where control depends on something that differs between vectors, values that merge there
// (phis) are not among them.
func groupUniform(a *Shapes) map[*Value]bool {
	same := map[*Value]bool{}
	for _, b := range a.f.order {
		for _, v := range b.instrs {
			same[v] = a.of(v).isUniform() && v.t.kind != llvm.VoidKind && couldBeSame(a, v)
		}
	}
	is := func(v *Value) bool { return !v.isInstr() || same[v] }
	merged := true // no branch depends on the vector
	for changed := true; changed; {
		changed = false
		for _, b := range a.f.order {
			if len(b.succs) > 1 && !a.div[b] && merged && !is(b.term.args[0]) {
				merged, changed = false, true
			}
			for _, v := range b.instrs {
				if !same[v] {
					continue
				}
				ok := merged || v.op != llvm.OpPHI || len(v.args) == 1
				for _, x := range v.args {
					ok = ok && is(x)
				}
				if !ok {
					same[v], changed = false, true
				}
			}
		}
	}
	return same
}

func couldBeSame(a *Shapes, v *Value) bool {
	switch v.op {
	case llvm.OpAlloca, llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
		return false
	case llvm.OpLoad:
		return !v.h.IsVolatile() && v.h.Ordering() == llvm.NotAtomic
	case llvm.OpCall:
		if q, ok := a.queries[v]; ok {
			return !q.PerItem()
		}
		return elementwise[v.intrinsic()]
	}
	return true
}
