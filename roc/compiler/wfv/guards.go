package wfv

import (
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Guards: `if (i < n)` around a kernel, or the edges of a stencil. Whether all lanes go the way that matters is a scalar
// question about the first and the last lane, asked before the call: where they do, the fast form runs, in which the branch
// is no branch and all lanes stay on; elsewhere the general form.

// guard is a divergent branch that the fast form assumes all lanes to take in one direction.
type guard struct {
	cond *Value
	when bool // what the condition is assumed to be
}

// findGuards chooses the branches to assume. a is the analysis without assumptions.
func (k *kernel) findGuards(a *Shapes) (guards []guard, assume map[*Block]int) {
	known := k.atEntry(a)
	for _, b := range k.data.order {
		if !a.div[b] || len(b.succs) != 2 {
			continue
		}
		yes, no := k.weight(b, b.succs[0]), k.weight(b, b.succs[1])
		slot := 0
		if no > yes {
			slot = 1
		}
		if min(yes, no)*2 > max(yes, no) {
			continue
		}
		c := b.term.args[0]
		if !k.decidable(a, known, c, slot == 0) {
			continue
		}
		if assume == nil {
			assume = map[*Block]int{}
		}
		assume[b] = slot
		guards = append(guards, guard{c, slot == 0})
	}
	return guards, assume
}

// weight is what the region costs that only the edge from b to s leads to.
func (k *kernel) weight(b, s *Block) int {
	if s.idom != b || len(s.preds) > 1 {
		return 0
	}
	n := 0
	for _, x := range k.data.order[s.pos:] {
		if dominates(s, x) {
			n += len(x.instrs)
			if x.loop != b.loop {
				n += 10 * len(x.instrs)
			}
		}
	}
	return n
}

// atEntry finds the scalar values that depend on arguments and ids only, by cheap arithmetic.
func (k *kernel) atEntry(a *Shapes) map[*Value]bool {
	known := map[*Value]bool{}
	for _, b := range k.data.order {
		for _, v := range b.instrs {
			if !a.of(v).scalar() || !cheap(a, v) {
				continue
			}
			ok := true
			for _, x := range v.args {
				ok = ok && (!x.isInstr() || known[x])
			}
			known[v] = ok
		}
	}
	return known
}

// decidable says whether it can be asked at entry if all lanes find c to be want.
func (k *kernel) decidable(a *Shapes, known map[*Value]bool, c *Value, want bool) bool {
	if a.of(c).isUniform() {
		return !c.isInstr() || known[c]
	}
	if x, y, both, ok := logical(c); ok {
		_ = both
		return k.decidable(a, known, x, want) && k.decidable(a, known, y, want)
	}
	if x, ok := negated(c); ok {
		return k.decidable(a, known, x, !want)
	}
	if c.op != llvm.OpICmp || !c.args[0].t.isInt() {
		return false
	}
	x, y := c.args[0], c.args[1]
	sx, sy := a.of(x), a.of(y)
	if sx.isUniform() {
		x, y, sx, sy = y, x, sy, sx
	}
	if !sy.isUniform() || sx.kind != affine || sx.stride <= 0 || y.isInstr() && !known[y] || !known[x] {
		return false
	}
	p := c.h.ICmpPredicate()
	if !want {
		p = inverse(p)
	}
	return p != llvm.IntEQ
}

// logical takes a conjunction (both) or a disjunction of conditions apart.
func logical(c *Value) (x, y *Value, both, ok bool) {
	switch c.op {
	case llvm.OpAnd:
		return c.args[0], c.args[1], true, true
	case llvm.OpOr:
		return c.args[0], c.args[1], false, true
	case llvm.OpSelect:
		if t := c.args[1]; t.isInt && t.num != 0 { // select x, true, y
			return c.args[0], c.args[2], false, true
		}
		if f := c.args[2]; f.isInt && f.num == 0 { // select x, y, false
			return c.args[0], c.args[1], true, true
		}
	}
	return nil, nil, false, false
}

func negated(c *Value) (*Value, bool) {
	if c.op == llvm.OpXor && c.args[1].isInt && c.args[1].num != 0 {
		return c.args[0], true
	}
	return nil, false
}

// inverse and swapped comparisons.
func inverse(p llvm.Predicate) llvm.Predicate {
	return map[llvm.Predicate]llvm.Predicate{llvm.IntEQ: llvm.IntNE, llvm.IntNE: llvm.IntEQ, llvm.IntSLT: llvm.IntSGE, llvm.IntSGE: llvm.IntSLT,
		llvm.IntSGT: llvm.IntSLE, llvm.IntSLE: llvm.IntSGT, llvm.IntULT: llvm.IntUGE, llvm.IntUGE: llvm.IntULT, llvm.IntUGT: llvm.IntULE, llvm.IntULE: llvm.IntUGT}[p]
}

func swapped(p llvm.Predicate) llvm.Predicate {
	if s, ok := map[llvm.Predicate]llvm.Predicate{llvm.IntSLT: llvm.IntSGT, llvm.IntSGT: llvm.IntSLT, llvm.IntSLE: llvm.IntSGE, llvm.IntSGE: llvm.IntSLE,
		llvm.IntULT: llvm.IntUGT, llvm.IntUGT: llvm.IntULT, llvm.IntULE: llvm.IntUGE, llvm.IntUGE: llvm.IntULE}[p]; ok {
		return s
	}
	return p
}

// entryCode evaluates guards in the wrapper, for the vector with given answers.
type entryCode struct {
	b      llvm.Builder
	a      *Shapes
	width  int
	params map[*Value]llvm.Value
	answer func(workgroup.Query) llvm.Value
	made   map[*Value]llvm.Value
}

// scalar is the value of lane 0.
func (e *entryCode) scalar(v *Value) llvm.Value {
	if x, ok := e.made[v]; ok {
		return x
	}
	var x llvm.Value
	q, isQuery := e.a.queries[v]
	switch {
	case !v.isInstr():
		x = v.h
		if p, ok := e.params[v]; ok {
			x = p
		}
	case isQuery:
		x = e.answer(q)
	default:
		args := make([]llvm.Value, len(v.args))
		for i, o := range v.args {
			args[i] = e.scalar(o)
		}
		x = e.compute(v, args)
	}
	e.made[v] = x
	return x
}

// compute makes v of lane 0's operands, so that other lanes can count from it wherever lane 0 is off (see clone and extend).
func (e *entryCode) compute(v *Value, args []llvm.Value) llvm.Value {
	s := e.a.of(v)
	switch {
	case isSum(v, s):
		return e.b.Add(args[0], args[1])
	case v.op == llvm.OpZExt && s.stride != 0 && !e.a.of(v.args[0]).nuw: // marked nneg: the sign is zero
		return e.b.Cast(llvm.OpSExt, args[0], v.t.h)
	}
	x := v.h.Clone()
	for i, y := range args {
		x.SetOperand(i, y)
	}
	e.b.Insert(x)
	dropPromises(v, x)
	return x
}

// all asks whether every lane finds c to be want.
func (e *entryCode) all(c *Value, want bool) llvm.Value {
	b := e.b
	if e.a.of(c).isUniform() {
		x := e.scalar(c)
		if !want {
			x = b.Not(x)
		}
		return x
	}
	if x, y, both, ok := logical(c); ok {
		if both == want {
			return b.And(e.all(x, want), e.all(y, want))
		}
		return b.Or(e.all(x, want), e.all(y, want))
	}
	if x, ok := negated(c); ok {
		return e.all(x, !want)
	}
	x, y := c.args[0], c.args[1]
	p := c.h.ICmpPredicate()
	if e.a.of(x).isUniform() {
		x, y, p = y, x, swapped(p)
	}
	if !want {
		p = inverse(p)
	}
	// The last lane's value is compared in twice the width, where it cannot wrap.
	wide := x.t.h.Context().Int(2 * x.t.bits)
	extend := llvm.OpZExt
	if p == llvm.IntNE || p >= llvm.IntSGT {
		extend = llvm.OpSExt
	}
	shape := e.a.of(x)
	first, bound := b.Cast(extend, e.scalar(x), wide), b.Cast(extend, e.scalar(y), wide)
	last := b.Add(first, wide.ConstInt(int64(e.width-1)*shape.stride))
	r := e.lanesAll(p, first, last, bound)
	if extend == llvm.OpSExt && !shape.nsw {
		r = b.And(r, b.ICmp(llvm.IntSLE, last, b.Cast(extend, x.t.h.ConstInt(1<<(x.t.bits-1)-1), wide)))
	}
	if extend == llvm.OpZExt && !shape.nuw {
		r = b.And(r, b.ICmp(llvm.IntULE, last, b.Cast(extend, x.t.h.AllOnes(), wide)))
	}
	return r
}

// lanesAll compares lanes that count up from first to last with a bound.
func (e *entryCode) lanesAll(p llvm.Predicate, first, last, bound llvm.Value) llvm.Value {
	b := e.b
	switch p {
	case llvm.IntNE:
		return b.Or(b.ICmp(llvm.IntSLT, bound, first), b.ICmp(llvm.IntSGT, bound, last))
	case llvm.IntSLT, llvm.IntSLE, llvm.IntULT, llvm.IntULE:
		return b.ICmp(p, last, bound)
	}
	return b.ICmp(p, first, bound)
}
