package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// blocks in which values are asked for, by value.
type uses map[*Value]map[*Block]bool

// findLate marks what only addresses are made of: where a test at run time finds them consecutive (contiguity.go), their
// vectors are not needed. They are made where they are asked for, of values that must still be those of the same iteration.
// It returns where values are asked for then.
func (g *gen) findLate() uses {
	g.late = map[*Value]bool{}
	only, in := g.f.addressOnly(), uses{}
	for _, b := range slices.Backward(g.f.order) {
		for _, v := range slices.Backward(b.instrs) { // users come first, phis apart
			in[v] = map[*Block]bool{}
			for _, u := range v.users {
				if !g.late[u] {
					in[v][u.block] = true
					continue
				}
				for x := range in[u] {
					in[v][x] = true
				}
			}
			g.late[v] = only[v] && g.canWait(v, in[v])
		}
	}
	return in
}

// canWait says whether the vector of an address can be made in the blocks that ask for it.
func (g *gen) canWait(v *Value, in map[*Block]bool) bool {
	if g.a.of(v).kind != varying || g.a.private[v] != nil || v.t.kind == llvm.VectorKind {
		return false
	}
	for b := range in {
		if b != v.block && (g.region != nil || v.block.loop != nil && !v.block.loop.blocks[b]) {
			return false
		}
	}
	switch v.op {
	case llvm.OpSExt, llvm.OpZExt, llvm.OpAdd, llvm.OpSub, llvm.OpMul, llvm.OpShl, llvm.OpAnd, llvm.OpOr, llvm.OpXor, llvm.OpGetElementPtr:
		return true
	}
	return false
}

// findEscapes marks the values that are used outside the block that defines them.
func (g *gen) findEscapes() {
	in := g.findLate()
	for _, b := range g.f.order {
		for slot := range b.succs {
			if x, ok := g.limitOf(b, slot); ok && g.region != nil { // see prefix
				g.escape[x.id], g.escape[x.bound] = true, true
			}
		}
		for _, v := range b.instrs {
			for x := range in[v] {
				g.escape[v] = g.escape[v] || x != b
			}
			for _, u := range v.users {
				g.escape[v] = g.escape[v] || u.op == llvm.OpPHI
			}
			g.ofAddress(v, func(x *Value) { g.escape[x] = true })
			if s := g.a.of(v); (v.op == llvm.OpSExt || v.op == llvm.OpZExt) && s.scalar() && !s.isUniform() {
				g.operandsEscape(v)
			}
		}
	}
}

// operandsEscape marks what an extension does again in its wider type (exact), whatever block it is of.
func (g *gen) operandsEscape(v *Value) {
	for _, x := range v.args {
		if x.isInstr() {
			g.escape[x] = true
		}
		switch x.op {
		case llvm.OpAdd, llvm.OpSub, llvm.OpOr, llvm.OpMul, llvm.OpShl:
			if !g.a.of(x).isUniform() {
				g.operandsEscape(x)
			}
		}
	}
}
