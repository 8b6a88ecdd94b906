package wfv

import (
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

type shapeKind uint8

const (
	unknown shapeKind = iota // not reached yet
	affine                   // lane l has base + l*stride, modulo the type's size; stride 0 is uniform
	varying
)

// Shape says how a value varies over the lanes of a vector.
type Shape struct {
	kind     shapeKind
	stride   int64 // integer units; bytes for pointers
	nsw, nuw bool  // base + l*stride is exact, signed or unsigned, for every lane that is on
}

var (
	uniform = Shape{affine, 0, true, true}
	vary    = Shape{kind: varying}
)

func (s Shape) isUniform() bool { return s.kind == affine && s.stride == 0 }

// scalar: one scalar instruction computes the value, lane 0's.
func (s Shape) scalar() bool { return s.kind == affine }

func join(a, b Shape) Shape {
	switch {
	case a.kind == unknown:
		return b
	case b.kind == unknown:
		return a
	case a.kind == affine && b.kind == affine && a.stride == b.stride:
		return Shape{affine, a.stride, a.nsw && b.nsw, a.nuw && b.nuw}
	}
	return vary
}

// Shapes is the result of the uniformity and stride analysis.
type Shapes struct {
	f       *Func
	queries map[*Value]workgroup.Query
	private map[*Value]*Private // allocas laid out as structure of arrays, and pointers into them
	shape   []Shape             // by Value.id
	div     map[*Block]bool     // the block's branch is divergent
	join    map[*Block]bool     // phis here merge lanes that came by different paths
	assume  map[*Block]int      // branches that all lanes are assumed to take to this successor
}

func (a *Shapes) of(v *Value) Shape {
	if !v.isInstr() {
		return uniform
	}
	return a.shape[v.id]
}

// shapes runs an optimistic fixpoint: values start unknown and only go up.
func shapes(f *Func, queries map[*Value]workgroup.Query, private map[*Value]*Private, assume map[*Block]int) *Shapes {
	a := &Shapes{f: f, queries: queries, private: private, shape: make([]Shape, f.count), div: map[*Block]bool{}, join: map[*Block]bool{}, assume: assume}
	for _, l := range f.loops {
		l.div = false
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.order {
			for _, v := range b.instrs {
				if n := join(a.shape[v.id], a.transfer(v)); n != a.shape[v.id] {
					a.shape[v.id] = n
					changed = true
				}
			}
			if len(b.succs) > 1 && !a.div[b] && a.branches(b) {
				a.diverge(b)
				changed = true
			}
		}
	}
	return a
}

// branches says whether lanes may leave b by different edges.
func (a *Shapes) branches(b *Block) bool {
	if _, ok := a.assume[b]; ok {
		return false
	}
	c := a.of(b.term.args[0])
	return c.kind != unknown && !c.isUniform()
}

// diverge marks what a divergent branch makes vary.
func (a *Shapes) diverge(b *Block) {
	a.div[b] = true
	parted, together := b.parting()
	a.spread(b, b.succs, together)
	for _, l := range parted {
		if l.div {
			continue
		}
		l.div = true
		exits := l.exits()
		a.spread(b, exits, together)
		for _, e := range exits { // lanes arrive from different iterations
			a.join[e] = true
		}
	}
}

// parting is the loops, from the inside, that a lane may leave or go round before the lanes that part at b are together again,
// and where they are.
func (b *Block) parting() (parted []*Loop, together *Block) {
	var inner *Loop
	for l := b.loop; ; l = l.parent {
		together = l.after(b)
		for together != nil && inner != nil && inner.blocks[together] {
			together = l.after(together)
		}
		if together != nil || l == nil {
			return parted, together
		}
		parted, inner = append(parted, l), l
	}
}

// spread finds the blocks where paths from the given starting blocks meet again, by pushing labels in linear order.
func (a *Shapes) spread(from *Block, starts []*Block, stop *Block) {
	label := map[*Block]*Block{}
	for _, s := range starts {
		if s.pos > from.pos {
			label[s] = s
		}
	}
	for _, b := range a.f.order[from.pos+1:] {
		lb := label[b]
		if lb == nil {
			continue
		}
		if b == stop {
			break
		}
		for _, s := range b.succs {
			if s.pos <= b.pos {
				continue
			}
			if o := label[s]; o == nil {
				label[s] = lb
			} else if o != lb {
				label[s] = s
				a.join[s] = true
			}
		}
	}
}

// phi: where lanes meet only the same value on every path stays what it is; but a value from inside a divergent loop does not.
func (a *Shapes) phi(v *Value) Shape {
	var s Shape
	for _, x := range v.args {
		s = join(s, a.of(x))
	}
	if !a.join[v.block] || s.kind != affine {
		return s
	}
	first := v.args[0]
	for _, x := range v.args[1:] {
		if x != first {
			return vary
		}
	}
	if d := first.block; d == nil || d.loop == nil || d.loop.blocks[v.block] {
		return s
	}
	return vary
}

// allUniform: uniform operands give a uniform result, others a varying one.
func (a *Shapes) allUniform(v *Value) Shape {
	r := uniform
	for _, x := range v.args {
		s := a.of(x)
		if s.kind == unknown {
			return Shape{}
		}
		if !s.isUniform() {
			r = vary
		}
	}
	return r
}

func (a *Shapes) transfer(v *Value) Shape {
	switch v.op {
	case llvm.OpPHI:
		return a.phi(v)
	case llvm.OpAdd, llvm.OpSub, llvm.OpOr, llvm.OpMul, llvm.OpShl, llvm.OpTrunc, llvm.OpSExt, llvm.OpZExt:
		if v.t.isInt() {
			return a.arithmetic(v)
		}
	case llvm.OpPtrToInt, llvm.OpIntToPtr, llvm.OpAddrSpaceCast, llvm.OpFreeze:
		x := a.of(v.args[0])
		if x.kind == affine && (v.t.isPtr() || v.t.isInt()) && (v.op != llvm.OpIntToPtr || v.args[0].t.bits >= 64) {
			return Shape{affine, x.stride, v.op == llvm.OpFreeze && x.nsw, v.op == llvm.OpFreeze && x.nuw}
		}
	case llvm.OpSelect:
		c, x, y := a.of(v.args[0]), a.of(v.args[1]), a.of(v.args[2])
		switch {
		case c.kind == unknown || x.kind == unknown || y.kind == unknown:
			return Shape{}
		case c.isUniform() && x.kind == affine && y.kind == affine && x.stride == y.stride:
			return join(x, y)
		}
		return vary
	case llvm.OpGetElementPtr:
		return a.gep(v)
	case llvm.OpAlloca:
		if a.private[v] != nil {
			return uniform
		}
		return Shape{affine, a.f.typ(v.h.AllocatedType()).size, true, true}
	case llvm.OpLoad:
		if a.private[v.args[0]] != nil {
			return vary
		}
	case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
		return vary
	case llvm.OpStore, llvm.OpBr, llvm.OpSwitch, llvm.OpRet, llvm.OpFence, llvm.OpUnreachable:
		return uniform
	case llvm.OpCall:
		if q, ok := a.queries[v]; ok {
			return a.query(q)
		}
		if s := a.f.subGroups; s != nil {
			if l, ok := s.calls[v]; ok {
				return a.lanes(v, l)
			}
		}
		if workgroup.LinkedLate(v.callee) || isTurn(v.callee) {
			return vary
		}
	}
	return a.allUniform(v)
}

// maxStride bounds strides, so that W of them stay far from any overflow.
const maxStride = 1 << 24

func (a *Shapes) arithmetic(v *Value) Shape {
	x := a.of(v.args[0])
	y := uniform
	if len(v.args) > 1 {
		y = a.of(v.args[1])
	}
	switch {
	case x.kind == unknown || y.kind == unknown:
		return Shape{}
	case x.isUniform() && y.isUniform():
		return uniform
	case x.kind == varying || y.kind == varying:
		return vary
	}
	result := func(stride int64, nsw, nuw bool) Shape {
		if stride < -maxStride || stride > maxStride || stride == 0 {
			return vary
		}
		return Shape{affine, stride, nsw && x.nsw && y.nsw, nuw && x.nuw && y.nuw}
	}
	switch v.op {
	case llvm.OpAdd:
		return result(x.stride+y.stride, v.h.NSW(), v.h.NUW())
	case llvm.OpSub:
		return result(x.stride-y.stride, v.h.NSW(), v.h.NUW())
	case llvm.OpOr:
		if v.h.Disjoint() {
			return result(x.stride+y.stride, true, true)
		}
	case llvm.OpMul:
		if c := v.args[1]; c.isInt && c.num > -maxStride && c.num < maxStride {
			return result(x.stride*c.num, v.h.NSW(), v.h.NUW())
		}
	case llvm.OpShl:
		if c := v.args[1]; c.isInt && c.num >= 0 && c.num < 24 {
			return result(x.stride<<c.num, v.h.NSW(), v.h.NUW())
		}
	case llvm.OpTrunc:
		if v.t.bits < 16 {
			return vary
		}
		if _, ok := a.queries[v.args[0]]; ok && v.t.bits >= 32 { // ids are below 2^31 here, see ids.go
			return x
		}
		return result(x.stride, v.h.NSW(), v.h.NUW())
	case llvm.OpSExt:
		if x.nsw {
			return Shape{affine, x.stride, true, false}
		}
	case llvm.OpZExt:
		if x.nuw || x.nsw && v.h.NNeg() {
			return Shape{affine, x.stride, true, true}
		}
	}
	return vary
}

func (a *Shapes) gep(v *Value) Shape {
	if a.private[v] != nil { // the offset is in elements of all lanes: uniform or not
		return a.allUniform(v)
	}
	if v.t.kind == llvm.VectorKind {
		return a.allUniform(v)
	}
	base := a.of(v.args[0])
	if base.kind == unknown {
		return Shape{}
	}
	stride, ok, bottom := base.stride, base.kind == affine, false
	a.f.steps(v, func(x *Value, size int64) {
		if x == nil {
			return
		}
		s := a.of(x)
		switch {
		case s.kind == unknown:
			bottom = true
		case s.kind == varying || s.stride != 0 && x.t.bits < 64 && !s.nsw:
			ok = false
		default:
			stride += s.stride * size
		}
	})
	switch {
	case bottom:
		return Shape{}
	case !ok || stride < -maxStride || stride > maxStride:
		return vary
	}
	return Shape{affine, stride, true, true}
}
