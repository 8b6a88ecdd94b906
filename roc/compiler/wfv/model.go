package wfv

import (
	"math/bits"
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// TargetOf reads the features of a target machine.
func TargetOf(tm llvm.TargetMachine) Target {
	features, cpu := strings.Split(tm.Features(), ","), tm.CPU()
	has := func(name string, cpus ...string) bool { // the last word counts
		for _, f := range slices.Backward(features) {
			if strings.TrimLeft(f, "+-") == name {
				return f[0] == '+'
			}
		}
		return slices.Contains(cpus, cpu)
	}
	avx512 := []string{"x86-64-v4", "skylake-avx512", "cascadelake", "cooperlake", "icelake-client", "icelake-server", "tigerlake", "rocketlake", "sapphirerapids", "emeraldrapids", "graniterapids", "znver4", "znver5"}
	avx2 := append([]string{"x86-64-v3", "haswell", "skylake"}, avx512...)
	// LLVM is without what needs a feature that it is to be without.
	t := Target{AVX2: has("avx2", avx2...) && has("avx", avx2...)}
	t.AVX512 = t.AVX2 && has("avx512vl", avx512...) && has("avx512f", avx512...)
	t.Half = t.AVX512 && has("avx512fp16", "sapphirerapids", "emeraldrapids", "graniterapids")
	t.SlowMask = strings.HasPrefix(cpu, "znver") && !t.AVX512
	t.Gather = t.AVX2 && !strings.HasPrefix(cpu, "znver")
	return t
}

// heat is what the cost model counts: the instructions of the hottest loop, or of the whole kernel if there is none.
type heat struct {
	scalar, wide int // instructions
	carried      int // bytes that a lane carries round the loop: its varying phis
	gathers      int // accesses by varying addresses
	widest       int // bytes of the widest varying value
	full         int // components of vectors of the kernel's own that fill a register
	turned       int // operations that take long vectors in memory apart, and put them together, a component
	loop         *Loop
}

// heat measures the kernel.
func (k *kernel) heat(a *Shapes) heat {
	f := k.data
	var hot *Loop
	size := func(l *Loop) (n int) {
		for b := range l.blocks {
			n += len(b.instrs)
		}
		return n
	}
	for _, l := range f.loops {
		if hot == nil || l.depth > hot.depth || l.depth == hot.depth && size(l) > size(hot) {
			hot = l
		}
	}
	h := heat{widest: 1, loop: hot}
	address := f.addressOnly()
	for _, b := range f.order {
		if hot != nil && !hot.blocks[b] {
			continue
		}
		for _, v := range b.instrs[:len(b.instrs)-1] {
			k.count(a, v, address[v], &h)
		}
	}
	return h
}

// addressOnly finds the integers and pointers of which nothing but addresses is made: as chains (contiguity.go) they are
// scalar work.
func (f *Func) addressOnly() map[*Value]bool {
	only := map[*Value]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(f.order) {
			for _, v := range slices.Backward(b.instrs) {
				if only[v] || !v.t.isInt() && !v.t.isPtr() || v.op == llvm.OpLoad || v.op == llvm.OpPHI || len(v.users) == 0 {
					continue
				}
				ok := true
				for _, u := range v.users {
					ok = ok && (u.op == llvm.OpLoad || u.op == llvm.OpStore && u.args[0] != v || only[u])
				}
				if ok {
					only[v], changed = true, true
				}
			}
		}
	}
	return only
}

func (k *kernel) count(a *Shapes, v *Value, address bool, h *heat) {
	t := v.t
	switch v.op {
	case llvm.OpStore:
		t = v.args[0].t
		if gathered(a, v.args[1]) {
			h.gathers++
		}
	case llvm.OpLoad:
		if gathered(a, v.args[0]) {
			h.gathers++
		}
	}
	if (address || a.of(v).scalar()) && v.op != llvm.OpStore {
		h.scalar++
		return
	}
	h.wide += t.n
	if _, bytes := k.target.registers(); t.kind == llvm.VectorKind && 2*t.size >= int64(bytes) {
		if t.size >= int64(bytes) {
			h.full += t.n
		}
		if t.n >= 8 && (v.op == llvm.OpLoad || v.op == llvm.OpStore) && !gathered(a, v.args[len(v.args)-1]) {
			h.turned += t.n * bits.Len(uint(t.n-1))
		}
	}
	leaf := t.leaf()
	carried := v.op == llvm.OpPHI && v.block.loop != nil && v.block.loop.header == v.block
	if carried {
		h.carried += t.n * int(leaf.size)
	}
	// Integers on the way to an address do not count: addresses are taken apart, or not made at all.
	data := carried || v.op == llvm.OpStore || v.op == llvm.OpLoad || leaf.kind == llvm.FloatKind || leaf.kind == llvm.DoubleKind
	if data && !leaf.isPtr() && !t.isAggregate() {
		h.widest = max(h.widest, int(leaf.size))
	}
}

