package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Between two barriers there is often work for the first work-items only: `if (lid < o)` in the tree of a reduction, `if (lid == 0)`
// at its end. Local ids grow from vector to vector of a row. So once lane 0 is past the bound, the row's other vectors have
// nothing to do either, and the loop over them ends. The first vector never ends it: the region after is known from it, and what is
// kept once a group.

// isIdle is what a wide function returns instead of the number of a barrier: this vector and those behind it have nothing to do.
const isIdle = -1

// findIdle finds the branches that may end a row.
func (g *gen) findIdle() map[*Block]limit {
	found := map[*Block]limit{}
	for _, b := range g.f.order {
		if !g.p.allLanes(b) {
			continue
		}
		for slot := range b.succs {
			if x, ok := g.limitOf(b, slot); ok && (!x.bound.isInstr() || g.region.same[x.bound]) && g.nothing(b, b.succs[1-slot]) {
				found[b] = x
			}
		}
	}
	return found
}

// nothing says whether, between two barriers, a vector whose lanes all leave b to off does nothing that the first one has not done,
// and all vectors come to b if one does.
func (g *gen) nothing(b, off *Block) bool {
	made := map[*Value]bool{}
	quiet := func(v *Value) bool {
		made[v] = true
		switch v.op {
		case llvm.OpBr:
			return len(v.args) == 0 || !v.args[0].isInstr() || g.region.same[v.args[0]]
		case llvm.OpLoad:
			return plainAccess(v)
		case llvm.OpCall:
			return g.a.computes(v)
		case llvm.OpStore, llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg, llvm.OpFence, llvm.OpSwitch, llvm.OpUnreachable:
			return false
		}
		return true
	}
	seen := map[*Block]bool{}
	var next []*barrier
	var walk func(instrs []*Value, b *Block, on bool) bool // on to the next barriers, or back to those before
	walk = func(instrs []*Value, b *Block, on bool) bool {
		near := b.succs
		if !on {
			instrs, near = slices.Clone(instrs), b.preds
			slices.Reverse(instrs)
		}
		for _, v := range instrs {
			if br := g.region.barriers[v]; br != nil {
				if on {
					next = append(next, br)
				}
				return true
			}
			if !quiet(v) {
				return false
			}
		}
		for _, x := range near {
			if !seen[x] {
				seen[x] = true
				if !walk(x.instrs, x, on) {
					return false
				}
			}
		}
		return true
	}
	if !walk(b.instrs[:len(b.instrs)-1], b, false) {
		return false
	}
	clear(seen)
	if !walk(off.instrs, off, true) {
		return false
	}
	for _, br := range next {
		for _, x := range br.live {
			if _, kept := g.region.slot[x]; kept && made[x] {
				return false
			}
		}
	}
	return true
}

// leaveIdle ends the row if this vector, which is not the first, is past a limit.
func (g *gen) leaveIdle(x limit) {
	first := g.answers[workgroup.Query{Kind: workgroup.LocalID}]
	later := g.b.ICmp(llvm.IntNE, first, first.Type().Null())
	leave, stay := g.newBlock("idle"), g.newBlock("busy")
	g.b.CondBr(g.b.And(later, g.past(x)), leave, stay)
	g.b.AtEnd(leave)
	g.b.Ret(g.num(g.i32, isIdle))
	g.b.AtEnd(stay)
	g.notes.Idle++
}
