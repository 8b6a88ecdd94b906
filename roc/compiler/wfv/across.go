package wfv

import (
	"fmt"
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Vectors across rows: where the rows of a work-group are no multiple of a sub-group, as in groups of 8x8, its work-items are taken
// as one row in the order of their linear local ids. In that row a vector starts at a local id 0 that may be beyond the group's; the
// ids of its lanes, in all dimensions, are computed from it. Which way is right the size of a group says, so a kernel that requires
// none has forms for both.

// inRows says whether the sub-groups of a work-group are neighbours in its rows.
func inRows(size [3]int64) bool {
	return size[0]%subGroup == 0 || size[1]*size[2] == 1
}

// acrossRows asks the contrary of a size that is not known.
func (w *loops) acrossRows(size [3]llvm.Value) llvm.Value {
	b := w.B
	ragged := b.ICmp(llvm.IntNE, b.And(size[0], w.C(subGroup-1)), w.C(0))
	return b.And(ragged, b.ICmp(llvm.IntNE, b.Mul(size[1], size[2]), w.C(1)))
}

// tryAcross makes the forms for groups whose sub-groups go across rows, beside those for the others; nil if that cannot be.
func (k *kernel) tryAcross() *forms {
	made, apart, report := len(k.made), len(k.apart), k.report
	k.across = true
	var r forms
	why := try(func() { r = k.makeForms() })
	k.report = report
	if why == nil {
		return &r
	}
	for _, f := range k.made[made:] {
		f.DeleteFunction()
	}
	k.made, k.apart, k.ragged = k.made[:made], k.apart[:apart], true
	k.report.Reason += fmt.Sprintf("; work-groups of several rows that %d does not divide run in scalar form: %s", subGroup, why.Reason)
	return nil
}

// askForItem asks, beside what the kernel does, for what the ids of lanes are computed from.
func (k *kernel) askForItem() {
	for _, q := range []workgroup.Query{{Kind: workgroup.LocalID}, {Kind: workgroup.LocalSize}, {Kind: workgroup.LocalSize, Dim: 1}} {
		if !slices.Contains(k.asked, q) {
			k.asked = append(k.asked, q)
		}
	}
}

// itemAnswer is the local or global id of each lane in a dimension.
func (g *gen) itemAnswer(q workgroup.Query) llvm.Value {
	lane0 := g.answers[workgroup.Query{Kind: workgroup.LocalID}]
	id := g.b.Add(g.splat(g.b.Cast(llvm.OpTrunc, lane0, g.i32), g.w), g.series(g.i32, 1))
	for d := range min(q.Dim+1, 2) {
		size := g.b.Cast(llvm.OpTrunc, g.answers[workgroup.Query{Kind: workgroup.LocalSize, Dim: d}], g.i32)
		row := g.quotient(id, size)
		if d == q.Dim {
			id = g.b.Sub(id, g.b.Mul(row, g.splat(size, g.w)))
		} else {
			id = row
		}
	}
	id = g.b.Cast(llvm.OpZExt, id, g.vec(g.i64))
	if q.Kind == workgroup.LocalID {
		return id
	}
	origin := g.answers[q]
	if q.Dim == 0 {
		origin = g.b.Sub(origin, lane0)
	}
	return g.b.Add(g.splat(origin, g.w), id)
}

// quotient divides local ids by a size. Processors do not divide vectors of integers; but as a float x + 1/2, over size, is at least
// 1/2 of 1/size away from the next integer, and the two roundings take less than that for x below 2^22.
func (g *gen) quotient(x, size llvm.Value) llvm.Value {
	if size.IsConstant() {
		return g.b.BinOp(llvm.OpUDiv, x, g.splat(size, g.w))
	}
	inverse := g.b.BinOp(llvm.OpFDiv, g.f32.ConstFloat(1), g.b.Cast(llvm.OpSIToFP, size, g.f32))
	y := g.b.BinOp(llvm.OpFAdd, g.b.Cast(llvm.OpSIToFP, x, g.vec(g.f32)), g.splat(g.f32.ConstFloat(0.5), g.w))
	return g.b.Cast(llvm.OpFPToSI, g.b.BinOp(llvm.OpFMul, y, g.splat(inverse, g.w)), x.Type())
}

// goAcross says whether vectors do.
func (w *loops) goAcross() bool {
	s := w.shapes.f.subGroups
	return s != nil && s.across
}

// rowSize is how many work-items are in a row.
func (w *loops) rowSize() llvm.Value {
	if w.goAcross() {
		return w.B.Mul(w.B.Mul(w.Size[0], w.Size[1]), w.Size[2])
	}
	return w.Size[0]
}

// with are the loops for other forms.
func (w *loops) with(f *forms) *loops {
	return &loops{Wrapper: w.Wrapper, k: w.k, forms: *f, streaming: w.streaming}
}

// group runs a group, in the way that is right for its size.
func (w *loops) group() {
	run := func(w *loops) {
		if w.full.region != nil {
			w.rounds()
		} else {
			w.items()
		}
	}
	switch {
	case w.across != nil:
		either(w.B, w.Block, w.acrossRows(w.Size), func() { run(w.with(w.across)) }, func() { run(w) })
	case w.column != nil:
		either(w.B, w.Block, w.oneColumn(), func() {
			turned := w.with(w.column)
			turned.Wrapper = w.Turned()
			run(turned)
		}, func() { run(w) })
	case w.narrow != nil:
		either(w.B, w.Block, w.shortRow(), func() { run(w.with(w.narrow)) }, func() { run(w) })
	default:
		run(w)
	}
}
