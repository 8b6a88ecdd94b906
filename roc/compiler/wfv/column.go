package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Filters along columns of an image are run in work-groups of one column, 1 x n. Lanes along dimension 0 would all be off but one.
// So kernels that share a column by barriers have forms for such groups beside, in which dimensions 0 and 1 have changed places: to
// all that makes a form, a column is a row.

// alongColumn says whether work-items ask where they are in a column of their group, and not where in a row: they are alone there,
// as a rule, and rows of a few have no forms then.
func (k *kernel) alongColumn() bool {
	asks := func(d int) bool { return slices.Contains(k.asked, workgroup.Query{Kind: workgroup.LocalID, Dim: d}) }
	return !k.turned && k.options.Width == 0 && k.shortRows() && k.data.subGroups == nil && asks(1) && !asks(0)
}

// tryColumn makes the forms for groups of one column; nil if that cannot be.
func (k *kernel) tryColumn() *forms {
	made, apart, report, width := len(k.made), len(k.apart), k.report, k.width
	k.turned = true
	var r forms
	why := try(func() { r = k.makeForms() })
	k.report, k.width = report, width
	if why == nil {
		k.report.Column = r.width
		return &r
	}
	for _, f := range k.made[made:] {
		f.DeleteFunction()
	}
	k.made, k.apart = k.made[:made], k.apart[:apart]
	return nil
}

// turn is the question in which dimensions 0 and 1 have changed places.
func turn(q workgroup.Query) workgroup.Query {
	if q.InDimension() && q.Dim < 2 {
		q.Dim = 1 - q.Dim
	}
	return q
}

// oneColumn asks whether the group at hand is.
func (w *loops) oneColumn() llvm.Value {
	return w.B.And(w.B.ICmp(llvm.IntEQ, w.Size[0], w.C(1)), w.B.ICmp(llvm.IntUGT, w.Size[1], w.C(1)))
}