// gathered guesses that an access by address p takes the lanes one by one: not where it is private, or may be checked to be
// contiguous.
func gathered(a *Shapes, p *Value) bool {
	return a.of(p).kind == varying && a.private[p] == nil && !clamped(a, p, contiguityDepth)
}

// clamped: an affine address but for bounds that rarely bite.
func clamped(a *Shapes, v *Value, depth int) bool {
	if a.of(v).scalar() {
		return true
	}
	if depth == 0 || !v.isInstr() {
		return false
	}
	switch name := v.intrinsic(); {
	case v.op == llvm.OpCall && name != "smin" && name != "smax":
		return false
	case v.op == llvm.OpShl:
		return v.args[1].isInt && clamped(a, v.args[0], depth-1)
	case v.op == llvm.OpCall, v.op == llvm.OpSExt, v.op == llvm.OpZExt, v.op == llvm.OpAdd, v.op == llvm.OpSub, v.op == llvm.OpGetElementPtr:
		return !slices.ContainsFunc(v.args, func(x *Value) bool { return !clamped(a, x, depth-1) })
	}
	return false
}

// registers of a vector unit.
func (t Target) registers() (count, bytes int) {
	if t.AVX512 {
		return 32, 64
	}
	return 16, 32
}

// chooseWidth is how many lanes a wide function has: two registers of the widest type, so that one's latency hides behind the
// other; one where registers are short or lanes are handled one by one; four where scalar work outweighs the vectors'.
func (k *kernel) chooseWidth(a *Shapes) int {
	if w := k.options.Width; w > 0 {
		k.report.Reason = "as asked for"
		return w
	}
	h := k.heat(a)
	k.refuseFull(a, h)
	count, bytes := k.target.registers()
	w := 2 * bytes / max(h.widest, 4)
	k.report.Reason = "two registers a value"
	if h.loop == nil {
		for size := packedSize(k.data, a); w > 4 && w*size > 2*bytes; w /= 2 {
			k.report.Reason = "two registers a packed value"
		}
	}
	_, tiled := k.rowDependent(a)
	switch perLane := h.carried; {
	case 2*perLane > count*max(h.widest, 4): // what goes round the loop would fill half the registers
		w /= 2
		k.report.Reason = "one register a value: many values go round the hottest loop"
	case h.gathers > 0 && 4*h.gathers > h.wide:
		w /= 2
		k.report.Reason = "one register a value: many gathers"
	case h.loop != nil && h.scalar > 2*h.wide && !tiled:
		w *= 2
		k.report.Reason = "four registers a value: more scalar than vector work"
	case !tiled:
		w = k.pipeline(a, h, w)
	}
	if most := k.inRow(h); w > most {
		w = most
		k.report.Reason = "one register a value: rows of a work-group may be short"
	}
	for k.reqd[0] > 0 && w > 4 && k.reqd[0]%int64(w) != 0 {
		w /= 2
		k.report.Reason = "divides the required work-group size"
	}
	return w
}

// refuseFull leaves a kernel to the scalar form whose own vectors keep the units busy: where they fill registers, each component would be a
// register or more, and what the hottest loop works on would lie in memory; or the loop would do little but take them apart.
func (k *kernel) refuseFull(a *Shapes, h heat) {
	if h.loop == nil || k.meets() {
		return
	}
	count, _ := k.target.registers()
	_, live, _ := k.chain(a, h.loop)
	switch {
	case 4*h.full >= 3*h.wide && live > 4*count:
		fail("its own vectors fill the registers")
	case h.turned > h.wide:
		fail("its own vectors fill registers, and it does little but move them")
	}
}

// chooseRows is how many rows a tile has: as many as keep what the rows carry round the loop in registers.
func (k *kernel) chooseRows(a *Shapes, byRow map[*Value]bool, width int) int {
	if r := k.options.Rows; r > 0 {
		return r
	}
	h := k.heat(a)
	if h.loop == nil {
		return 1
	}
	count, bytes := k.target.registers()
	perRow, shared := 0, 2
	for b := range h.loop.blocks {
		for _, v := range b.instrs {
			n := v.t.n * max(1, width*int(v.t.leaf().size)/bytes)
			switch {
			case a.of(v).scalar():
			case v.op == llvm.OpPHI && byRow[v]:
				perRow += n
			case v.op == llvm.OpPHI || v.op == llvm.OpLoad && !byRow[v]:
				shared += n
			}
		}
	}
	return min((count-shared)/max(perRow, 1), 8)
}
