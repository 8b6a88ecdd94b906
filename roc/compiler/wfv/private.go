package wfv

import (
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// Private is an array of a work-item (an alloca), laid out so that element e of lane l lies at (e*W + l)*size: an access with
// a uniform index is one vector access. It holds for allocas whose every access has the element type; all others keep the
// layout of memory, one copy a lane after the other.
type Private struct {
	alloca *Value
	elem   *typ
	n      int64 // elements
}

// leafType is what arrays and vectors are made of in the end.
func leafType(t *typ) *typ {
	for t.kind == llvm.ArrayKind || t.kind == llvm.VectorKind {
		t = t.elem
	}
	return t
}

// findPrivate maps each such alloca, and every pointer derived from it, to its array.
func findPrivate(f *Func) map[*Value]*Private {
	found := map[*Value]*Private{}
	for _, b := range f.blocks {
		for _, v := range b.instrs {
			if v.op != llvm.OpAlloca || v.args != nil && !(v.args[0].isInt && v.args[0].num == 1) {
				continue
			}
			t := f.typ(v.h.AllocatedType())
			p := &Private{alloca: v, elem: leafType(t)}
			if p.elem.size == 0 || p.elem.kind == llvm.StructKind || p.elem.isInt() && p.elem.bits < 8 {
				continue
			}
			p.n = t.size / p.elem.size
			if pointers, ok := f.derived(p); ok {
				for _, x := range pointers {
					found[x] = p
				}
			}
		}
	}
	return found
}

// derived lists the pointers into the array, and says whether all their uses allow the layout.
func (f *Func) derived(p *Private) ([]*Value, bool) {
	set := []*Value{p.alloca}
	for i := 0; i < len(set); i++ {
		for _, u := range set[i].users {
			switch u.op {
			case llvm.OpGetElementPtr:
				if !f.wholeElements(u, p.elem.size) || u.args[0] != set[i] {
					return nil, false
				}
				set = append(set, u)
			case llvm.OpLoad:
				if leafType(u.t) != p.elem || u.h.IsVolatile() {
					return nil, false
				}
			case llvm.OpStore:
				if u.args[0] == set[i] || leafType(u.args[0].t) != p.elem || u.h.IsVolatile() {
					return nil, false
				}
			case llvm.OpCall:
				if !strings.HasPrefix(u.callee, "llvm.lifetime") {
					return nil, false
				}
			default:
				return nil, false
			}
		}
	}
	return set, true
}

// wholeElements: every step of the getelementptr is a multiple of the element size.
func (f *Func) wholeElements(gep *Value, size int64) bool {
	ok := gep.t.isPtr()
	f.steps(gep, func(x *Value, step int64) {
		switch {
		case x == nil:
			ok = ok && step%size == 0
		case x.isInt:
			ok = ok && x.num*step%size == 0
		default:
			ok = ok && step%size == 0 && x.t.isInt()
		}
	})
	return ok
}
