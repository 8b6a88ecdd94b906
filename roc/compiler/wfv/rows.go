package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Rows: one call may also cover several consecutive work-items of dimension 1. A value that does not depend on dimension 1 is
// computed once for all rows (in a matrix product the load of B and its address), everything else once a row: unroll-and-jam,
// decided by the same kind of analysis as uniformity.

// rowDependent finds the values that depend on the row, and says whether rows are possible and pay: no branch may depend on
// the row, and a loop must hold a wide load that does not.
func (k *kernel) rowDependent(a *Shapes) (byRow map[*Value]bool, pays bool) {
	f := k.data
	if f.subGroups != nil {
		return nil, false
	}
	byRow = map[*Value]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range f.order {
			for _, v := range b.instrs {
				if byRow[v] {
					continue
				}
				q, isQuery := k.queries[v]
				depends := isQuery && q.PerItem() && q.Dim == 1
				if !isQuery {
					depends = slices.ContainsFunc(v.args, func(x *Value) bool { return byRow[x] })
				}
				if depends {
					byRow[v], changed = true, true
				}
			}
		}
	}
	if len(byRow) == 0 {
		return nil, false
	}
	for _, b := range f.order {
		if _, assumed := a.assume[b]; byRow[b.term] && !assumed {
			return nil, false
		}
		for _, v := range b.instrs {
			switch v.op {
			case llvm.OpAlloca, llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg, llvm.OpFence:
				return nil, false
			case llvm.OpCall:
				if !a.computes(v) {
					return nil, false
				}
			case llvm.OpLoad:
				if b.loop != nil && !byRow[v] && !a.of(v).isUniform() {
					pays = true
				}
			}
		}
	}
	return byRow, pays
}

// free says whether the kernel cannot tell groups apart, so that they may be merged (workgroup.Wrapper.Bands).
func (k *kernel) free() bool {
	if k.meets() || k.segment > 0 || k.data.subGroups != nil {
		return false
	}
	for _, q := range k.asked {
		switch q.Kind {
		case workgroup.LocalID, workgroup.GroupID, workgroup.LocalSize, workgroup.GroupSegment:
			return false
		}
	}
	for _, p := range k.data.params {
		if p.t.isPtr() && p.t.space == spaceLocal {
			return false
		}
	}
	return true
}
