package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// Accesses of a block to neighbouring elements with the same stride are made together (strided.go).

// maxStep is the largest stride worth it, in elements.
const maxStep = 4

// group are such accesses.
type group struct {
	members []*Value // in the order of the code
	offsets []int64  // of each, in bytes from what they have in common
	step    int      // the stride in elements
	size    int64    // of an element
}

// low is the offset of the first element that is accessed.
func (s *group) low() int64 { return slices.Min(s.offsets) }

// slot is which of its elements member i accesses.
func (s *group) slot(i int) int { return int((s.offsets[i] - s.low()) / s.size) }

// complete: every element is accessed.
func (s *group) complete() bool { return len(s.members) == s.step }

func (s *group) last() *Value { return s.members[len(s.members)-1] }

// fits says whether an access at an offset can join.
func (s *group) fits(offset int64) bool {
	low, high := min(s.low(), offset), max(slices.Max(s.offsets), offset)
	return (offset-s.low())%s.size == 0 && high-low < int64(s.step)*s.size && !slices.Contains(s.offsets, offset)
}

// step is the stride of an access by address p, in elements of a size; 0 if it is none that is made by whole registers.
func (a *Shapes) step(p *Value, size int64) int {
	s := a.of(p)
	if s.kind != affine || a.private[p] != nil || size == 0 || s.stride%size != 0 {
		return 0
	}
	if k := s.stride / size; k >= 2 && k <= maxStep {
		return int(k)
	}
	return 0
}

// place is an address but for a constant number of bytes: ptr, or ptr plus index times size, extended by ext if that is not 0.
type place struct {
	ptr, index *Value
	ext        llvm.Opcode
	size       int64
	elem       *typ
	step       int
}

// placeOf finds what an address has in common with others, and how many bytes it lies behind that.
func (f *Func) placeOf(p *Value) (at place, offset int64) {
	for p.op == llvm.OpGetElementPtr {
		constant, sum := true, int64(0)
		f.steps(p, func(x *Value, size int64) {
			switch {
			case x == nil:
				sum += size
			case x.isInt:
				sum += x.num * size
			default:
				constant = false
			}
		})
		if !constant {
			break
		}
		p, offset = p.args[0], offset+sum
	}
	if p.op != llvm.OpGetElementPtr || len(p.args) != 2 {
		return place{ptr: p}, offset
	}
	at = place{ptr: p.args[0], index: p.args[1], size: f.typ(p.h.GEPElementType()).size}
	if at.index.op == llvm.OpSExt || at.index.op == llvm.OpZExt {
		at.ext, at.index = at.index.op, at.index.args[0]
	}
	for exactSum(at.index, at.ext) {
		offset += at.index.args[1].num * at.size
		at.index = at.index.args[0]
	}
	return at, offset
}

// exactSum: x plus a constant, also when both are extended by ext.
func exactSum(x *Value, ext llvm.Opcode) bool {
	if len(x.args) != 2 || !x.args[1].isInt || x.args[1].num < 0 {
		return false
	}
	switch x.op {
	case llvm.OpOr:
		return x.h.Disjoint()
	case llvm.OpAdd:
		return ext == 0 || ext == llvm.OpSExt && x.h.NSW() || ext == llvm.OpZExt && x.h.NUW()
	}
	return false
}

// findGroups finds the groups of the kernel. A load is made where the first of its group is, a store where the last is: no
// access between them may be to the same memory, and one of the two a store.
func (g *gen) findGroups() {
	g.groups = map[*Value]*group{}
	for _, b := range g.f.order {
		loads, stores := map[place]*group{}, map[place]*group{}
		for _, v := range b.instrs {
			switch {
			case v.op == llvm.OpLoad && plainAccess(v):
				clear(stores)
				g.join(loads, v, v.args[0], v.t)
			case v.op == llvm.OpStore && plainAccess(v):
				clear(loads)
				at := g.join(stores, v, v.args[1], v.args[0].t)
				for other := range stores {
					if other != at {
						delete(stores, other)
					}
				}
			case v.op == llvm.OpLoad || v.op == llvm.OpStore || v.op == llvm.OpFence || v.op == llvm.OpAtomicRMW || v.op == llvm.OpAtomicCmpXchg ||
				v.op == llvm.OpCall && !g.a.computes(v):
				clear(loads)
				clear(stores)
			}
		}
	}
}

func plainAccess(v *Value) bool { return !v.h.IsVolatile() && v.h.Ordering() == llvm.NotAtomic }

// join adds an access to the group that is open for its place, or opens one.
func (g *gen) join(open map[place]*group, v, p *Value, t *typ) place {
	at, offset := g.f.placeOf(p)
	at.elem, at.step = t, g.a.step(p, t.size)
	if at.step == 0 || t.kind == llvm.VectorKind || t.isAggregate() {
		return place{}
	}
	s := open[at]
	if s == nil || !s.fits(offset) {
		s = &group{step: at.step, size: t.size}
		open[at] = s
	}
	s.members, s.offsets = append(s.members, v), append(s.offsets, offset)
	g.groups[v] = s
	return at
}
