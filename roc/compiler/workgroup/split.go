package workgroup

import "aqueduct/roc/compiler/llvm"

// splitAfter ends a block behind an instruction: what follows moves to a new block of the function. The old block is left
// without a terminator.
func splitAfter(c llvm.Context, b llvm.Builder, f, i llvm.Value) llvm.Block {
	head := i.Block()
	tail := c.AppendBlock(f, "resume")
	tail.MoveAfter(head)
	end := head.Terminator()
	seen := map[llvm.Block]bool{}
	for k := range end.NumSuccessors() {
		if s := end.Successor(k); !seen[s] {
			seen[s] = true
			renamePredecessor(b, s, head, tail)
		}
	}
	for n := i.Next(); n != 0; n = i.Next() {
		n.Remove()
		b.AtEnd(tail)
		b.Insert(n)
	}
	return tail
}

// renamePredecessor makes the phis of a block name another predecessor. The C API cannot change a phi, so they are built anew.
func renamePredecessor(b llvm.Builder, s, from, to llvm.Block) {
	for i := s.First(); i.Opcode() == llvm.OpPHI; {
		old := i
		i = i.Next()
		b.Before(old)
		phi := b.Phi(old.Type())
		for k := range old.NumIncoming() {
			v, p := old.Incoming(k)
			if p == from {
				p = to
			}
			if v == old {
				v = phi
			}
			phi.AddIncoming(v, p)
		}
		if old.CanFastMath() {
			phi.SetFastMath(old.FastMath())
		}
		old.ReplaceUses(phi)
		old.Erase()
	}
}
