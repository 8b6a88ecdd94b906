package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// wrap builds the native kernel around the wide functions. r is the scalar form's report, which it brings up to date.
func (k *kernel) wrap(r *Result, main forms) {
	if k.leaves() {
		k.general = k.m.Function(r.Symbol)
		k.general.SetName(r.Symbol + ".scalar")
		k.general.SetLinkage(llvm.Internal)
	}
	w := workgroup.NewWrapper(k.m, k.f, r.Symbol, k.Args, k.HiddenOffset)
	defer w.Dispose()
	k.native = w.Func
	k.useFullRegisters(w.Func)
	lw := &loops{Wrapper: w, k: k, forms: main}
	if k.leaves() {
		lw.leaveOthers(k.general)
	}
	if lw.streams != nil {
		lw.decideStreaming()
	}
	if main.free {
		w.Bands(lw.items)
	} else {
		w.Groups(func() {
			lw.fixSize()
			lw.group()
		})
	}
	for _, f := range []*forms{&main, main.across, main.column} { // those for short rows need less
		if f != nil && f.full.region != nil {
			r.FramePerItem = max(r.FramePerItem, w.Exchange+uint32(f.full.region.size))
		}
	}
	r.GroupSegmentSize = max(r.GroupSegmentSize, k.segment)
	if !k.mixed() {
		r.HasBarrier = main.full.region != nil // not for sub-groups: in lanes nobody waits for them
	}
	r.Width = uint32(k.width)
}

// useFullRegisters asks for 512-bit vectors where there are some.
func (k *kernel) useFullRegisters(f llvm.Value) {
	if k.target.AVX512 {
		UseFullRegisters(f)
	}
}

// UseFullRegisters asks for 512-bit vectors: tuned for mixed code, LLVM would keep to 256.
func UseFullRegisters(f llvm.Value) {
	for _, key := range []string{"prefer-vector-width", "min-legal-vector-width"} {
		f.AddAttribute(llvm.FunctionIndex, f.Type().Context().StringAttribute(key, "512"))
	}
}

// loops are the loops of a native kernel.
type loops struct {
	*workgroup.Wrapper
	k *kernel
	forms
	streaming llvm.Value // i1: the launch stores past the caches; zero if none does
}

// fixSize makes constants of the group's size where the kernel requires one. Other sizes have been left to the scalar form.
func (w *loops) fixSize() {
	if w.k.reqd[0] == 0 {
		return
	}
	for d, n := range w.k.reqd {
		w.Size[d] = w.C(n)
	}
}

// fewItems is the part of a vector, a quarter, that kernels which enqueue run in scalar form: many such kernels are one
// work-item that looks at what others did and enqueues the next of them.
const fewItems = 4

// leaveOthers hands over to the scalar form an NDRange whose ids may pass smallGrid, or whose groups are not all of the
// required size, or leave most lanes without work, or have sub-groups across rows.
func (w *loops) leaveOthers(scalar llvm.Value) {
	c := w.k.m.Context()
	attributes := []string{"noinline", "cold", "optsize", "minsize"}
	if w.k.mixed() {
		attributes = attributes[:1]
	}
	for _, a := range attributes {
		scalar.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
	}
	b := w.B
	reach := w.C(0)
	if w.k.small {
		for d := range 3 {
			reach = b.Or(reach, b.Or(w.Offset[d], b.Add(w.Offset[d], w.GlobalSize[d])))
		}
	}
	others := b.ICmp(llvm.IntUGT, reach, w.C(smallGrid-1))
	if w.k.reqd[0] > 0 {
		for d, n := range w.k.reqd {
			others = b.Or(others, b.ICmp(llvm.IntNE, w.GlobalSize[d], b.Mul(w.NumGroups[d], w.C(n))))
		}
	}
	if w.k.few {
		row := w.Enqueued[0]
		switch s := w.k.data.subGroups; {
		case w.free: // groups are merged
			row = w.GlobalSize[0]
		case s != nil && s.across:
			row = b.Mul(b.Mul(row, w.Enqueued[1]), w.Enqueued[2])
		}
		others = b.Or(others, b.ICmp(llvm.IntULT, row, w.C(int64(w.width/fewItems))))
	}
	if w.k.ragged {
		others = b.Or(others, w.acrossRows([3]llvm.Value{b.Or(w.Enqueued[0], w.GlobalSize[0]), w.Enqueued[1], w.Enqueued[2]}))
	}
	left, kept := w.Block("left"), w.Block("kept")
	b.CondBr(others, left, kept)
	b.AtEnd(left)
	args := make([]llvm.Value, 4)
	for i := range args {
		args[i] = w.Func.Param(i)
	}
	b.Call(scalar.ValueType(), scalar, args...)
	b.RetVoid()
	b.AtEnd(kept)
}

