package workgroup

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// straight says whether a prepared kernel has no loops, and calls nothing that may have some: each instruction runs once at most
// for a work-item, so that it ends whatever others do.
func straight(kernel llvm.Value) bool {
	f := readFlow(kernel)
	n := readNest(f)
	for _, b := range n.reverse {
		if !b.followed() {
			return false
		}
		if slices.ContainsFunc(b.succs, func(s *block) bool { return n.number[s.index] <= n.number[b.index] }) {
			return false
		}
		for _, i := range b.instrs {
			if i.op == llvm.OpCall && !callsStraight(i.v) {
				return false
			}
		}
	}
	return true
}

// followed says whether readFlow knows what comes behind a block.
func (b *block) followed() bool {
	switch b.instrs[len(b.instrs)-1].op {
	case llvm.OpBr, llvm.OpSwitch, llvm.OpRet, llvm.OpUnreachable:
		return true
	}
	return false
}

// callsStraight says whether a call is of a question, or of an intrinsic of LLVM that is an instruction or so.
func callsStraight(call llvm.Value) bool {
	f := call.Callee()
	if f.IsFunction() && f.IntrinsicID() != 0 {
		return !strings.HasPrefix(f.Name(), "llvm.mem") || call.Operand(2).IsConstantInt() // the length
	}
	name := f.Name()
	return slices.ContainsFunc(queryNames[:], func(q struct {
		name    string
		outside int64
	}) bool {
		return q.name == name
	})
}
