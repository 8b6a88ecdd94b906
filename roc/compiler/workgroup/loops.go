package workgroup

import "aqueduct/roc/compiler/llvm"

// Items builds three nested loops over the work-items of the group at hand, dimension 0 innermost. index is the item's
// number in the group.
func (w *Wrapper) Items(body func(lid [3]llvm.Value, index llvm.Value)) {
	var back [3]llvm.Value
	back[2] = w.Loop(w.Size[2], 1, func(z llvm.Value) {
		back[1] = w.Loop(w.Size[1], 1, func(y llvm.Value) {
			row := w.B.Mul(w.B.Add(w.B.Mul(z, w.Size[1]), y), w.Size[0])
			back[0] = w.Loop(w.Size[0], 1, func(x llvm.Value) {
				body([3]llvm.Value{x, y, z}, w.B.Add(row, x))
			})
		})
	})
	w.parallel.nest(back)
}

// loopItems runs a group of a kernel without barriers.
func loopItems(w *Wrapper, it *item) {
	w.Items(func(lid [3]llvm.Value, _ llvm.Value) { it.call(w, lid) })
}

// smallGrid is the bound of global ids in the variant of a kernel for small NDRanges: `int i = get_global_id(0)` then loses
// nothing, so that addresses computed from i are known to be consecutive.
const smallGrid = 1 << 31

// LeaveLargeGrids hands an NDRange in which a global id may be smallGrid or more over to another native kernel, with
// arguments more behind the common ones, and lets the rest of this one rely on it (Answer does).
func (w *Wrapper) LeaveLargeGrids(other llvm.Value, more ...llvm.Value) {
	b := w.B
	reach := w.C(0)
	for d := range 3 { // an offset alone may be so large that the sum wraps
		reach = b.Or(reach, b.Or(w.Offset[d], b.Add(w.Offset[d], w.GlobalSize[d])))
	}
	large, small := w.Block("large"), w.Block("small")
	b.CondBr(b.ICmp(llvm.IntUGT, reach, w.C(smallGrid-1)), large, small)
	b.AtEnd(large)
	w.callNative(other, w.Func.Param(2), w.Func.Param(3), more...)
	b.RetVoid()
	b.AtEnd(small)
	w.small = true
}

// callNative runs groups first to last by another native kernel.
func (w *Wrapper) callNative(f, first, last llvm.Value, more ...llvm.Value) {
	args := append([]llvm.Value{w.Func.Param(0), w.Func.Param(1), first, last}, more...)
	w.B.Call(f.ValueType(), f, args...)
}

// narrows says whether a kernel uses a global id in fewer than 64 bits: only then is it worth a variant.
func narrows(m llvm.Module, kernel llvm.Value) bool {
	for q, calls := range Queries(m, kernel) {
		if q.Kind != GlobalID {
			continue
		}
		for _, call := range calls {
			for _, u := range call.Users() {
				switch u.Opcode() {
				case llvm.OpTrunc, llvm.OpShl, llvm.OpAnd:
					return true
				}
			}
		}
	}
	return false
}
