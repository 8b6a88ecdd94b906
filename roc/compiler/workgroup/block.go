package workgroup

import (
	"aqueduct/roc/compiler/llvm"
)

// blockRounds bounds how deep blocks may call blocks through variables.
const blockRounds = 16

// settleBlocks inlines blocks that kernels call through a variable: once the value of the variable is known, what is called is a
// function, which may in turn hold such a variable. Then it forgets the functions of blocks that are merely named, in literals
// that travel to other kernels.
func settleBlocks(m llvm.Module, tm llvm.TargetMachine, kernels []llvm.Value) error {
	isKernel := map[llvm.Value]bool{}
	for _, k := range kernels {
		isKernel[k] = true
	}
	for range blockRounds {
		if !callsDefined(kernels) {
			break
		}
		if err := m.RunPasses(canonical, tm, llvm.PassOptions{}); err != nil {
			return err
		}
	}
	if callsDefined(kernels) {
		return nil // checkKernel tells
	}
	var named []llvm.Value
	for _, f := range m.Functions() {
		if !f.IsDeclaration() && !isKernel[f] && !stays(f) {
			named = append(named, f)
			f.ReplaceUses(f.Type().Null())
		}
	}
	for _, f := range named {
		f.DeleteFunction()
	}
	return nil
}

// stays says whether a function is one that is never inlined.
func stays(f llvm.Value) bool { return isKept(f) || IsPrint(f.Name()) }

// callsDefined says whether a kernel calls a function that is there but not inlined.
func callsDefined(kernels []llvm.Value) bool {
	for _, k := range kernels {
		for _, bb := range k.Blocks() {
			for i := bb.First(); i != 0; i = i.Next() {
				if i.Opcode() == llvm.OpCall {
					if f := i.Callee(); f.IsFunction() && !f.IsDeclaration() && !stays(f) {
						return true
					}
				}
			}
		}
	}
	return false
}
