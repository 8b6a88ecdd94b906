package workgroup

import "aqueduct/roc/compiler/llvm"

// Bands is Groups for kernels that cannot tell one group from the next: no local memory, no barriers, no question about
// groups or local ids. Neighbouring groups are run as one band: whole rows of groups together, or what there is of a row.
// In the body, Origin is the global id of the band's first work-item and Size its extent; Group has no meaning.
func (w *Wrapper) Bands(body func()) {
	b := w.B
	setup, band, exit := w.Block("setup"), w.Block("band"), w.Block("exit")
	first, last := w.Func.Param(2), w.Func.Param(3)
	b.CondBr(b.ICmp(llvm.IntULT, first, last), setup, exit)

	b.AtEnd(setup)
	row := b.BinOp(llvm.OpUDiv, first, w.NumGroups[0])
	start := [3]llvm.Value{b.BinOp(llvm.OpURem, first, w.NumGroups[0]), b.BinOp(llvm.OpURem, row, w.NumGroups[1]), b.BinOp(llvm.OpUDiv, row, w.NumGroups[1])}
	b.Br(band)

	b.AtEnd(band)
	index := b.Phi(w.i64)
	index.AddIncoming(first, setup)
	var at [3]llvm.Value
	for d := range 3 {
		at[d] = b.Phi(w.i64)
		at[d].AddIncoming(start[d], setup)
	}
	least := func(x, y llvm.Value) llvm.Value { return b.Select(b.ICmp(llvm.IntULT, x, y), x, y) }
	left := b.Sub(last, index)
	inRow := least(left, b.Sub(w.NumGroups[0], at[0]))
	rows := least(b.BinOp(llvm.OpUDiv, left, w.NumGroups[0]), b.Sub(w.NumGroups[1], at[1]))
	whole := b.And(b.ICmp(llvm.IntEQ, at[0], w.C(0)), b.ICmp(llvm.IntNE, rows, w.C(0)))
	groups := [3]llvm.Value{inRow, b.Select(whole, rows, w.C(1)), w.C(1)}
	for d := range 3 {
		from := b.Mul(at[d], w.Enqueued[d])
		to := least(b.Mul(b.Add(at[d], groups[d]), w.Enqueued[d]), w.GlobalSize[d])
		w.Size[d] = b.Sub(to, from)
		w.Origin[d] = b.Add(from, w.Offset[d])
		w.Group[d] = at[d]
	}
	body()
	end := b.Block()
	next := b.Add(index, b.Mul(groups[0], groups[1]))
	index.AddIncoming(next, end)
	// In a row: on by inRow, into the next one at its end. Whole rows: on by rows.
	carry := w.C(0)
	for d := range 3 {
		sum := b.Add(at[d], carry)
		if d == 0 || d == 1 {
			sum = b.Add(at[d], groups[d])
			if d == 1 {
				sum = b.Add(at[d], b.Select(whole, rows, carry))
			}
			wrap := b.ICmp(llvm.IntEQ, sum, w.NumGroups[d])
			sum = b.Select(wrap, w.C(0), sum)
			carry = b.Cast(llvm.OpZExt, wrap, w.i64)
		}
		at[d].AddIncoming(sum, end)
	}
	b.CondBr(b.ICmp(llvm.IntULT, next, last), band, exit)
	b.AtEnd(exit)
	w.end()
}
