package wfv

import "aqueduct/roc/compiler/llvm"

// CompareInFloats makes comparisons of vectors of halves comparisons of floats, which have the same result. For processors that have
// the former, LLVM 19 may swap the operands of one under a mask without turning its predicate round (fixed in LLVM 22, issue 159723):
// a < 0 then means 0 < a. It is to be the last pass, as others make such comparisons.
func CompareInFloats(m llvm.Module, tm llvm.TargetMachine) {
	if !TargetOf(tm).Half {
		return
	}
	c := m.Context()
	b := c.NewBuilder()
	defer b.Dispose()
	for _, f := range m.Functions() {
		for _, block := range f.Blocks() {
			for i := block.First(); i != 0; {
				v := i
				i = i.Next()
				if v.Opcode() != llvm.OpFCmp {
					continue
				}
				t := v.Operand(0).Type()
				if t.Kind() != llvm.VectorKind || t.Elem().Kind() != llvm.HalfKind {
					continue
				}
				b.Before(v)
				wide := c.F32().Vec(t.VecLen())
				v.ReplaceUses(b.FCmp(v.FCmpPredicate(), b.Cast(llvm.OpFPExt, v.Operand(0), wide), b.Cast(llvm.OpFPExt, v.Operand(1), wide)))
				v.Erase()
			}
		}
	}
}
