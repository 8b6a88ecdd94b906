package wfv

import (
	"math"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Sub-groups: where a vector's lanes are work-items in the order of their linear local ids, each 16 of them are a sub-group, and
// its functions are operations on registers. Vectors go along rows where 16 divides them, else across (across.go). The mask of a
// block says which work-items are at a function together: since each block runs once for all lanes that come to it, and loops for all
// together, these are the ones that the scalar form has meet.
// Values are combined in the order that builtins/sub_group.h has as well, so that both forms round alike.

const subGroup = codeobject.SubGroupSize

// SubGroups is what a kernel does with them.
type SubGroups struct {
	calls  map[*Value]workgroup.LaneFunction
	whole  bool // a vector is one sub-group: what all of it get is uniform
	across bool // lanes go on from row to row
}

// findSubGroups reads what a kernel does with sub-groups, if anything, and decides its number of lanes then.
func (k *kernel) findSubGroups() {
	f := k.data
	calls, some := map[*Value]workgroup.LaneFunction{}, false
	for _, b := range f.order {
		for _, v := range b.instrs {
			if v.op == llvm.OpCall {
				if l, ok := workgroup.AsLaneFunction(v.callee); ok {
					calls[v], some = l, true
				}
			}
		}
	}
	for _, q := range k.asked {
		some = some || q.OfSubGroup()
		if q.Kind == workgroup.SubGroupExchange {
			fail("work-items of a sub-group exchange values in memory")
		}
	}
	if !some {
		return
	}
	f.refuseWaits()
	k.width, k.report.Reason = subGroup, "a sub-group"
	if w := k.options.Width; w > subGroup {
		k.width, k.report.Reason = w, "as asked for"
	}
	f.subGroups = &SubGroups{calls: calls, whole: k.width == subGroup, across: k.across || k.reqd[0] > 0 && !inRows(k.reqd)}
	if f.subGroups.across {
		k.askForItem()
	}
}

// refuseWaits leaves kernels with sub-groups to the scalar form that may wait in a loop for what another work-item writes. There
// sub-groups take turns, and the work-items of one as well; here one sub-group runs to its end before the next starts.
func (f *Func) refuseWaits() {
	for _, b := range f.order {
		if b.loop == nil {
			continue
		}
		for _, v := range b.instrs {
			switch v.op {
			case llvm.OpLoad:
				if !plainAccess(v) {
					fail("a volatile or atomic load in a loop, perhaps to wait for another sub-group")
				}
			case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
				if len(v.users) > 0 {
					fail("an atomic operation in a loop that looks at the result, perhaps to wait for another sub-group")
				}
			}
		}
	}
}

// query is the shape of an answer.
func (a *Shapes) query(q workgroup.Query) Shape {
	switch s := a.f.subGroups; {
	case !q.PerItem():
		return uniform
	case q.OfSubGroup() && !s.whole, !q.OfSubGroup() && s != nil && s.across:
		return vary
	case q.OfSubGroup() && q.Kind != workgroup.SubGroupLocalID || q.Dim != 0:
		return uniform
	}
	return Shape{affine, 1, true, true}
}

// lanes is the shape of what a function of lanes returns.
func (a *Shapes) lanes(v *Value, l workgroup.LaneFunction) Shape {
	whole := vary // the same in a sub-group
	if a.f.subGroups.whole {
		whole = uniform
	}
	for _, x := range v.args {
		if a.of(x).kind == unknown {
			return Shape{}
		}
	}
	switch l.Kind {
	case workgroup.LanesMeet:
		return uniform
	case workgroup.LanesReduce, workgroup.LanesFirst, workgroup.LanesBallot, workgroup.LanesEqual, workgroup.LanesActive:
		return whole
	case workgroup.LanesTake:
		if a.of(v.args[0]).isUniform() {
			return uniform
		}
		if a.of(v.args[1]).isUniform() {
			return whole
		}
	}
	return vary
}

// wideAnswer is what a query gives in each lane.
func (g *gen) wideAnswer(q workgroup.Query) llvm.Value {
	if !q.OfSubGroup() {
		return g.itemAnswer(q)
	}
	number := func(of func(lane int) int) llvm.Value {
		c := make([]llvm.Value, g.w)
		for i := range c {
			c[i] = g.num(g.i32, int64(of(i)))
		}
		return llvm.ConstVector(c)
	}
	first := func(lane int) int { return lane &^ (subGroup - 1) }
	switch q.Kind {
	case workgroup.SubGroupLocalID:
		return number(func(lane int) int { return lane % subGroup })
	case workgroup.SubGroupID:
		return g.b.Add(g.splat(g.answers[q], g.w), number(func(lane int) int { return lane / subGroup }))
	}
	// SubGroupSize: as many as are on at the start of the kernel.
	size := g.splat(g.num(g.i32, subGroup), g.w)
	if g.full {
		return size
	}
	left := g.b.Sub(g.splat(g.b.Cast(llvm.OpTrunc, g.fn.Param(g.active), g.i32), g.w), number(first))
	return g.b.Select(g.b.ICmp(llvm.IntSLT, left, size), left, size)
}

// ofSubGroup is a query's answer where a vector is one sub-group; zero if lane 0's is as good.
func (g *gen) ofSubGroup(q workgroup.Query) llvm.Value {
	switch q.Kind {
	case workgroup.SubGroupLocalID:
		return g.num(g.i32, 0)
	case workgroup.SubGroupSize:
		if g.full {
			return g.num(g.i32, subGroup)
		}
		return g.b.Cast(llvm.OpTrunc, g.fn.Param(g.active), g.i32)
	}
	return 0
}

// laneFunction emits a call of a function of lanes.
func (g *gen) laneFunction(b *Block, v *Value, l workgroup.LaneFunction) {
	g.notes.SubGroups++
	on := g.mask(b)
	operand := func(neutral llvm.Value) llvm.Value {
		x := g.wide(v.args[0])[0]
		if g.allOn(b) {
			return x
		}
		return g.b.Select(on, x, g.splat(neutral, g.w))
	}
	holds := func(x, y llvm.Value) llvm.Value { return g.both(on, g.unequal(x, y)) }
	switch l.Kind {
	case workgroup.LanesMeet:
	case workgroup.LanesActive:
		g.defineWhole(v, g.ballot(on))
	case workgroup.LanesBallot:
		g.defineWhole(v, g.ballot(holds(g.wide(v.args[0])[0], g.vec(v.args[0].t.h).Null())))
	case workgroup.LanesEqual:
		x := g.wide(v.args[0])[0]
		differ := g.ballot(holds(x, g.spread(g.firstOf(b, x), subGroup)))
		g.defineWhole(v, g.b.Cast(llvm.OpZExt, g.b.ICmp(llvm.IntEQ, differ, differ.Type().Null()), differ.Type()))
	case workgroup.LanesFirst:
		g.defineWhole(v, g.firstOf(b, g.wide(v.args[0])[0]))
	case workgroup.LanesReduce:
		g.defineWhole(v, g.fold(l, operand(neutral(l, v.t)), subGroup))
	case workgroup.LanesCluster:
		size := v.args[1]
		if !size.isInt || size.num < 1 || size.num > subGroup || size.num&(size.num-1) != 0 {
			fail("clusters of a size that is no constant power of two")
		}
		n := int(size.num)
		g.define(v, g.spread(g.fold(l, operand(neutral(l, v.t)), n), n))
	case workgroup.LanesInclusive:
		g.define(v, g.sweep(l, operand(neutral(l, v.t))))
	case workgroup.LanesExclusive:
		n := neutral(l, v.t)
		x := g.sweep(l, operand(n))
		r := g.shift(x, 1, n)
		if l.Operator == "add" && !v.t.isInt() { // the sum of no numbers is +0, the neutral one -0
			r = g.b.Select(g.noneBefore(b), g.vec(v.t.h).Null(), r)
		}
		g.define(v, r)
	case workgroup.LanesTake:
		g.take(b, v)
	}
}

// defineWhole records a result that is the same in all of a sub-group: a vector with one element for each.
func (g *gen) defineWhole(v *Value, x llvm.Value) {
	if g.f.subGroups.whole {
		g.defineScalar(v, g.b.ExtractElement(x, g.num(g.i32, 0)))
		return
	}
	g.define(v, g.spread(x, subGroup))
}

// spread gives each element of a vector to as many lanes.
func (g *gen) spread(x llvm.Value, lanes int) llvm.Value {
	return g.pick(x, func(l int) int { return l / lanes }, g.w)
}

func (g *gen) unequal(x, y llvm.Value) llvm.Value {
	if x.Type().Elem().Kind() == llvm.IntegerKind {
		return g.b.ICmp(llvm.IntNE, x, y)
	}
	return g.b.FCmp(llvm.FloatUNE, x, y)
}

// ballot is a number for each sub-group, with a bit for each of its lanes that are in a mask.
func (g *gen) ballot(m llvm.Value) llvm.Value {
	bits := g.b.Cast(llvm.OpBitCast, m, g.c.I16().Vec(g.w/subGroup))
	return g.b.Cast(llvm.OpZExt, bits, g.i32.Vec(g.w/subGroup))
}

// firstOf is for each sub-group the element of its first lane that is on.
func (g *gen) firstOf(b *Block, x llvm.Value) llvm.Value {
	n := g.w / subGroup
	if g.allOn(b) {
		return g.pick(x, func(i int) int { return i * subGroup }, n)
	}
	on := g.b.Or(g.ballot(g.mask(b)), g.splat(g.num(g.i32, 1<<(subGroup-1)), n)) // the last, if there is none
	at := g.call(g.intrinsic("llvm.cttz", on.Type()), on, g.i1.ConstInt(1))
	r := x.Type().Elem().Vec(n).Poison()
	for i := range n {
		lane := g.b.Add(g.b.ExtractElement(at, g.num(g.i32, int64(i))), g.num(g.i32, int64(i*subGroup)))
		r = g.b.InsertElement(r, g.b.ExtractElement(x, lane), g.num(g.i32, int64(i)))
	}
	return r
}

// noneBefore are the lanes before which none of their sub-group is on.
func (g *gen) noneBefore(b *Block) llvm.Value {
	before := make([]llvm.Value, g.w)
	for l := range before {
		before[l] = g.num(g.i32, 1<<(l%subGroup)-1)
	}
	on := g.b.And(g.spread(g.ballot(g.mask(b)), subGroup), llvm.ConstVector(before))
	return g.b.ICmp(llvm.IntEQ, on, on.Type().Null())
}

// neutral is the value of an operator that changes no other.
func neutral(l workgroup.LaneFunction, t *typ) llvm.Value {
	if !t.isInt() {
		return t.h.ConstFloat(map[string]float64{"add": math.Copysign(0, -1), "mul": 1, "min": math.Inf(1), "max": math.Inf(-1)}[l.Operator])
	}
	least, most := int64(0), int64(-1)
	if l.Signed {
		least, most = -1<<(t.bits-1), 1<<(t.bits-1)-1
	}
	return t.h.ConstInt(map[string]int64{"add": 0, "mul": 1, "min": most, "max": least, "and": -1, "or": 0, "xor": 0}[l.Operator])
}

// operator applies an operator.
func (g *gen) operator(l workgroup.LaneFunction, x, y llvm.Value) llvm.Value {
	if x.Type().Elem().Kind() == llvm.IntegerKind {
		less := llvm.IntULT
		if l.Signed {
			less = llvm.IntSLT
		}
		switch l.Operator {
		case "min":
			return g.b.Select(g.b.ICmp(less, y, x), y, x)
		case "max":
			return g.b.Select(g.b.ICmp(less, x, y), y, x)
		}
		op, ok := map[string]llvm.Opcode{"add": llvm.OpAdd, "mul": llvm.OpMul, "and": llvm.OpAnd, "or": llvm.OpOr, "xor": llvm.OpXor}[l.Operator]
		if !ok {
			fail("an operator %s of sub-groups", l.Operator)
		}
		return g.b.BinOp(op, x, y)
	}
	either := func(less llvm.Value) llvm.Value { // of a number and a NaN the number
		return g.b.Select(g.b.Or(less, g.b.FCmp(llvm.FloatUNO, x, x)), y, x)
	}
	switch l.Operator {
	case "add":
		return g.b.BinOp(llvm.OpFAdd, x, y)
	case "mul":
		return g.b.BinOp(llvm.OpFMul, x, y)
	case "min":
		return either(g.b.FCmp(llvm.FloatOLT, y, x))
	case "max":
		return either(g.b.FCmp(llvm.FloatOLT, x, y))
	}
	fail("an operator %s of sub-groups", l.Operator)
	return 0
}

// fold makes one element of each size lanes: the lower half is combined with the upper one, and so on.
func (g *gen) fold(l workgroup.LaneFunction, x llvm.Value, size int) llvm.Value {
	for n := size; n > 1; n /= 2 {
		half := func(from int) llvm.Value {
			return g.pick(x, func(i int) int { return i/(n/2)*n + from + i%(n/2) }, x.Type().VecLen()/2)
		}
		x = g.operator(l, half(0), half(n/2))
	}
	return x
}

// sweep makes of each lane what it gives with those before it in its sub-group.
func (g *gen) sweep(l workgroup.LaneFunction, x llvm.Value) llvm.Value {
	t := g.f.typ(x.Type().Elem())
	before := neutral(l, t)
	if !t.isInt() && (l.Operator == "min" || l.Operator == "max") { // a NaN, all ones, which leaves a NaN as it is
		before = llvm.ConstBitCast(g.c.Int(int(8*t.size)).AllOnes(), t.h)
	}
	for n := 1; n < subGroup; n *= 2 {
		x = g.operator(l, g.shift(x, n, before), x)
	}
	return x
}

// shift gives each lane what the n-th before it in its sub-group has, the first n of them a value.
func (g *gen) shift(x llvm.Value, n int, value llvm.Value) llvm.Value {
	return g.shiftWithin(subGroup, x, n, value)
}

// shiftWithin is shift for groups of another size.
func (g *gen) shiftWithin(size int, x llvm.Value, n int, value llvm.Value) llvm.Value {
	from := make([]llvm.Value, g.w)
	for l := range from {
		from[l] = g.num(g.i32, int64(l-n))
		if l%size < n {
			from[l] = g.num(g.i32, int64(g.w+l))
		}
	}
	return g.b.Shuffle(x, g.splat(value, g.w), llvm.ConstVector(from))
}
