package workgroup

import "aqueduct/roc/compiler/llvm"

// lowerLoops is the scalar form of a kernel without barriers: three nested loops over the work-items of a group.
func lowerLoops(m llvm.Module, w *Wrapper, it *item) {
	w.Groups(func() {
		w.Loop(w.Size[2], 1, func(z llvm.Value) {
			w.Loop(w.Size[1], 1, func(y llvm.Value) {
				w.Loop(w.Size[0], 1, func(x llvm.Value) {
					it.call(w, [3]llvm.Value{x, y, z})
				})
			})
		})
	})
}
