package wfv

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Lock-free loops are run by one lane after the other, each to the end of its own: side by side, lanes at one place would make
// one another's attempts fail, and all of them would go round for each. Such a loop becomes a function, which is called for each
// lane and inlined again.

const turnPrefix = "aqueduct.turn."

// isTurn recognises the name of such a function.
func isTurn(callee string) bool { return strings.HasPrefix(callee, turnPrefix) }

// cell stands for the place that a loop changes, where that is one for all lanes and all that the loop changes: the lanes take
// their turns on a private variable, of type t, which the function's first parameter points to. What they made of what the place
// held then takes its place by one compare-and-exchange, or if another thread has come between they take their turns once more.
type cell struct {
	t     llvm.Type
	order llvm.Ordering
}

// takeTurn makes a function of a lock-free loop that lanes leave one by one, and says whether there was one.
func (k *kernel) takeTurn(a *Shapes) bool {
	for _, l := range a.f.loops {
		if v := a.lockFree(l); v != nil && l.parts() {
			k.outline(a, l, v)
			return true
		}
	}
	return false
}

// turnWork is how many instructions a vector form has to do for all lanes at once for each such loop that they run in turn, or
// the scalar form is as fast: a lane's turn takes some instructions beside the loop itself, and what it needs comes from memory.
// That does not go for turns on a cell, which save all but one of the atomic instructions.
// After 16 operations sums are faster in lanes and lists still slower (BenchmarkLockFree).
const turnWork = 24

// turnsPay says whether the vector form has enough to do beside lock-free loops. What is in a loop counts eight times.
func (k *kernel) turnsPay(a *Shapes) bool {
	address := k.data.addressOnly()
	work, need := 0, 0
	for _, b := range k.data.order {
		in := heat{}
		times := 1
		for l := b.loop; l != nil && times < 1<<12; l = l.parent {
			times *= 8
		}
		for _, v := range b.instrs[:len(b.instrs)-1] {
			if _, one := k.cells[v.callee]; one {
				continue
			}
			if isTurn(v.callee) {
				need += turnWork * times
			} else {
				k.count(a, v, address[v], &in)
			}
		}
		work += in.wide * times
	}
	return work >= need
}

// turnLoop is a loop that becomes a function.
type turnLoop struct {
	l           *Loop
	exchange    *Value
	before      *Block   // the block it is entered from
	after       []*Block // the blocks it is left to
	order       []*Block // its own
	first, used []*Value // instructions of before that go with it; what it needs from outside
	cell        bool     // the place becomes one, and is the first of used
}

// outlined looks at a loop, and leaves the kernel to the scalar form if it cannot become a function.
func (a *Shapes) outlined(l *Loop, exchange *Value) *turnLoop {
	t := &turnLoop{l: l, exchange: exchange}
	for _, b := range l.header.preds {
		if !l.blocks[b] {
			t.before = b
		}
	}
	t.after = l.exits()
	ok := len(t.after) <= 2 && len(t.before.succs) == 1
	for _, b := range a.f.order {
		if l.blocks[b] {
			t.order = append(t.order, b)
			ok = ok && b.loop == l
		}
	}
	for _, b := range t.after {
		ok = ok && !slices.ContainsFunc(b.preds, func(p *Block) bool { return !l.blocks[p] })
	}
	t.take()
	for _, v := range t.instrs() {
		name := v.intrinsic()
		ok = ok && (v.op != llvm.OpCall || elementwise[name] || ignored(name))
		for _, x := range v.args {
			ok = ok && !(x.t.isPtr() && x.t.space == spacePrivate)
		}
		t.use(a.f, v.args)
	}
	for _, v := range t.left() {
		t.use(a.f, v.args)
	}
	t.findCell(a)
	if !ok {
		fail("a loop that repeats an atomic exchange until it succeeds, with more in it than can be done by one lane at a time")
	}
	return t
}

// findCell says whether the place can be a cell.
func (t *turnLoop) findCell(a *Shapes) {
	p, kind := t.exchange.args[0], t.exchange.args[1].t
	at := slices.Index(t.used, p)
	if at < 0 || !a.of(p).isUniform() || p.t.space == spaceLocal || !kind.isInt() {
		return
	}
	for _, v := range append(t.instrs(), t.left()...) {
		loads := v.op == llvm.OpLoad && v.args[0] == p && v.t.size == kind.size && !v.t.isAggregate()
		exchanges := (v.op == llvm.OpAtomicCmpXchg || v.op == llvm.OpAtomicRMW) && v.args[0] == p && v.args[1].t == kind
		if v.op == llvm.OpFence || !loads && !exchanges && (writesMemory(v) || slices.Contains(v.args, p)) {
			return
		}
	}
	t.used[0], t.used[at], t.cell = p, t.used[0], true
}

// instrs are the instructions that become the function's.
func (t *turnLoop) instrs() []*Value {
	r := slices.Clone(t.first)
	for _, b := range t.order {
		r = append(r, b.instrs...)
	}
	return r
}

// left are the values that the loop gives: since it is in closed form, phis where it is left to.
func (t *turnLoop) left() []*Value {
	var r []*Value
	for _, b := range t.after {
		r = append(r, b.phis()...)
	}
	return r
}

