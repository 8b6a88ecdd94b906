package workgroup

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// SettleSubGroups makes kernels that use sub-groups ready for their scalar form, which Lower makes: functions of lanes are inlined,
// and meetings put into loops.
func SettleSubGroups(m llvm.Module, tm llvm.TargetMachine, kernels []llvm.Value) error {
	if err := inlineLanes(m, tm, laneCalls(m, kernels)); err != nil {
		return err
	}
	kernels = slices.DeleteFunc(slices.Clone(kernels), func(k llvm.Value) bool { return !usesSubGroups(m, k) })
	if len(kernels) == 0 {
		return nil
	}
	if err := m.RunPasses("function(loop-simplify)", tm, llvm.PassOptions{}); err != nil {
		return err
	}
	for _, k := range kernels {
		meetInLoops(m, k)
	}
	return nil
}

// meetInLoops gives a loop of a kernel that uses sub-groups a meeting at its end, in front of the branch back,
//
//   - if there is a meeting in it that work-items may miss on the way round, or meet more often than others: those that come
//     round first have to wait, or they would be at the next meeting with others who are still at the last;
//   - if it looks at memory that others may change: other sub-groups must have their turn, or what it waits for may not happen.
//
// Loops have one branch back (LLVM's loop-simplify).
func meetInLoops(m llvm.Module, kernel llvm.Value) {
	c := m.Context()
	b := c.NewBuilder()
	defer b.Dispose()
	nest := readNest(readFlow(kernel))
	t := llvm.Function(c.Void())
	meet := m.Function(subGroupMeet)
	if meet == 0 {
		meet = m.AddFunction(subGroupMeet, t)
		for _, a := range []string{"convergent", "nomerge"} {
			meet.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
		}
	}
	given := map[*block]bool{} // blocks at whose end a meeting was put
	for _, l := range nest.loops {
		waits, met, missed := false, false, false
		for _, x := range l.blocks {
			meets := given[x]
			for _, i := range x.instrs {
				waits = waits || changesUnseen(i)
				meets = meets || i.op == llvm.OpCall && i.v.Callee() == meet
			}
			switch {
			case !meets:
			case nest.inner[x.index] == l && nest.dominates(x, l.latches[0]):
				met = true
			default:
				missed = true
			}
		}
		if !missed && (met || !waits) {
			continue
		}
		for _, latch := range l.latches {
			b.Before(latch.b.Terminator())
			b.Call(t, meet)
			given[latch] = true
		}
	}
}

// changesUnseen says whether an instruction accesses memory that other threads of control change meanwhile.
func changesUnseen(i *instr) bool {
	switch i.op {
	case llvm.OpLoad:
		return i.v.Ordering() != llvm.NotAtomic || i.v.IsVolatile()
	case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
		return true
	}
	return false
}

// findMeets lists a kernel's meetings in the order of the code: a loop's in front of those behind it.
func findMeets(m llvm.Module, kernel llvm.Value) (r []llvm.Value) {
	if !calls(m, kernel, subGroupMeet) {
		return nil
	}
	meet := m.Function(subGroupMeet)
	for _, b := range readNest(readFlow(kernel)).order {
		for _, i := range b.instrs {
			if i.op == llvm.OpCall && i.v.Callee() == meet {
				r = append(r, i.v)
			}
		}
	}
	return r
}
