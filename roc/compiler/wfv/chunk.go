package wfv

import "aqueduct/roc/compiler/llvm"

// Long vectors in lanes are more components than there are registers: operation by operation, each would come from memory and
// go there again. So a run of operations by component is done for a few components at a time, enough to keep the units busy,
// from its first operation to its last.

// byComponent says whether component k of v depends on nothing but components k of its operands.
func (g *gen) byComponent(v *Value) bool {
	arithmetic := v.op == llvm.OpFNeg || v.op >= llvm.OpAdd && v.op <= llvm.OpXor && !isDivision(v.op) && v.op != llvm.OpFDiv
	name := v.intrinsic()
	_, extra := constantArg[name]
	if !arithmetic && (v.op != llvm.OpCall || !elementwise[name] || extra) || g.a.of(v).scalar() || g.rowsOf(v) > 1 {
		return false
	}
	for _, x := range v.args {
		if x.t.kind != llvm.VectorKind || x.t.n != v.t.n {
			return false
		}
	}
	return v.t.kind == llvm.VectorKind
}

// chunk is how many components of v are done at a time; 0: all, since registers hold them.
func (g *gen) chunk(v *Value) int {
	count, bytes := g.target.registers()
	each := max(g.w*int(v.t.leaf().size)/bytes, 1)
	if 2*v.t.n*each <= count {
		return 0
	}
	return max(inFlight/each, 1)
}

// run is how many of the instructions are to be done in chunks.
func (g *gen) run(instrs []*Value) int {
	n := 0
	for n < len(instrs) && g.byComponent(instrs[n]) && instrs[n].t.n == instrs[0].t.n && instrs[n].t.leaf().size == instrs[0].t.leaf().size {
		n++
	}
	if n < 4 || g.chunk(instrs[0]) == 0 {
		return 0
	}
	return n
}

// inChunks emits a run: first as it is, then in the order of chunks.
func (g *gen) inChunks(b *Block, run []*Value) {
	before := g.b.Block().Last()
	made := map[*Value][]llvm.Value{}
	for _, v := range run {
		switch {
		case g.packedOperation(v):
		case v.op == llvm.OpCall:
			made[v] = g.elementwise(v, v.intrinsic())
		default:
			made[v] = g.widen(b, v)
			g.notes.Wide++
		}
		if made[v] != nil {
			g.wides[g.key(v)] = made[v]
		}
	}
	fresh := map[llvm.Value]bool{}
	i := g.b.Block().First()
	if before != 0 {
		i = before.Next()
	}
	for ; i != 0; i = i.Next() {
		fresh[i] = true
	}
	size := g.chunk(run[0])
	for k := 0; k < run[0].t.n; k += size {
		for _, v := range run {
			if made[v] == nil {
				continue
			}
			for _, x := range made[v][k:min(k+size, len(made[v]))] {
				if fresh[x] {
					delete(fresh, x)
					x.Remove()
					g.b.Insert(x)
				}
			}
		}
	}
	for _, v := range run {
		if made[v] != nil {
			g.define(v, made[v]...)
		}
	}
}
