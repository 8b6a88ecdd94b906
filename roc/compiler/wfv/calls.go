package wfv

import (
	"strings"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// elementwise are the intrinsics that work on vectors as on scalars.
var elementwise = set("fma fmuladd sqrt fabs minnum maxnum minimum maximum copysign floor ceil trunc rint nearbyint round roundeven smin smax umin umax abs fshl fshr bswap bitreverse ctpop ctlz cttz sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat canonicalize ldexp is.fpclass fptosi.sat fptoui.sat")

// constantArg is the argument of an elementwise intrinsic that stays scalar.
var constantArg = map[string]int{"abs": 1, "ctlz": 1, "cttz": 1, "is.fpclass": 1}

// overloads are those whose declaration also names the type of an argument.
var overloads = map[string]int{"ldexp": 1, "is.fpclass": 0, "fptosi.sat": 0, "fptoui.sat": 0}

func set(words string) map[string]bool {
	r := map[string]bool{}
	for _, w := range strings.Fields(words) {
		r[w] = true
	}
	return r
}

// ignored are calls that mean nothing for the code.
func ignored(name string) bool {
	for _, p := range []string{"lifetime", "assume", "dbg", "experimental.noalias", "donothing"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// computes says of a call that it does nothing but compute its result, lane by lane.
func (a *Shapes) computes(v *Value) bool {
	_, query := a.queries[v]
	return query || elementwise[v.intrinsic()] || ignored(v.intrinsic())
}

func (g *gen) callInstruction(b *Block, v *Value) {
	if q, ok := g.a.queries[v]; ok {
		if g.a.of(v).scalar() {
			g.defineScalar(v, g.answer(q))
		} else {
			g.define(v, g.wideAnswer(q))
		}
		return
	}
	if s := g.f.subGroups; s != nil {
		if l, ok := s.calls[v]; ok {
			g.laneFunction(b, v, l)
			return
		}
	}
	if g.region != nil {
		if _, ok := g.region.barriers[v]; ok {
			g.barrier(b, v)
			return
		}
	}
	name := v.intrinsic()
	switch {
	case v.callee == workgroup.ImageFetch && !g.a.of(v).scalar():
		g.imageFetch(b, v)
	case v.callee == workgroup.ImageFetch:
		g.defineScalar(v, g.clone(b, v))
	case v.callee == workgroup.ImageStore:
		g.imageStore(b, v)
	case ignored(name):
	case name == "memcpy" || name == "memmove" || name == "memset":
		g.callEach(b, v)
	case g.a.of(v).scalar() && name != "":
		c := v.h.Clone()
		for i, x := range v.args {
			c.SetOperand(i, g.scalar(x))
		}
		g.b.Insert(c)
		if v.t.kind != llvm.VoidKind {
			g.defineScalar(v, c)
		}
	case elementwise[name]:
		if g.packedOperation(v) {
			return
		}
		g.define(v, g.elementwise(v, name)...)
	default:
		g.callEach(b, v)
	}
}

func (g *gen) elementwise(v *Value, name string) []llvm.Value {
	ts := g.components(v.t)
	fixed, hasFixed := constantArg[name]
	args := make([][]llvm.Value, len(v.args))
	for i, x := range v.args {
		if hasFixed && i == fixed {
			if !x.constant {
				fail("%s of a variable %d", name, i)
			}
			continue
		}
		args[i] = g.wide(x)
	}
	g.notes.Wide++
	r := make([]llvm.Value, len(ts))
	for k, t := range ts {
		as := make([]llvm.Value, len(args))
		for i := range args {
			if args[i] == nil {
				as[i] = v.args[i].h
			} else {
				as[i] = args[i][k]
			}
		}
		types := []llvm.Type{g.vec(t.h)}
		if i, ok := overloads[name]; ok {
			if name == "is.fpclass" {
				types = nil
			}
			types = append(types, as[i].Type())
		}
		r[k] = g.flags(v, g.call(g.intrinsic("llvm."+name, types...), as...))
	}
	return r
}

// callEach calls once for each lane that is on, in lane order.
func (g *gen) callEach(b *Block, v *Value) {
	called := v.callee
	switch {
	case workgroup.IsPrint(called):
		called = "printf"
	case isTurn(called):
		called = "loop of compare-and-exchange"
	}
	g.notes.call(called)
	if v.intrinsic() == "" && v.t.kind == llvm.VoidKind && len(v.args) == 0 {
		fail("a call of %s", v.callee)
	}
	turns := isTurn(v.callee) || workgroup.LinkedLate(v.callee) || workgroup.IsPrint(v.callee)
	args := make([]func(lane llvm.Value) llvm.Value, len(v.args))
	for i, x := range v.args {
		if turns {
			args[i] = g.inMemory(x)
		} else {
			args[i] = g.ofLane(x)
		}
	}
	f, ft := v.h.Callee(), v.h.CalleeType()
	call := func(lane llvm.Value) llvm.Value {
		as := make([]llvm.Value, len(args))
		for i, x := range args {
			as[i] = x(lane)
		}
		return g.b.Call(ft, f, as...)
	}
	var w []llvm.Value
	if c, ok := g.cells[v.callee]; ok {
		w = g.onCell(b, v.t, c, g.scalar(v.args[0]), func(cell, lane llvm.Value) llvm.Value {
			as := []llvm.Value{cell}
			for _, x := range args[1:] {
				as = append(as, x(lane))
			}
			return g.b.Call(ft, f, as...)
		})
	} else if turns {
		w = g.inTurn(b, v.t, call)
	} else if v.t.kind == llvm.VoidKind {
		g.eachLane(b, nil, call)
	} else {
		if len(g.components(v.t)) != 1 || v.t.isAggregate() || v.t.kind == llvm.VectorKind {
			fail("%s returns a vector", v.callee)
		}
		w = []llvm.Value{g.eachLane(b, v.t, call)}
	}
	switch {
	case w == nil:
	case g.a.of(v).scalar(): // of uniform arguments, but not known to be pure: any lane's result is as good
		g.defineScalar(v, g.b.ExtractElement(w[0], g.firstLane(g.mask(b))))
	default:
		g.define(v, w...)
	}
}
