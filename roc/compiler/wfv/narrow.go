package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Rows of a work-group are often short: 16 work-items in tiles of images and matrices, or 8. Lanes beyond the end of a row are off,
// and a vector of which half is off takes as long as a whole one. Where groups may be merged (free), rows are as long as the
// NDRange; elsewhere vectors are one register, and there are forms for half of it beside, for short rows.

// narrowest is the least number of lanes that forms for short rows have.
const narrowest = 8

// asksRow says whether work-items ask where they are in other dimensions than the first.
func (k *kernel) asksRow() bool {
	return slices.ContainsFunc(k.asked, func(q workgroup.Query) bool { return q.PerItem() && q.Dim > 0 })
}

// shortRows says whether a row may end where a row of its work-group does, for all that is known before the launch.
func (k *kernel) shortRows() bool { return k.reqd[0] == 0 && k.asksRow() && !k.free() }

// inRow is how many lanes to have at most.
func (k *kernel) inRow(h heat) int {
	if !k.shortRows() {
		return mostLanes
	}
	_, bytes := k.target.registers()
	return bytes / max(h.widest, 4)
}

// narrow is how many lanes the forms for short rows have, 0 if there are to be none.
func (k *kernel) narrow(a *Shapes) int {
	w := k.width / 2
	if k.options.Width > 0 || w < narrowest || k.turned || k.alongColumn() || !k.shortRows() || k.estimate(a, k.width) > formBudget || k.data.subGroups != nil {
		return 0
	}
	return w
}

// shortRow asks whether the rows of the group at hand are short.
func (w *loops) shortRow() llvm.Value {
	return w.B.ICmp(llvm.IntULE, w.Size[0], w.C(int64(w.narrow.width)))
}
