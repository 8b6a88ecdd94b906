package workgroup

import "aqueduct/roc/compiler/llvm"

// lowerLoops is the scalar form of a kernel without barriers: a loop over the work-items of a group.
func lowerLoops(w *Wrapper, it *item) {
	w.Groups(func() {
		w.Items(func(lid [3]llvm.Value, _ llvm.Value) { it.call(w, lid) })
	})
}

// Items builds three nested loops over the work-items of the group at hand, dimension 0 innermost. index is the item's
// number in the group.
func (w *Wrapper) Items(body func(lid [3]llvm.Value, index llvm.Value)) {
	w.Loop(w.Size[2], 1, func(z llvm.Value) {
		w.Loop(w.Size[1], 1, func(y llvm.Value) {
			row := w.B.Mul(w.B.Add(w.B.Mul(z, w.Size[1]), y), w.Size[0])
			w.Loop(w.Size[0], 1, func(x llvm.Value) {
				body([3]llvm.Value{x, y, z}, w.B.Add(row, x))
			})
		})
	})
}