// use adds what is needed from outside.
func (t *turnLoop) use(f *Func, vs []*Value) {
	for _, v := range vs {
		own := v.isInstr() && (t.l.blocks[v.block] || slices.Contains(t.first, v))
		if (v.isInstr() || slices.Contains(f.params, v)) && !own && !slices.Contains(t.used, v) {
			t.used = append(t.used, v)
		}
	}
}

// take lets the look at the place before the first attempt go with the loop: before all lanes' loops it would be out of date for
// most.
func (t *turnLoop) take() {
	p := plainly(t.exchange.args[0])
	instrs := t.before.instrs
	for _, v := range slices.Backward(instrs[:len(instrs)-1]) {
		only := !slices.ContainsFunc(v.users, func(u *Value) bool { return !t.l.blocks[u.block] && !slices.Contains(t.first, u) })
		switch {
		case only && (v.op == llvm.OpBitCast || v.op == llvm.OpLoad && plainly(v.args[0]) == p):
			t.first = append([]*Value{v}, t.first...)
		case v.op == llvm.OpLoad && !plainAccess(v) || v.op == llvm.OpFence || v.op == llvm.OpCall || writesMemory(v):
			return
		}
	}
}

// outline replaces a loop of the kernel by a call. What the function returns are the values that the loop gives, and whether it is
// left to the second place.
func (k *kernel) outline(a *Shapes, l *Loop, exchange *Value) {
	t := a.outlined(l, exchange)
	c := k.m.Context()
	left := t.left()
	fields, params := make([]llvm.Type, len(left)), make([]llvm.Type, len(t.used))
	for i, v := range left {
		fields[i] = v.t.h
	}
	for i, v := range t.used {
		params[i] = v.t.h
	}
	if t.cell {
		params[0] = c.Ptr(spacePrivate)
	}
	f := k.m.AddFunction(turnPrefix+k.name, llvm.Function(c.Struct(append(fields, c.I1())...), params...))
	k.turns = append(k.turns, f)
	f.SetLinkage(llvm.Internal)
	copyAttributes(k.f, f, llvm.FunctionIndex)
	f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute("alwaysinline", 0))
	t.body(c, f)
	workgroup.PlainAtomics(k.m, f, spaceLocal)
	if t.cell {
		workgroup.PlainAtomics(k.m, f, spacePrivate)
		for _, v := range f.Param(0).Users() {
			if v.Opcode() == llvm.OpLoad {
				v.SetVolatile(false)
			}
		}
		k.cells[f.Name()] = cell{exchange.args[1].t.h, order(exchange)}
	}

	args := make([]llvm.Value, len(t.used))
	for i, v := range t.used {
		args[i] = v.h
	}
	b := c.NewBuilder()
	defer b.Dispose()
	b.Before(t.before.term.h)
	b.Locate(exchange.h)
	call := b.Call(f.ValueType(), f, args...)
	for i, v := range left {
		v.h.ReplaceUses(b.ExtractValue(call, i))
		v.h.Erase()
	}
	if len(t.after) == 1 {
		b.Br(t.after[0].h)
	} else {
		b.CondBr(b.ExtractValue(call, len(left)), t.after[1].h, t.after[0].h)
	}
	t.before.term.h.Erase()
	t.discard()
}

// order of an exchange that succeeds.
func order(v *Value) llvm.Ordering {
	if v.op == llvm.OpAtomicRMW {
		return v.h.Ordering()
	}
	success, _ := v.h.CmpXchgOrderings()
	return success
}

// body fills the function.
func (t *turnLoop) body(c llvm.Context, f llvm.Value) {
	b := c.NewBuilder()
	defer b.Dispose()
	value := map[llvm.Value]llvm.Value{}
	of := func(x *Value) llvm.Value {
		if y, ok := value[x.h]; ok {
			return y
		}
		return x.h
	}
	for i, v := range t.used {
		value[v.h] = f.Param(i)
	}
	entry := c.AppendBlock(f, "")
	block := map[llvm.Block]llvm.Block{t.before.h: entry}
	for _, x := range t.after {
		block[x.h] = c.AppendBlock(f, "")
	}
	b.AtEnd(entry)
	for _, v := range t.first {
		y := v.h.Clone()
		for i, x := range v.args {
			y.SetOperand(i, of(x))
		}
		b.Insert(y)
		value[v.h] = y
	}
	from := make([]llvm.Block, len(t.order))
	for i, x := range t.order {
		from[i] = x.h
	}
	copyBlocks(c, f, from, value, block)
	b.Br(block[t.l.header.h])
	at := 0
	for i, x := range t.after {
		b.AtEnd(block[x.h])
		r := f.ValueType().Result().Undef()
		var phis []llvm.Value
		for _, v := range x.phis() {
			y := b.Phi(v.t.h)
			for k, z := range v.args {
				y.AddIncoming(of(z), block[v.from[k].h])
			}
			phis = append(phis, y)
		}
		for _, y := range phis {
			r = b.InsertValue(r, y, at)
			at++
		}
		b.Ret(b.InsertValue(r, c.I1().ConstInt(int64(i)), len(t.left())))
	}
}

// discard takes the loop out of the kernel.
func (t *turnLoop) discard() {
	for _, v := range slices.Backward(t.instrs()) {
		if v.t.kind != llvm.VoidKind {
			v.h.ReplaceUses(v.t.h.Poison())
		}
		v.h.Erase()
	}
	for _, b := range t.order {
		b.h.Delete()
	}
}
