package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// lockFree finds the exchange of a loop that is repeated only if that has failed, and that does not fail unless somebody else has
// changed the place since the lane looked at it; nil if there is none:
//
//	do { old = *p; } while (atomic_cmpxchg(p, old, f(old)) != old);
//	while (!atomic_compare_exchange_weak(p, &old, f(old)));
//	while ((v = atomic_xchg(p, atomic_xchg(p, 0) + v)) != 0);
//
// While one lane is in the loop (turnloop.go), no other changes anything. So it leaves in the second iteration at the latest,
// unless another thread has come between, which then got on.
func (a *Shapes) lockFree(l *Loop) *Value {
	for b := range l.blocks {
		if b.loop != l {
			continue
		}
		for _, v := range b.instrs {
			x := attempt{a, l, v, map[*Value]bool{}}
			if x.ends() && x.alone() {
				return v
			}
		}
	}
	return nil
}

// attempt is an exchange that may end the loop.
type attempt struct {
	a    *Shapes
	l    *Loop
	v    *Value
	seen map[*Value]bool
}

// ends: if it finds what the lane has seen last the loop is left, and no iteration goes without it.
func (x attempt) ends() bool {
	switch {
	case x.v.op == llvm.OpAtomicCmpXchg && x.current(x.v.args[1]):
	case x.v.op == llvm.OpAtomicRMW && x.v.h.RMWOp() == rmwXchg && x.left() != nil:
	default:
		return false
	}
	latch := x.l.header.preds[0]
	if !x.l.blocks[latch] {
		latch = x.l.header.preds[1]
	}
	for d := latch; d != nil && x.l.blocks[d]; d = d.idom {
		if len(d.succs) < 2 || !dominates(x.v.block, d) {
			continue
		}
		if yes, known := x.success(d.term.args[0]); known {
			s := d.succs[1]
			if yes {
				s = d.succs[0]
			}
			if !x.l.blocks[s] {
				return true
			}
		}
	}
	return false
}

// alone: nothing else in the loop writes what the attempt looks at, but for an exchange that leaves there what the attempt is to find.
func (x attempt) alone() bool {
	left := x.left()
	for b := range x.l.blocks {
		for _, y := range b.instrs {
			if writesMemory(y) && y != x.v && x.a.mayMeet(x.v, y) && (left == nil || y != left) {
				return false
			}
		}
	}
	return true
}

// left is the exchange of the same iteration that puts a constant in the place.
func (x attempt) left() *Value {
	if x.v.op != llvm.OpAtomicRMW {
		return nil
	}
	for b := x.v.block; b != nil && b.loop == x.l; b = b.idom {
		for _, y := range b.instrs {
			if y.op == llvm.OpAtomicRMW && y != x.v && y.h.RMWOp() == rmwXchg && y.args[1].constant && plainly(y.args[0]) == plainly(x.v.args[0]) &&
				(b != x.v.block || y.index < x.v.index) {
				return y
			}
		}
	}
	return nil
}

// current says whether v is what the place held when the lane looked last, in this iteration or at the exchange of the one before.
// What v is in the first iteration does not matter.
func (x attempt) current(v *Value) bool {
	v = plainly(v)
	if x.seen[v] {
		return true
	}
	x.seen[v] = true
	if !v.isInstr() || !x.l.blocks[v.block] {
		return false
	}
	switch v.op {
	case llvm.OpLoad:
		return plainly(v.args[0]) == plainly(x.v.args[0]) && v.block.loop == x.l
	case llvm.OpExtractValue:
		return v.args[0] == x.v && v.h.Indices()[0] == 0
	case llvm.OpSelect:
		return x.current(v.args[1]) && x.current(v.args[2])
	case llvm.OpPHI:
		header := v.block == x.l.header
		if header && x.moves() || !header && v.block.loop != x.l {
			return false
		}
		for i, y := range v.args {
			if !(header && !x.l.blocks[v.from[i]]) && !x.current(y) {
				return false
			}
		}
		return true
	}
	return false
}

// moves: the place may be another one in each iteration.
func (x attempt) moves() bool {
	p := plainly(x.v.args[0])
	return p.isInstr() && x.l.blocks[p.block]
}

// success is what a condition is if the attempt finds what it expects.
func (x attempt) success(c *Value) (is, known bool) {
	if y, ok := negated(c); ok {
		is, known = x.success(y)
		return !is, known
	}
	if y, z, both, ok := logical(c); ok {
		is, known = x.success(y)
		if known && is != both {
			return is, true
		}
		is2, known2 := x.success(z)
		if known2 && is2 != both {
			return is2, true
		}
		return both, known && known2
	}
	switch c.op {
	case llvm.OpExtractValue:
		return true, c.args[0] == x.v && x.v.op == llvm.OpAtomicCmpXchg && c.h.Indices()[0] == 1
	case llvm.OpICmp:
		p := c.h.ICmpPredicate()
		return p == llvm.IntEQ, (p == llvm.IntEQ || p == llvm.IntNE) && (x.finds(c.args[0], c.args[1]) || x.finds(c.args[1], c.args[0]))
	case llvm.OpFCmp:
		p := c.h.FCmpPredicate()
		return p == llvm.FloatOEQ, (p == llvm.FloatOEQ || p == llvm.FloatUNE) && x.finds(c.args[0], c.args[1]) && c.args[1].h.IsNull()
	}
	return false, false
}

// finds says whether v is what the attempt finds, and w what it expects.
func (x attempt) finds(v, w *Value) bool {
	v, w = plainly(v), plainly(w)
	if x.v.op == llvm.OpAtomicCmpXchg {
		return v.op == llvm.OpExtractValue && v.args[0] == x.v && v.h.Indices()[0] == 0 && w == plainly(x.v.args[1])
	}
	y := x.left()
	return v == x.v && y != nil && (w == y.args[1] || w.constant && w.h.IsNull() && y.args[1].h.IsNull())
}

// plainly is a value without casts that change no bits.
func plainly(v *Value) *Value {
	for slices.Contains([]llvm.Opcode{llvm.OpBitCast, llvm.OpFreeze, llvm.OpAddrSpaceCast, llvm.OpIntToPtr, llvm.OpPtrToInt}, v.op) {
		v = v.args[0]
	}
	return v
}
