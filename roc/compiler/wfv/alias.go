package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// extent is what is known of where an operation accesses memory: size bytes from at on behind base, give or take multiples of step.
type extent struct {
	base           *Value // an argument, a variable, an array of the work-item; nil: not known
	at, size, step int64  // step 0: just there; size 0: not known
	space          int
}

// Address spaces of -ffake-address-space-map.
const (
	spacePrivate = 0
	spaceGlobal  = 1
	spaceLocal   = 3
	spaceGeneric = 4
)

// extent of a load, a store, an atomic operation or a call of memcpy's kind.
func (a *Shapes) extent(v *Value) extent {
	p, size := v.args[0], v.t.size
	switch v.op {
	case llvm.OpStore:
		p, size = v.args[1], v.args[0].t.size
	case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
		size = v.args[1].t.size
	case llvm.OpCall:
		size = 0
	}
	r := a.place(p)
	r.size = size
	if r.base == nil {
		r.space = p.t.space
	}
	return r
}

// place is where a pointer points to, if it is an operand of the phis given.
func (a *Shapes) place(p *Value, phis ...*Value) (r extent) {
	for !a.root(p) {
		switch p.op {
		case llvm.OpGetElementPtr:
			a.f.steps(p, func(x *Value, size int64) {
				switch {
				case x == nil:
					r.at += size
				case x.isInt:
					r.at += x.num * size
				default:
					c, m := residue(x)
					r.at += c * size
					r.step = gcd(r.step, m*size)
				}
			})
		case llvm.OpAddrSpaceCast, llvm.OpBitCast, llvm.OpFreeze:
		case llvm.OpPHI:
			if slices.Contains(phis, p) || len(phis) == maxPhis {
				return extent{}
			}
			at := a.place(p.args[0], append(phis, p)...)
			for _, x := range p.args[1:] {
				at = at.or(a.place(x, append(phis, p)...))
			}
			at.at, at.step = at.at+r.at, gcd(at.step, r.step)
			return at
		default:
			return extent{}
		}
		p = p.args[0]
	}
	r.base, r.space = p, p.t.space
	return r
}

// maxPhis bounds how deep phis are looked into.
const maxPhis = 4

// or is the extent of both places.
func (x extent) or(y extent) extent {
	if x.base != y.base {
		return extent{}
	}
	x.step = gcd(gcd(x.step, y.step), x.at-y.at)
	return x
}

// root says whether p is where an object starts: the only name it has. Kernel-scope local variables lie in the group segment,
// each at its offset (workgroup.PlaceLocals).
func (a *Shapes) root(p *Value) bool {
	switch p.op {
	case 0:
		return !p.h.IsConstantExpr()
	case llvm.OpGetElementPtr:
		_, segment := a.queries[p.args[0]]
		return segment
	}
	return p.op == llvm.OpAlloca
}

// residue: x is c more than a multiple of m, a power of two.
func residue(x *Value) (c, m int64) {
	switch x.op {
	case llvm.OpZExt, llvm.OpSExt, llvm.OpTrunc:
		return residue(x.args[0])
	case llvm.OpShl:
		if n := x.args[1]; n.isInt && n.num >= 0 && n.num < 16 {
			c, m = residue(x.args[0])
			return c << n.num, m << n.num
		}
	case llvm.OpMul:
		if n := x.args[1]; n.isInt && n.num > 0 && n.num < 1<<16 {
			c, m = residue(x.args[0])
			return c * n.num, m * (n.num & -n.num)
		}
	case llvm.OpAnd:
		if n := x.args[1]; n.isInt && n.num > 0 {
			return 0, n.num & -n.num
		}
	case llvm.OpAdd, llvm.OpOr:
		if n := x.args[1]; n.isInt && (x.op == llvm.OpAdd || x.h.Disjoint()) {
			c, m = residue(x.args[0])
			return c + n.num, m
		}
	}
	return 0, 1
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// mayMeet says whether two operations may access the same memory. Two arguments are taken for different memory, although nothing
// forbids a program to pass one buffer twice: so it serves to show that a wait ends, which the specification does not promise
// (nobody takes a lock by one name and gives it back by another), and not that a result is right.
func (a *Shapes) mayMeet(v, w *Value) bool {
	x, y := a.extent(v), a.extent(w)
	switch {
	case x.space != y.space && x.space != spaceGeneric && y.space != spaceGeneric:
		return false
	case x.base == nil || y.base == nil:
		return true
	case x.base != y.base:
		return false
	case x.size == 0 || y.size == 0:
		return true
	}
	if step := gcd(x.step, y.step); step > 0 {
		d := ((y.at-x.at)%step + step) % step
		return d < x.size || step-d < y.size
	}
	return x.at < y.at+y.size && y.at < x.at+x.size
}
