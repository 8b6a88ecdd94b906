package wfv

import "aqueduct/roc/compiler/llvm"

// Atomics of a vector happen lane by lane in lane order, those on one address as if they did. Those on local memory need no
// atomic instruction at all: one thread runs the whole group.

// LLVMAtomicRMWBinOp.
const (
	rmwXchg = 0
	rmwAdd  = 1
	rmwSub  = 2
	rmwAnd  = 3
	rmwNand = 4
	rmwOr   = 5
	rmwXor  = 6
	rmwMax  = 7
	rmwMin  = 8
	rmwUMax = 9
	rmwUMin = 10
	rmwFAdd = 11
	rmwFSub = 12
)

func (g *gen) atomicRMW(b *Block, v *Value) {
	p, y := v.args[0], v.args[1]
	op, order := v.h.RMWOp(), v.h.Ordering()
	local := p.t.space == spaceLocal && plainRMW(op)
	g.notes.Atomics++
	if g.a.of(p).isUniform() && (g.combine(b, v, op, local) || g.combineInOrder(b, v, op, local)) {
		return
	}
	at := g.pointerOfLane(p)
	w := g.wide(y)[0]
	g.define(v, g.eachLane(b, v.t, func(lane llvm.Value) llvm.Value {
		x := g.b.ExtractElement(w, lane)
		if local {
			return g.localRMW(op, at(lane), x)
		}
		return g.b.AtomicRMW(op, at(lane), x, order)
	}))
}

// pointerOfLane gives a lane's address.
func (g *gen) pointerOfLane(p *Value) func(lane llvm.Value) llvm.Value {
	if g.a.of(p).isUniform() {
		q := g.scalar(p)
		return func(llvm.Value) llvm.Value { return q }
	}
	w := g.wide(p)[0]
	return func(lane llvm.Value) llvm.Value { return g.b.ExtractElement(w, lane) }
}

func plainRMW(op int) bool { return op >= rmwXchg && op <= rmwFSub && op != rmwNand }

// localRMW is a read-modify-write without a lock; it returns the old value.
func (g *gen) localRMW(op int, p, x llvm.Value) llvm.Value {
	old := g.b.Load(x.Type(), p)
	g.b.Store(g.operate(op, old, x), p)
	return old
}

func (g *gen) operate(op int, x, y llvm.Value) llvm.Value {
	choose := func(p llvm.Predicate) llvm.Value { return g.b.Select(g.b.ICmp(p, x, y), x, y) }
	switch op {
	case rmwXchg:
		return y
	case rmwAdd:
		return g.b.Add(x, y)
	case rmwSub:
		return g.b.Sub(x, y)
	case rmwAnd:
		return g.b.And(x, y)
	case rmwOr:
		return g.b.Or(x, y)
	case rmwXor:
		return g.b.BinOp(llvm.OpXor, x, y)
	case rmwMax:
		return choose(llvm.IntSGT)
	case rmwMin:
		return choose(llvm.IntSLT)
	case rmwUMax:
		return choose(llvm.IntUGT)
	case rmwUMin:
		return choose(llvm.IntULT)
	case rmwFAdd:
		return g.b.BinOp(llvm.OpFAdd, x, y)
	}
	return g.b.BinOp(llvm.OpFSub, x, y)
}

// reductions are the operations that all lanes can do at once when nobody looks at the old values: the intrinsic, and the
// value of a lane that is off.
var reductions = map[int]struct {
	name    string
	neutral func(t llvm.Type, bits int) llvm.Value
}{
	rmwAdd:  {"add", func(t llvm.Type, _ int) llvm.Value { return t.Null() }},
	rmwSub:  {"add", func(t llvm.Type, _ int) llvm.Value { return t.Null() }},
	rmwOr:   {"or", func(t llvm.Type, _ int) llvm.Value { return t.Null() }},
	rmwXor:  {"xor", func(t llvm.Type, _ int) llvm.Value { return t.Null() }},
	rmwAnd:  {"and", func(t llvm.Type, _ int) llvm.Value { return t.AllOnes() }},
	rmwMax:  {"smax", func(t llvm.Type, bits int) llvm.Value { return t.ConstInt(-1 << (bits - 1)) }},
	rmwMin:  {"smin", func(t llvm.Type, bits int) llvm.Value { return t.ConstInt(1<<(bits-1) - 1) }},
	rmwUMax: {"umax", func(t llvm.Type, _ int) llvm.Value { return t.Null() }},
	rmwUMin: {"umin", func(t llvm.Type, _ int) llvm.Value { return t.AllOnes() }},
}

