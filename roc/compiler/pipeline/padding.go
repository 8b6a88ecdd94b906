package pipeline

import "aqueduct/roc/compiler/llvm"

// definePadding gives the fourth element a value where clang makes a vector of four of one of three, as it does to keep one in
// memory or pass it by value. Clang leaves it undefined; once such a vector is passed as an integer of its size, which then
// is undefined as a whole, passes may do what they like with the other three.
func definePadding(m llvm.Module) {
	b := m.Context().NewBuilder()
	defer b.Dispose()
	i32 := m.Context().I32()
	mask := llvm.ConstVector([]llvm.Value{i32.ConstInt(0), i32.ConstInt(1), i32.ConstInt(2), i32.ConstInt(3)})
	for _, f := range m.Functions() {
		for _, bb := range f.Blocks() {
			for i := bb.First(); i != 0; {
				at := i
				i = i.Next()
				if at.Opcode() != llvm.OpShuffleVector || at.Type().VecLen() != 4 || at.MaskElement(3) >= 0 {
					continue
				}
				x := at.Operand(0)
				if x.Type().VecLen() != 3 || at.MaskElement(0) != 0 || at.MaskElement(1) != 1 || at.MaskElement(2) != 2 {
					continue
				}
				b.Before(at)
				at.ReplaceUses(b.Shuffle(x, x.Type().Null(), mask))
				at.Erase()
			}
		}
	}
}
