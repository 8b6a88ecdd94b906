package wfv

import (
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// take emits a function by which each lane gets what another of its sub-group has.
func (g *gen) take(b *Block, v *Value) {
	x, from := v.args[0], v.args[1]
	if g.a.of(x).isUniform() {
		g.defineScalar(v, g.scalar(x))
		return
	}
	w := g.wide(x)[0]
	lanes := make([]int, g.w)
	known := true
	for l := range lanes {
		n, ok := g.inLane(from, l, 8)
		known = known && ok
		lanes[l] = l&^(subGroup-1) + int(n&(subGroup-1))
	}
	whole := g.a.of(v).isUniform()
	switch {
	case known && whole:
		g.defineScalar(v, g.b.ExtractElement(w, g.num(g.i32, int64(lanes[0]))))
	case known:
		g.define(v, g.pick(w, func(l int) int { return lanes[l] }, g.w))
	case whole:
		g.defineScalar(v, g.b.ExtractElement(w, g.b.And(g.scalar(from), g.num(g.i32, subGroup-1))))
	default:
		g.define(v, g.permute(w, g.wide(from)[0]))
	}
}

// inLane is the value of an integer in a lane, if it follows from the number of the lane alone.
func (g *gen) inLane(v *Value, lane, depth int) (n int64, ok bool) {
	if v.isInt {
		return v.num, true
	}
	if q, ok := g.a.queries[v]; ok {
		return int64(lane % subGroup), q.Kind == workgroup.SubGroupLocalID
	}
	if depth == 0 || len(v.args) != 2 || v.t.bits != 32 {
		return 0, false
	}
	x, ok := g.inLane(v.args[0], lane, depth-1)
	y, known := g.inLane(v.args[1], lane, depth-1)
	if !ok || !known {
		return 0, false
	}
	switch v.op {
	case llvm.OpAdd:
		return x + y, true
	case llvm.OpSub:
		return x - y, true
	case llvm.OpAnd:
		return x & y, true
	case llvm.OpOr:
		return x | y, true
	case llvm.OpXor:
		return x ^ y, true
	}
	return 0, false
}

// permute is the vector whose lane l has what lane from[l] of its sub-group, modulo its size, has in x.
func (g *gen) permute(x, from llvm.Value) llvm.Value {
	var parts []llvm.Value
	for k := 0; k < g.w; k += subGroup {
		parts = append(parts, g.permuteSubGroup(g.part(x, k, subGroup), g.part(from, k, subGroup)))
	}
	return g.concat(parts)
}

func (g *gen) permuteSubGroup(x, from llvm.Value) llvm.Value {
	t := x.Type()
	e := g.f.typ(t.Elem())
	bits := int(8 * e.size)
	integers := g.c.Int(bits).Vec(subGroup)
	words := g.i32.Vec(subGroup)
	x = g.b.Cast(llvm.OpBitCast, x, integers)
	switch {
	case bits < 32:
		x = g.b.Cast(llvm.OpTrunc, g.permuteWords(g.b.Cast(llvm.OpZExt, x, words), from), integers)
	case bits == 32:
		x = g.permuteWords(x, from)
	default: // its words
		pair := g.b.Cast(llvm.OpBitCast, x, g.i32.Vec(2*subGroup))
		low := g.permuteWords(g.pick(pair, func(l int) int { return 2 * l }, subGroup), from)
		high := g.permuteWords(g.pick(pair, func(l int) int { return 2*l + 1 }, subGroup), from)
		pair = g.pick(g.concat([]llvm.Value{low, high}), func(i int) int { return i/2 + i%2*subGroup }, 2*subGroup)
		x = g.b.Cast(llvm.OpBitCast, pair, integers)
	}
	return g.b.Cast(llvm.OpBitCast, x, t)
}

// permuteWords is permute for one sub-group's 32-bit numbers: an instruction, or four and two choices, or lane by lane.
func (g *gen) permuteWords(x, from llvm.Value) llvm.Value {
	switch {
	case g.target.AVX512:
		return g.call(g.intrinsic("llvm.x86.avx512.permvar.si.512"), x, from)
	case g.target.AVX2:
		const half = subGroup / 2
		permute := g.intrinsic("llvm.x86.avx2.permd")
		var r []llvm.Value
		for k := 0; k < subGroup; k += half {
			at := g.part(from, k, half) // of which it looks at three bits
			high := g.b.ICmp(llvm.IntNE, g.b.And(at, g.splat(g.num(g.i32, half), half)), at.Type().Null())
			r = append(r, g.b.Select(high, g.call(permute, g.part(x, half, half), at), g.call(permute, g.part(x, 0, half), at)))
		}
		return g.concat(r)
	}
	at := g.b.And(from, g.splat(g.num(g.i32, subGroup-1), subGroup))
	r := x.Type().Poison()
	for l := range subGroup {
		lane := g.num(g.i32, int64(l))
		r = g.b.InsertElement(r, g.b.ExtractElement(x, g.b.ExtractElement(at, lane)), lane)
	}
	return r
}
