package wfv

import "aqueduct/roc/compiler/llvm"

// either builds `if (c) yes() else no()` of blocks that block makes, for code that finds nothing out about values.
func either(b llvm.Builder, block func(name string) llvm.Block, c llvm.Value, yes, no func()) {
	then, otherwise, done := block("then"), block("else"), block("done")
	b.CondBr(c, then, otherwise)
	b.AtEnd(then)
	yes()
	b.Br(done)
	otherwise.MoveAfter(b.Block())
	b.AtEnd(otherwise)
	no()
	b.Br(done)
	done.MoveAfter(b.Block())
	b.AtEnd(done)
}
