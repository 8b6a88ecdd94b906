package workgroup

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// contends says whether work-items of a prepared kernel may hinder one another by atomic operations, and certainly do not wait for one
// another: then one thread is enough to run all work-groups, and may be faster than several, between which the lines of the cache go to
// and fro.
//
// What waits has a loop that looks at memory in a way that shows what others have done meanwhile. Loops that do are taken for such ones. An
// atomic operation whose result nobody wants does not look.
func contends(kernel llvm.Value) bool {
	n := readNest(readFlow(kernel))
	found := false
	for _, b := range n.reverse {
		if !b.followed() || slices.ContainsFunc(b.succs, func(s *block) bool { return n.number[s.index] <= n.number[b.index] && !n.dominates(s, b) }) {
			return false // with two entries, so that it is no loop of n
		}
		inLoop := n.inner[b.index] != nil
		for _, i := range b.instrs {
			looks := false
			switch i.op {
			case llvm.OpLoad:
				looks = beyondGroup(i.v) && (i.v.IsVolatile() || i.v.Ordering() != llvm.NotAtomic)
			case llvm.OpAtomicRMW:
				found = found || beyondGroup(i.v)
				looks = beyondGroup(i.v) && i.v.HasUses()
			case llvm.OpAtomicCmpXchg:
				found = found || beyondGroup(i.v)
				looks = beyondGroup(i.v)
			case llvm.OpFence:
				looks = true // what is loaded behind it may be new
			case llvm.OpCall:
				looks = IsBarrier(i.v.Callee().Name())
				if !looks && !callsStraight(i.v) {
					return false
				}
			}
			if looks && inLoop {
				return false
			}
		}
	}
	return found
}

// beyondGroup says whether a load or an atomic operation may access what other work-groups do.
func beyondGroup(i llvm.Value) bool {
	space := i.Operand(0).Type().AddressSpace()
	return space != spaceLocal && space != spacePrivate
}
