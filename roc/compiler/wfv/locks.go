package wfv

import "aqueduct/roc/compiler/llvm"

// refuseLocks leaves kernels to the scalar form that may wait for a lock: an exchange or a compare-and-exchange in a loop that
// lanes leave one by one. In lockstep the lane that holds the lock would wait for the others, who wait for it.
func refuseLocks(f *Func) {
	for _, b := range f.blocks {
		waits := false
		for l := b.loop; l != nil; l = l.parent {
			waits = waits || l.div
		}
		if !waits {
			continue
		}
		for _, v := range b.instrs {
			if v.op == llvm.OpAtomicCmpXchg || v.op == llvm.OpAtomicRMW && v.h.RMWOp() == rmwXchg {
				fail("an atomic exchange in a loop that work-items leave one by one, perhaps a lock")
			}
		}
	}
}
