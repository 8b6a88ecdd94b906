package workgroup

import "aqueduct/roc/compiler/llvm"

// What the vectoriser does by itself of Lower's work.

// PlaceLocals gives each kernel-scope __local variable its place in the group segment, as Lower does, and returns the bytes
// they take.
func PlaceLocals(m llvm.Module, kernel llvm.Value) (uint32, error) {
	b := m.Context().NewBuilder()
	defer b.Dispose()
	return placeLocals(m, b, kernel)
}

// IsBarrier says whether a function is a work-group barrier.
func IsBarrier(name string) bool { return isBarrierName(name) }

// Weigh sums up a kernel: the bytes of its stack variables, and its instructions.
func Weigh(m llvm.Module, kernel llvm.Value) (private, cost uint32) { return weigh(m, kernel) }