// run calls a form for the vector that starts at local id lid.
func (w *loops) run(g *gen, lid [3]llvm.Value, active llvm.Value, more ...llvm.Value) llvm.Value {
	args := slices.Clone(w.Args)
	for _, q := range g.asked {
		args = append(args, w.Answer(q, lid))
	}
	args = append(args, active)
	if g.streaming != 0 {
		args = append(args, w.streaming)
	}
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

// vectors cuts n items of dimension 0 into whole vectors and a rest.
func (w *loops) vectors(n llvm.Value, each func(g *gen, x, active llvm.Value)) {
	width := int64(w.width)
	rest := w.B.And(n, w.C(width-1))
	whole := w.B.Sub(n, rest)
	w.unless0(whole, func() {
		w.Loop(whole, width, func(x llvm.Value) { each(w.full, x, w.C(width)) })
	})
	if w.partial != nil {
		w.unless0(rest, func() { each(w.partial, whole, rest) })
	}
}

// items runs a group, or a band of groups, without barriers.
func (w *loops) items() {
	if w.tile != nil {
		w.Loop(w.Size[2], 1, w.tiles)
		return
	}
	w.rows(func(y, z, _ llvm.Value) { w.row(y, z, w.C(0), w.rowSize()) })
}

// rows loops over the rows of a group; number counts them. Where no work-item asks in which row it is, they are all row 0.
func (w *loops) rows(body func(y, z, number llvm.Value)) {
	b := w.B
	if w.goAcross() {
		body(w.C(0), w.C(0), w.C(0))
		return
	}
	if !slices.ContainsFunc(w.full.asked, func(q workgroup.Query) bool { return q.PerItem() && (q.Dim > 0 || q.Kind == workgroup.SubGroupID) }) {
		w.Loop(b.Mul(w.Size[1], w.Size[2]), 1, func(number llvm.Value) { body(w.C(0), w.C(0), number) })
		return
	}
	w.Loop(w.Size[2], 1, func(z llvm.Value) {
		w.Loop(w.Size[1], 1, func(y llvm.Value) { body(y, z, b.Add(b.Mul(z, w.Size[1]), y)) })
	})
}

// row runs the items from x0 to x1 of a row.
func (w *loops) row(y, z, x0, x1 llvm.Value) {
	b := w.B
	n := b.Sub(x1, x0)
	if len(w.guards) == 0 {
		w.vectors(n, func(g *gen, x, active llvm.Value) {
			w.run(g, [3]llvm.Value{b.Add(x0, x), y, z}, active)
		})
		return
	}
	width := int64(w.width)
	w.Loop(n, width, func(x llvm.Value) {
		lid := [3]llvm.Value{b.Add(x0, x), y, z}
		left := b.Sub(n, x)
		enough := b.ICmp(llvm.IntUGE, left, w.C(width))
		fast, slow, done := w.Block("fast"), w.Block("slow"), w.Block("done")
		b.CondBr(b.And(enough, w.guarded(lid)), fast, slow)
		b.AtEnd(fast)
		w.run(w.full, lid, w.C(width))
		b.Br(done)
		b.AtEnd(slow)
		w.run(w.partial, lid, b.Select(enough, w.C(width), left))
		b.Br(done)
		b.AtEnd(done)
	})
}

// guarded asks whether the fast form may run the vector at lid.
func (w *loops) guarded(lid [3]llvm.Value) llvm.Value {
	e := &entryCode{b: w.B, a: w.shapes, width: w.width, params: map[*Value]llvm.Value{}, made: map[*Value]llvm.Value{},
		answer: func(q workgroup.Query) llvm.Value { return w.Answer(q, lid) }}
	for i, p := range w.shapes.f.params {
		e.params[p] = w.Args[i]
	}
	r := w.k.m.Context().I1().ConstInt(1)
	for _, g := range w.guards {
		r = w.B.And(r, e.all(g.cond, g.when))
	}
	return r
}

// panel is how many items of dimension 0 a tile goes down the rows with, so that what the rows share stays in cache.
const panel = 64

// tiles runs a plane in panels of columns, each in tiles of several rows; what rows and lanes do not divide goes row by row.
func (w *loops) tiles(z llvm.Value) {
	b := w.B
	width, rows := int64(w.width), int64(w.tile.rows)
	step := max(width, panel)
	high := b.Sub(w.Size[1], b.BinOp(llvm.OpURem, w.Size[1], w.C(rows)))
	w.Loop(w.Size[0], step, func(x0 llvm.Value) {
		x1 := b.Add(x0, w.C(step))
		x1 = b.Select(b.ICmp(llvm.IntULT, x1, w.Size[0]), x1, w.Size[0])
		n := b.Sub(x1, x0)
		rest := b.And(n, w.C(width-1))
		whole := b.Sub(n, rest)
		w.unless0(b.Mul(high, whole), func() {
			w.Loop(high, rows, func(y llvm.Value) {
				w.Loop(whole, width, func(x llvm.Value) { w.tileAt([3]llvm.Value{b.Add(x0, x), y, z}) })
			})
		})
		// What is left below, in whole vectors, and to the right.
		below := b.Sub(w.Size[1], high)
		w.unless0(b.Mul(below, whole), func() {
			w.Loop(below, 1, func(y llvm.Value) {
				y = b.Add(high, y)
				if len(w.guards) > 0 {
					w.row(y, z, x0, b.Add(x0, whole))
					return
				}
				w.Loop(whole, width, func(x llvm.Value) { w.run(w.full, [3]llvm.Value{b.Add(x0, x), y, z}, w.C(width)) })
			})
		})
		if w.partial != nil {
			w.unless0(rest, func() {
				w.Loop(w.Size[1], 1, func(y llvm.Value) { w.run(w.partial, [3]llvm.Value{b.Add(x0, whole), y, z}, rest) })
			})
		}
	})
}

// tileAt runs the tile at lid, if its guards hold for every row; else its rows one by one.
func (w *loops) tileAt(lid [3]llvm.Value) {
	b, width := w.B, w.C(int64(w.width))
	if len(w.guards) == 0 {
		w.run(w.tile, lid, width)
		return
	}
	ok := w.k.m.Context().I1().ConstInt(1)
	for r := range w.tile.rows {
		ok = b.And(ok, w.guarded([3]llvm.Value{lid[0], b.Add(lid[1], w.C(int64(r))), lid[2]}))
	}
	fast, slow, done := w.Block("fast"), w.Block("slow"), w.Block("done")
	b.CondBr(ok, fast, slow)
	b.AtEnd(fast)
	w.run(w.tile, lid, width)
	b.Br(done)
	b.AtEnd(slow)
	w.Loop(w.C(int64(w.tile.rows)), 1, func(r llvm.Value) {
		w.run(w.partial, [3]llvm.Value{lid[0], b.Add(lid[1], r), lid[2]}, width)
	})
	b.Br(done)
	b.AtEnd(done)
}

// rounds runs a group with barriers: a state machine whose states are regions, each a loop over the group's vectors. All
// vectors come to the same barrier, so the state that the last one returns is the next of all.
func (w *loops) rounds() {
	c, b := w.k.m.Context(), w.B
	i32 := c.I32()
	n := len(w.full.region.barriers)
	state := w.stateVariable(i32)
	shared := make([]llvm.Value, 0, 2*len(w.full.region.shared))
	for _, v := range w.full.region.shared {
		shared = append(shared, w.stateVariable(v.t.h), w.stateVariable(v.t.h))
	}
	next, done := w.Block("next"), w.Block("ended")
	first := w.Block("region")
	b.Br(first)
	b.AtEnd(next)
	sw := b.Switch(b.Load(i32, state), done, n)
	width := int64(w.width)
	for s := range n + 1 {
		region := first
		if s > 0 {
			region = w.Block("region")
			sw.AddCase(i32.ConstInt(int64(s)), region)
		}
		b.AtEnd(region)
		perRow := b.BinOp(llvm.OpUDiv, b.Add(w.rowSize(), w.C(width-1)), w.C(width))
		w.rows(func(y, z, row llvm.Value) {
			rest := w.Block("idle")
			w.vectors(w.rowSize(), func(g *gen, x, active llvm.Value) {
				number := b.Add(b.Mul(row, perRow), b.BinOp(llvm.OpUDiv, x, w.C(width)))
				frame := b.GEP(c.I8(), w.Frame, b.Mul(number, w.C(w.full.region.size)))
				more := append([]llvm.Value{frame, i32.ConstInt(int64(s))}, shared...)
				result := w.run(g, [3]llvm.Value{x, y, z}, active, more...)
				if len(g.region.idle) > 0 {
					busy := w.Block("busy")
					b.CondBr(b.ICmp(llvm.IntEQ, result, i32.ConstInt(isIdle)), rest, busy)
					b.AtEnd(busy)
				}
				b.Store(result, state)
			})
			b.Br(rest)
			rest.MoveAfter(b.Block())
			b.AtEnd(rest)
		})
		for i, v := range w.full.region.shared {
			b.Store(b.Load(v.t.h, shared[2*i+1]), shared[2*i])
		}
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
