package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Barriers cut the kernel into regions. The wide function becomes `i32 f(..., frame, state)`: it starts at the continuation
// that state names and returns the number of the barrier it met, 0 at the end. What lives across a barrier is kept in the
// vector's part of the frame; what is the same in all vectors, once a group: for each such value the function has two
// pointers, to the value of the region before and to that for the region after. The loop over the group's vectors calls it with a constant state a region, so that after
// inlining each region is a loop of its own.
//
// It is right where all work-items of a vector come to a barrier together: its block must run under the entry mask.
type regions struct {
	barriers map[*Value]*barrier
	slot     map[*Value]int64 // offset in a vector's part of the frame
	size     int64            // bytes of that part
	again    map[*Value]bool  // arithmetic on arguments and ids: done again rather than kept
	same     map[*Value]bool  // the same in all vectors of the group: kept once, see shared
	shared   []*Value         // those of them that live across a barrier
	index    map[*Value]int   // in shared
	idle     map[*Block]limit // the branches that end a row (idle.go)
}

type barrier struct {
	number int // from 1
	live   []*Value
}

func isBarrier(v *Value) bool { return v.callee != "" && workgroup.IsBarrier(v.callee) }

// regions finds the barriers and what lives across each; nil if there are none.
func (g *gen) regions() *regions {
	var list []*Value
	for _, b := range g.f.order {
		for _, v := range b.instrs {
			if isBarrier(v) {
				if !g.p.allLanes(b) {
					fail("a barrier that not all work-items are known to meet together")
				}
				list = append(list, v)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	r := &regions{barriers: map[*Value]*barrier{}, slot: map[*Value]int64{}, again: g.recomputable(), same: groupUniform(g.a), index: map[*Value]int{}}
	far := reads{}
	for _, b := range g.f.order {
		for _, v := range b.instrs {
			g.ofAddress(v, func(x *Value) { far[v] = append(far[v], x) })
		}
	}
	live := far.liveOut(g.f)
	for n, v := range list {
		across := far.liveAfter(live[v.block], v)
		br := &barrier{number: n + 1}
		for _, b := range g.f.order { // in a fixed order
			for _, x := range b.instrs {
				if !across[x] || r.again[x] || x.op == llvm.OpAlloca {
					continue
				}
				br.live = append(br.live, x)
				_, placed := r.slot[x]
				_, listed := r.index[x]
				switch {
				case placed || listed:
				case r.same[x]:
					r.index[x] = len(r.shared)
					r.shared = append(r.shared, x)
				default:
					r.slot[x] = r.take(g.bytes(x))
				}
			}
		}
		r.barriers[v] = br
	}
	for _, v := range g.f.order[0].instrs {
		if v.op == llvm.OpAlloca {
			r.slot[v] = r.take(int64(g.w) * g.f.typ(v.h.AllocatedType()).size)
		}
	}
	return r
}

// frameAlign keeps every slot aligned for the widest vector access.
const frameAlign = 64

func align(n int64) int64 { return (n + frameAlign - 1) &^ (frameAlign - 1) }

func (r *regions) take(n int64) int64 {
	at := r.size
	r.size += align(n)
	return at
}

// bytes is what a value takes in the frame.
func (g *gen) bytes(v *Value) int64 {
	if g.a.of(v).scalar() {
		return v.t.size
	}
	n := int64(0)
	for _, t := range g.components(v.t) {
		n += g.componentBytes(t)
	}
	return n
}

func (g *gen) componentBytes(t *typ) int64 {
	if t.isInt() && t.bits < 8 {
		return align(int64(g.w)) // as bytes
	}
	return align(int64(g.w) * t.size)
}

// recomputable finds the values that depend on nothing but arguments and ids, at the cost of arithmetic.
func (g *gen) recomputable() map[*Value]bool {
	again := map[*Value]bool{}
	for _, b := range g.f.order { // definitions come before uses, phis apart, which never qualify
		for _, v := range b.instrs {
			if !cheap(g.a, v) {
				continue
			}
			again[v] = !slices.ContainsFunc(v.args, func(x *Value) bool { return x.isInstr() && !again[x] })
		}
	}
	return again
}

// cheap: a query, or arithmetic that costs less than a load.
func cheap(a *Shapes, v *Value) bool {
	switch op := v.op; {
	case op == llvm.OpCall:
		_, ok := a.queries[v]
		return ok
	case op == llvm.OpGetElementPtr:
		return a.private[v] == nil
	default:
		return op >= llvm.OpAdd && op <= llvm.OpXor && !isDivision(op) && op != llvm.OpFDiv && op != llvm.OpFRem || op >= llvm.OpTrunc && op <= llvm.OpBitCast || op == llvm.OpAddrSpaceCast || op == llvm.OpICmp || op == llvm.OpSelect
	}
}

// recompute emits a recomputable value once more.
func (g *gen) recompute(v *Value) llvm.Value {
	if q, ok := g.a.queries[v]; ok {
		return g.answer(q)
	}
	if g.a.of(v).stride != 0 && (v.op == llvm.OpSExt || v.op == llvm.OpZExt) {
		return g.extend(v.block, v)
	}
	return g.clone(v.block, v)
}

// reads are the values that instructions ask for beside their operands: what an address is made of.
type reads map[*Value][]*Value

// liveOut computes, for each block, the instructions whose values are used after it.
func (far reads) liveOut(f *Func) map[*Block]map[*Value]bool {
	out := map[*Block]map[*Value]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(f.order) {
			now := map[*Value]bool{}
			for _, s := range b.succs {
				for v := range far.liveBefore(out[s], s, 0) {
					now[v] = true
				}
				for _, p := range s.phis() {
					for i, x := range p.args {
						if p.from[i] == b && x.isInstr() {
							now[x] = true
						}
					}
				}
			}
			if len(now) != len(out[b]) {
				out[b], changed = now, true
			}
		}
	}
	return out
}

// liveBefore goes backwards from the end of b to its instruction number from.
func (far reads) liveBefore(out map[*Value]bool, b *Block, from int) map[*Value]bool {
	live := make(map[*Value]bool, len(out))
	for v := range out {
		live[v] = true
	}
	for k := len(b.instrs) - 1; k >= from; k-- {
		v := b.instrs[k]
		delete(live, v)
		if v.op == llvm.OpPHI {
			continue
		}
		for _, x := range v.args {
			if x.isInstr() {
				live[x] = true
			}
		}
		for _, x := range far[v] {
			live[x] = true
		}
	}
	return live
}

func (far reads) liveAfter(out map[*Value]bool, v *Value) map[*Value]bool {
	return far.liveBefore(out, v.block, v.index+1)
}

// together says whether what x, before y, was made of is still known at y: they are in one block, with no barrier between them.
func together(x, y *Value) bool {
	return x.block == y.block && !slices.ContainsFunc(x.block.instrs[x.index:y.index], isBarrier)
}

func (g *gen) inFrame(offset int64) llvm.Value {
	return g.b.GEP(g.i8, g.frame, g.num(g.i64, offset))
}

// barrier keeps what lives across it, returns its number, and goes on at the continuation.
func (g *gen) barrier(b *Block, v *Value) {
	br := g.region.barriers[v]
	for _, x := range br.live {
		if i, ok := g.region.index[x]; ok {
			g.b.Store(g.scalar(x), g.fn.Param(g.active+3+2*i+1))
			continue
		}
		offset := g.region.slot[x]
		if g.a.of(x).scalar() {
			g.b.Store(g.scalar(x), g.inFrame(offset))
			continue
		}
		for _, y := range g.wide(x) {
			t := g.f.typ(y.Type().Elem())
			g.b.Store(g.packed(y), g.inFrame(offset)).SetAlign(frameAlign)
			offset += g.componentBytes(t)
		}
	}
	g.b.Ret(g.num(g.i32, int64(br.number)))
	next := g.newBlock("continue")
	g.b.AtEnd(next)
	g.state.AddCase(g.num(g.i32, int64(br.number)), next)
	g.forget()
	for l := b.loop; l != nil; l = l.parent {
		g.reset(l)
	}
	for _, x := range br.live {
		if i, ok := g.region.index[x]; ok {
			g.defineScalar(x, g.b.Load(x.t.h, g.fn.Param(g.active+3+2*i)))
			continue
		}
		offset := g.region.slot[x]
		if g.a.of(x).scalar() {
			g.defineScalar(x, g.b.Load(x.t.h, g.inFrame(offset)))
			continue
		}
		var w []llvm.Value
		for _, t := range g.components(x.t) {
			y := g.b.Load(g.packedType(t), g.inFrame(offset))
			y.SetAlign(frameAlign)
			w = append(w, g.unpacked(y, t))
			offset += g.componentBytes(t)
		}
		g.define(x, w...)
	}
	g.notes.Barriers++
	g.notes.Kept += len(br.live)
}

// Vectors of bits are kept as bytes.

func (g *gen) packedType(t *typ) llvm.Type {
	if t.isInt() && t.bits < 8 {
		return g.vec(g.i8)
	}
	return g.vec(t.h)
}

func (g *gen) packed(v llvm.Value) llvm.Value {
	if t := g.packedType(g.f.typ(v.Type().Elem())); t != v.Type() {
		return g.b.Cast(llvm.OpZExt, v, t)
	}
	return v
}

func (g *gen) unpacked(v llvm.Value, t *typ) llvm.Value {
	if v.Type() != g.vec(t.h) {
		return g.b.Cast(llvm.OpTrunc, v, g.vec(t.h))
	}
	return v
}
