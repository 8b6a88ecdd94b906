package wfv

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Streaming stores: a launch that stores more than the caches hold drives out of them what is there, and the processor reads each
// line before it is written. Stores past the caches (nontemporal) do neither. They want whole vectors of whole lines, each written
// once; and since no other access waits for them, kernels in which work-items tell one another something have none.

// streamFrom is how many bytes a launch stores at least for its stores to go past the caches.
const streamFrom = 64 << 20

const lineSize = 64 // bytes, of x86

// streams are the stores of a kernel that go past the caches in large launches.
type streams struct {
	stores map[*Value]bool
	bytes  [1 << 3]int64 // that a work-item stores by them; index: the set of dimensions, a bit each, by which places differ
}

// findStreams finds those stores, nil if there are none.
func (k *kernel) findStreams(a *Shapes, width int) *streams {
	if !strings.HasPrefix(k.m.Triple(), "x86_64") {
		return nil
	}
	s := &streams{stores: map[*Value]bool{}}
	read := map[*Value]bool{} // arguments
	for _, b := range k.data.order {
		for _, v := range b.instrs {
			if !a.independent(v) {
				return nil
			}
			if v.op == llvm.OpLoad {
				read[a.extent(v).base] = true
			}
		}
	}
	for _, b := range k.data.order {
		for _, v := range b.instrs {
			if v.op != llvm.OpStore || b.loop != nil {
				continue
			}
			p, t := v.args[1], v.args[0].t
			at := a.extent(v).base
			if !slices.Contains(k.data.params, at) || read[at] || p.t.space != spaceGlobal || t.size*int64(width)%lineSize != 0 {
				continue
			}
			x := a.of(p)
			if dims := k.dimensions(p); x.kind == affine && x.stride == t.size && dims != 0 {
				s.stores[v] = true
				s.bytes[dims] += t.size
			}
		}
	}
	if len(s.stores) == 0 {
		return nil
	}
	return s
}

// independent says that other work-items have no part in what v does.
func (a *Shapes) independent(v *Value) bool {
	switch v.op {
	case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg, llvm.OpFence:
		return false
	case llvm.OpLoad, llvm.OpStore:
		return plainAccess(v)
	case llvm.OpCall:
		return a.computes(v)
	}
	return true
}

// dimensions is the set of dimensions whose global ids an address depends on; none if it depends on other ids.
func (k *kernel) dimensions(p *Value) (set int) {
	seen := map[*Value]bool{}
	var visit func(v *Value) bool
	visit = func(v *Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		if q, ok := k.queries[v]; ok {
			if q.Kind == workgroup.GlobalID {
				set |= 1 << q.Dim
			}
			return q.Kind == workgroup.GlobalID || q.Kind == workgroup.GlobalSize || q.Kind == workgroup.GlobalOffset
		}
		for _, x := range v.args {
			if !visit(x) {
				return false
			}
		}
		return true
	}
	if !visit(p) {
		return 0
	}
	return set
}

// storeWhole stores a vector all of whose lanes are on.
func (g *gen) storeWhole(x access, y, p llvm.Value) {
	usual := func() { g.b.Store(y, p).SetAlign(x.align) }
	if g.streaming == 0 || !g.streams.stores[x.v] {
		usual()
		return
	}
	g.notes.Streams.add(g.notes.line)
	offset := g.b.And(g.b.Cast(llvm.OpPtrToInt, p, g.i64), g.num(g.i64, lineSize-1))
	either(g.b, g.newBlock, g.b.And(g.streaming, g.b.ICmp(llvm.IntEQ, offset, g.num(g.i64, 0))), func() {
		s := g.b.Store(y, p)
		s.SetAlign(lineSize)
		s.SetMetadata(g.c, g.c.MDKind("nontemporal"), g.c.MDNode(g.num(g.i32, 1).AsMetadata()))
	}, usual)
}

// decideStreaming builds the test whether the launch stores enough, and what makes its stores seen before it ends.
func (w *loops) decideStreaming() {
	b := w.B
	total := w.C(0)
	for dims, n := range w.streams.bytes {
		if n == 0 {
			continue
		}
		product := w.C(n)
		for d := range 3 {
			if dims>>d&1 != 0 {
				product = b.Mul(product, w.GlobalSize[d])
			}
		}
		total = b.Add(total, product)
	}
	w.streaming = b.ICmp(llvm.IntUGE, total, w.C(streamFrom))
	w.Last = func() {
		fence := w.k.m.Intrinsic("llvm.x86.sse.sfence")
		some, none := w.Block("streamed"), w.Block("end")
		b.CondBr(w.streaming, some, none)
		b.AtEnd(some)
		b.Call(fence.ValueType(), fence)
		b.Br(none)
		b.AtEnd(none)
	}
}
