package workgroup

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

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

// Unbounded are the questions whose answers may be smallGrid or more.
var Unbounded = []QueryKind{GlobalID, GroupID, GlobalSize, NumGroups, GlobalOffset}

// Narrows says whether a kernel computes with the answer to a question of the given kinds in fewer than 64 bits: only then is
// a variant for small NDRanges worth its code.
func Narrows(m llvm.Module, kernel llvm.Value, kinds ...QueryKind) bool {
	seen := map[llvm.Value]bool{}
	for q, calls := range Queries(m, kernel) {
		if slices.Contains(kinds, q.Kind) && slices.ContainsFunc(calls, func(c llvm.Value) bool { return narrowed(c, seen) }) {
			return true
		}
	}
	return false
}

// narrowed follows a value to what is computed from it.
func narrowed(v llvm.Value, seen map[llvm.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	constant := func(u llvm.Value) (uint64, bool) {
		c := u.Operand(1)
		if !c.IsConstantInt() || c.Type().Bits() > 64 {
			return 0, false
		}
		return c.Uint(), true
	}
	for _, u := range v.Users() {
		switch u.Opcode() {
		case llvm.OpTrunc:
			return true
		case llvm.OpShl: // the first half of an extension
			if n, ok := constant(u); ok && n >= 32 {
				return true
			}
		case llvm.OpAnd:
			if n, ok := constant(u); ok && n < smallGrid-1 {
				continue // nothing is left that a small id would not have
			} else if ok {
				return true
			}
		case llvm.OpICmp, llvm.OpGetElementPtr, llvm.OpStore, llvm.OpUIToFP, llvm.OpSIToFP, llvm.OpIntToPtr:
			continue
		}
		if narrowed(u, seen) {
			return true
		}
	}
	return false
}
