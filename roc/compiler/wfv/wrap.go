package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// wrap builds the native kernel around the wide functions. r is the scalar form's report, which it brings up to date.
func (k *kernel) wrap(r *Result, forms forms) {
	scalar := k.m.Function(r.Symbol)
	k.general = scalar
	scalar.SetName(r.Symbol + ".scalar")
	scalar.SetLinkage(llvm.Internal)
	w := workgroup.NewWrapper(k.m, k.f, r.Symbol, k.Args, k.HiddenOffset)
	defer w.Dispose()
	k.native = w.Func
	lw := &loops{Wrapper: w, k: k, forms: forms}
	lw.leaveLargeGrids(scalar)
	if forms.full.region != nil {
		w.Groups(lw.rounds)
		r.FramePerItem = max(r.FramePerItem, uint32(forms.full.region.size))
	} else {
		w.Groups(lw.items)
	}
	r.GroupSegmentSize = max(r.GroupSegmentSize, k.segment)
	r.Width = uint32(k.width)
}

// loops are the loops of a native kernel.
type loops struct {
	*workgroup.Wrapper
	k *kernel
	forms
}

// leaveLargeGrids hands an NDRange whose ids may pass smallGrid over to the scalar form.
func (w *loops) leaveLargeGrids(scalar llvm.Value) {
	c := w.k.m.Context()
	for _, a := range []string{"noinline", "cold", "optsize", "minsize"} {
		scalar.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
	}
	b := w.B
	var reach llvm.Value
	for d := range 3 {
		x := b.Or(w.Offset[d], b.Add(w.Offset[d], w.GlobalSize[d]))
		if d > 0 {
			x = b.Or(reach, x)
		}
		reach = x
	}
	large, small := w.Block("large"), w.Block("small")
	b.CondBr(b.ICmp(llvm.IntUGT, reach, w.C(smallGrid-1)), large, small)
	b.AtEnd(large)
	args := make([]llvm.Value, 4)
	for i := range args {
		args[i] = w.Func.Param(i)
	}
	b.Call(scalar.ValueType(), scalar, args...)
	b.RetVoid()
	b.AtEnd(small)
}

// run calls a form for the vector that starts at local id lid.
func (w *loops) run(g *gen, lid [3]llvm.Value, active llvm.Value, more ...llvm.Value) llvm.Value {
	args := slices.Clone(w.Args)
	for _, q := range w.k.asked {
		args = append(args, w.Answer(q, lid))
	}
	args = append(args, active)
	args = append(args, more...)
	return w.B.Call(g.fn.ValueType(), g.fn, args...)
}

// unless0 builds body only where n is not zero.
func (w *loops) unless0(n llvm.Value, body func()) {
	do, done := w.Block("some"), w.Block("none")
	w.B.CondBr(w.B.ICmp(llvm.IntNE, n, w.C(0)), do, done)
	w.B.AtEnd(do)
	body()
	w.B.Br(done)
	done.MoveAfter(w.B.Block())
	w.B.AtEnd(done)
}

// vectors cuts n items into whole vectors and a rest.
func (w *loops) vectors(n llvm.Value, each func(g *gen, x, active llvm.Value)) {
	width := int64(w.k.width)
	rest := w.B.And(n, w.C(width-1))
	whole := w.B.Sub(n, rest)
	w.unless0(whole, func() {
		w.Loop(whole, width, func(x llvm.Value) { each(w.full, x, w.C(width)) })
	})
	if width > 1 {
		w.unless0(rest, func() { each(w.partial, whole, rest) })
	}
}

// items runs a group without barriers.
func (w *loops) items() {
	w.Loop(w.Size[2], 1, func(z llvm.Value) {
		w.Loop(w.Size[1], 1, func(y llvm.Value) {
			w.vectors(w.Size[0], func(g *gen, x, active llvm.Value) {
				w.run(g, [3]llvm.Value{x, y, z}, active)
			})
		})
	})
}

// rounds runs a group with barriers: a state machine whose states are regions, each a loop over the group's vectors. All
// vectors come to the same barrier, so the state that the last one returns is the next of all.
func (w *loops) rounds() {
	c, b := w.k.m.Context(), w.B
	i32 := c.I32()
	n := len(w.full.region.barriers)
	state := w.stateVariable(i32)
	next, done := w.Block("next"), w.Block("ended")
	first := w.Block("region")
	b.Br(first)
	b.AtEnd(next)
	sw := b.Switch(b.Load(i32, state), done, n)
	width := int64(w.k.width)
	for s := range n + 1 {
		region := first
		if s > 0 {
			region = w.Block("region")
			sw.AddCase(i32.ConstInt(int64(s)), region)
		}
		b.AtEnd(region)
		perRow := b.BinOp(llvm.OpUDiv, b.Add(w.Size[0], w.C(width-1)), w.C(width))
		w.Loop(w.Size[2], 1, func(z llvm.Value) {
			w.Loop(w.Size[1], 1, func(y llvm.Value) {
				row := b.Mul(b.Add(b.Mul(z, w.Size[1]), y), perRow)
				w.vectors(w.Size[0], func(g *gen, x, active llvm.Value) {
					number := b.Add(row, b.BinOp(llvm.OpUDiv, x, w.C(width)))
					frame := b.GEP(c.I8(), w.Frame, b.Mul(number, w.C(w.full.region.size)))
					b.Store(w.run(g, [3]llvm.Value{x, y, z}, active, frame, i32.ConstInt(int64(s))), state)
				})
			})
		})
		b.Br(next)
	}
	b.AtEnd(done)
}

// stateVariable makes a stack variable in the entry block.
func (w *loops) stateVariable(t llvm.Type) llvm.Value {
	b := w.k.m.Context().NewBuilder()
	defer b.Dispose()
	b.Before(w.Func.Entry().First())
	return b.Alloca(t)
}