// combine makes one atomic of all lanes' when they go to one address and the old value is not used.
func (g *gen) combine(b *Block, v *Value, op int, local bool) bool {
	r, ok := reductions[op]
	if !ok || len(v.users) > 0 || !v.t.isInt() || v.t.bits > 64 {
		return false
	}
	w := g.operands(b, v, r.neutral)
	do := func() {
		var x llvm.Value
		if g.w > 1 {
			x = g.call(g.intrinsic("llvm.vector.reduce."+r.name, w.Type()), w)
		} else {
			x = g.b.ExtractElement(w, g.num(g.i32, 0))
		}
		g.once(v, op, x, local)
	}
	g.whenAny(b, do)
	return true
}

// operands of an atomic operation, the neutral one in lanes that are off.
func (g *gen) operands(b *Block, v *Value, neutral func(llvm.Type, int) llvm.Value) llvm.Value {
	w := g.wide(v.args[1])[0]
	if !g.allOn(b) {
		w = g.b.Select(g.mask(b), w, g.splat(neutral(v.t.h, v.t.bits), g.w))
	}
	return w
}

// once does an atomic operation of all lanes on their one place, and returns what was there.
func (g *gen) once(v *Value, op int, x llvm.Value, local bool) llvm.Value {
	p := g.scalar(v.args[0])
	if local {
		return g.localRMW(op, p, x)
	}
	return g.b.AtomicRMW(op, p, x, v.h.Ordering())
}

// combineInOrder makes one atomic of all lanes' when they go to one address and the old values are used: those that there are if
// the lanes come one after the other, with nobody else in between.
func (g *gen) combineInOrder(b *Block, v *Value, op int, local bool) bool {
	r, ok := reductions[op]
	if g.w == 1 || !(ok && v.t.isInt() && v.t.bits <= 64) && op != rmwXchg {
		return false
	}
	last := g.num(g.i32, int64(g.w-1))
	result := g.variable(g.vec(v.t.h))
	do := func() {
		var old llvm.Value
		if op == rmwXchg {
			x, on := g.latest(g.wide(v.args[1])[0], g.mask(b), g.allOn(b))
			old = g.splat(g.once(v, op, g.b.ExtractElement(x, last), local), g.w)
			some := g.shiftWithin(g.w, on, 1, g.i1.ConstInt(0))
			old = g.b.Select(some, g.shiftWithin(g.w, x, 1, v.t.h.Poison()), old)
		} else {
			neutral, sum := r.neutral(v.t.h, v.t.bits), op
			if op == rmwSub {
				sum = rmwAdd
			}
			x := g.operands(b, v, r.neutral)
			for n := 1; n < g.w; n *= 2 {
				x = g.operate(sum, g.shiftWithin(g.w, x, n, neutral), x)
			}
			old = g.splat(g.once(v, op, g.b.ExtractElement(x, last), local), g.w)
			old = g.operate(op, old, g.shiftWithin(g.w, x, 1, neutral))
		}
		g.b.Store(old, result)
	}
	g.b.Store(g.vec(v.t.h).Undef(), result)
	g.whenAny(b, do)
	g.define(v, g.b.Load(g.vec(v.t.h), result))
	return true
}

