package wfv

import (
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// throughFloat are the intrinsics whose result is the same when floats compute it: all but sqrt are exact, and that one may be
// rounded twice, since a float has more than twice the digits of a half.
var throughFloat = set("sqrt minnum maxnum minimum maximum floor ceil trunc rint nearbyint round roundeven")

// convertHalves is the last pass for processors without arithmetic on halves. LLVM does arithmetic on vectors of them by way of
// floats, many at a time, but takes what is below lane by lane. Before the other passes it would be in vain: they shorten
// what is converted to floats and back.
func convertHalves(m llvm.Module, f llvm.Value) {
	b := m.Context().NewBuilder()
	defer b.Dispose()
	for _, block := range f.Blocks() {
		for _, v := range block.Instructions() {
			b.Before(v)
			if x := inFloats(m, b, v); x != 0 {
				v.ReplaceUses(x)
				v.Erase()
			}
		}
	}
}

// hasHalves says whether a kernel computes with halves.
func (f *Func) hasHalves() bool {
	for _, t := range f.types {
		if t.leaf().kind == llvm.HalfKind {
			return true
		}
	}
	return false
}

// halves says whether t is a vector of halves.
func halves(t llvm.Type) bool { return t.Kind() == llvm.VectorKind && t.Elem().Kind() == llvm.HalfKind }

// inFloats is an instruction's result, computed by way of floats; zero if it is none that is to be.
func inFloats(m llvm.Module, b llvm.Builder, v llvm.Value) llvm.Value {
	if v.NumOperands() == 0 {
		return 0
	}
	t, c := v.Type(), m.Context()
	floats := func(x llvm.Value) llvm.Value { return b.Cast(llvm.OpFPExt, x, c.F32().Vec(x.Type().VecLen())) }
	switch from := v.Operand(0).Type(); v.Opcode() {
	case llvm.OpFCmp:
		if halves(from) {
			return b.FCmp(v.FCmpPredicate(), floats(v.Operand(0)), floats(v.Operand(1)))
		}
	case llvm.OpFPToSI, llvm.OpFPToUI:
		if halves(from) {
			return b.Cast(v.Opcode(), floats(v.Operand(0)), t)
		}
	case llvm.OpSelect:
		if halves(t) {
			bits := func(x llvm.Value) llvm.Value { return b.Cast(llvm.OpBitCast, x, c.Int(16).Vec(t.VecLen())) }
			return b.Cast(llvm.OpBitCast, b.Select(v.Operand(0), bits(v.Operand(1)), bits(v.Operand(2))), t)
		}
	case llvm.OpCall:
		name, _, _ := strings.Cut(strings.TrimPrefix(v.Callee().Name(), "llvm."), ".")
		if !halves(t) || !throughFloat[name] {
			return 0
		}
		args := make([]llvm.Value, v.NumArgs())
		for i := range args {
			args[i] = floats(v.Operand(i))
		}
		op := m.Intrinsic("llvm."+name, args[0].Type())
		return b.Cast(llvm.OpFPTrunc, b.Call(op.ValueType(), op, args...), t)
	}
	return 0
}
