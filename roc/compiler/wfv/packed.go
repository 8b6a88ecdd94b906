package wfv

import (
	"maps"

	"aqueduct/roc/compiler/llvm"
)

// Packed form: short vectors that come from dense memory, go through element-wise operations and return to dense memory need
// not be taken apart. In this form W vectors of N components are one vector of W*N elements, as they lie in memory. It lives
// within a block; who wants components gets them by shuffles.

// unpack makes the components of a value that is packed; nil if it is not.
func (g *gen) unpack(k key, v *Value) []llvm.Value {
	long, ok := g.dense[k]
	if !ok {
		return nil
	}
	return g.unzip(long, v.t.leaf(), v.t.n)
}

// definePacked records a packed value. Components are made at once only if another block wants them.
func (g *gen) definePacked(v *Value, long llvm.Value) {
	k := g.key(v)
	g.dense[k] = long
	if g.escape[v] {
		g.define(v, g.unpack(k, v)...)
	}
}

// packedArgs are the operands of an element-wise operation in packed form; nil unless one is packed already and the others
// are too, or are the same in all lanes.
func (g *gen) packedArgs(v *Value) []llvm.Value {
	if v.t.kind != llvm.VectorKind {
		return nil
	}
	some := false
	for _, x := range v.args {
		if x.t != v.t {
			return nil
		}
		_, ok := g.dense[g.key(x)]
		some = some || ok
		if !ok && (!g.a.of(x).isUniform() || x.undef) {
			return nil
		}
	}
	if !some {
		return nil
	}
	r := make([]llvm.Value, len(v.args))
	for i, x := range v.args {
		if long, ok := g.dense[g.key(x)]; ok {
			r[i] = long
		} else {
			r[i] = g.pick(g.scalar(x), func(k int) int { return k % v.t.n }, g.w*v.t.n)
		}
	}
	return r
}

// packable: an element-wise operation on operands of the result's type.
func packable(v *Value) bool {
	switch op := v.op; {
	case op == llvm.OpCall:
		name := v.intrinsic()
		_, extra := constantArg[name]
		_, typed := overloads[name]
		return elementwise[name] && !extra && !typed
	case op == llvm.OpFNeg:
		return true
	default:
		return op >= llvm.OpAdd && op <= llvm.OpXor && !isDivision(op) && op != llvm.OpFDiv
	}
}

// packedOperation emits an element-wise instruction in packed form, and says whether it did.
func (g *gen) packedOperation(v *Value) bool {
	if !packable(v) {
		return false
	}
	args := g.packedArgs(v)
	switch {
	case args == nil:
		return false
	case v.op == llvm.OpFNeg:
		g.definePacked(v, g.flags(v, g.b.FNeg(args[0])))
	case v.op == llvm.OpCall:
		g.definePacked(v, g.flags(v, g.call(g.intrinsic("llvm."+v.intrinsic(), args[0].Type()), args...)))
	default:
		g.definePacked(v, g.flags(v, g.b.BinOp(v.op, args[0], args[1])))
	}
	g.notes.Wide++
	return true
}

// packedSize is the size in bytes of the longest short vector of a kernel that moves and computes nothing else, all of it in
// packed form; 0 of another kernel.
func packedSize(f *Func, a *Shapes) (size int) {
	address := f.addressOnly()
	for _, b := range f.order {
		for _, v := range b.instrs {
			t := v.t
			switch {
			case v.op == llvm.OpStore:
				t = v.args[0].t
				if a.of(v.args[1]).stride != t.size {
					return 0
				}
			case a.of(v).scalar() || address[v]:
				continue
			case v.op == llvm.OpLoad:
				if a.of(v.args[0]).stride != t.size {
					return 0
				}
			case !packable(v):
				return 0
			}
			if t.kind != llvm.VectorKind || t.size != int64(t.n)*t.elem.size {
				return 0
			}
			size = max(size, int(t.size))
		}
	}
	return size
}

// scope emits code that runs only sometimes: what it finds out about values is forgotten afterwards.
func (g *gen) scope(body func()) {
	s, w, p, m := g.scalars, g.wides, g.dense, g.masks
	g.scalars, g.wides, g.dense, g.masks = maps.Clone(s), maps.Clone(w), maps.Clone(p), maps.Clone(m)
	body()
	g.scalars, g.wides, g.dense, g.masks = s, w, p, m
}