// latest gives each lane the element of the last lane up to it that is on, if there is one.
func (g *gen) latest(x, on llvm.Value, all bool) (latest, some llvm.Value) {
	if all {
		return x, g.all()
	}
	for n := 1; n < g.w; n *= 2 {
		x = g.b.Select(on, x, g.shiftWithin(g.w, x, n, x.Type().Elem().Poison()))
		on = g.b.Or(on, g.shiftWithin(g.w, on, n, g.i1.ConstInt(0)))
	}
	return x, on
}

// cmpXchg yields the old value and whether it was replaced.
func (g *gen) cmpXchg(b *Block, v *Value) {
	p, t := v.args[0], v.args[1].t
	if g.w > 1 && t.isInt() && g.a.of(p).isUniform() {
		g.cmpXchgInOrder(b, v)
		return
	}
	at := g.pointerOfLane(p)
	old, next := g.wide(v.args[1])[0], g.wide(v.args[2])[0]
	success, failure := v.h.CmpXchgOrderings()
	local := p.t.space == spaceLocal && t.isInt()
	g.notes.Atomics++
	seen := g.eachLane(b, t, func(lane llvm.Value) llvm.Value {
		q, o, n := at(lane), g.b.ExtractElement(old, lane), g.b.ExtractElement(next, lane)
		if local {
			x := g.b.Load(t.h, q)
			g.b.Store(g.b.Select(g.b.ICmp(llvm.IntEQ, x, o), n, x), q)
			return x
		}
		return g.b.ExtractValue(g.b.CmpXchg(q, o, n, success, failure), 0)
	})
	g.define(v, seen, g.b.ICmp(llvm.IntEQ, seen, old))
}

// cmpXchgInOrder does the compare-and-exchanges of all lanes on one address: one after the other on a value in a register, which
// then takes the place of the one that it was at first, if nobody has changed that meanwhile.
func (g *gen) cmpXchgInOrder(b *Block, v *Value) {
	t := v.args[1].t
	p, old, next := g.scalar(v.args[0]), g.wide(v.args[1])[0], g.wide(v.args[2])[0]
	success, failure := v.h.CmpXchgOrderings()
	g.notes.Atomics++
	result := g.variable(g.vec(t.h))
	attempts := func(now llvm.Value) (left, some llvm.Value) {
		seen, some := g.vec(t.h).Poison(), g.i1.ConstInt(0)
		for l := range g.w {
			lane := g.num(g.i32, int64(l))
			seen = g.b.InsertElement(seen, now, lane)
			hit := g.b.ICmp(llvm.IntEQ, now, g.b.ExtractElement(old, lane))
			if !g.allOn(b) {
				hit = g.b.Select(g.b.ExtractElement(g.mask(b), lane), hit, g.i1.ConstInt(0))
			}
			now = g.b.Select(hit, g.b.ExtractElement(next, lane), now)
			some = g.b.Or(some, hit)
		}
		g.b.Store(seen, result)
		return now, some
	}
	do := func() {
		first := g.b.Load(t.h, p)
		if v.args[0].t.space == spaceLocal {
			left, _ := attempts(first)
			g.b.Store(left, p)
			return
		}
		first.SetOrdering(failure)
		before := g.b.Block()
		again, try, done := g.newBlock("again"), g.newBlock("try"), g.newBlock("done")
		try.MoveAfter(again)
		done.MoveAfter(try)
		g.b.Br(again)
		g.b.AtEnd(again)
		now := g.b.Phi(t.h)
		now.AddIncoming(first, before)
		left, some := attempts(now)
		g.b.CondBr(some, try, done)
		g.b.AtEnd(try)
		found := g.b.CmpXchg(p, now, left, success, failure)
		now.AddIncoming(g.b.ExtractValue(found, 0), try)
		g.b.CondBr(g.b.ExtractValue(found, 1), done, again)
		g.b.AtEnd(done)
	}
	g.b.Store(g.vec(t.h).Undef(), result)
	g.whenAny(b, do)
	seen := g.b.Load(g.vec(t.h), result)
	g.define(v, seen, g.b.ICmp(llvm.IntEQ, seen, old))
}
