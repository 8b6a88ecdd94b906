package wfv

import (
	"aqueduct/roc/compiler/llvm"
)

// inFlight is how many vector operations keep the units busy: two units, each done after four cycles.
const inFlight = 8

// plenty is how many a loop is given. In a schedule with just as many as the units take, one that comes late leaves a gap.
const plenty = inFlight + inFlight/2

// mostLanes is how many lanes that may take.
const mostLanes = 256

// A loop is bound by latency where its operations wait for each other: a chain of them takes as long with several registers a
// value as with one.

// pipeline doubles the number of lanes while the hottest loop has too few operations that do not depend on each other, and
// registers hold its values. Lanes beyond a row of a two-dimensional group would be idle, and beyond what a guard leaves on
// between barriers.
func (k *kernel) pipeline(a *Shapes, h heat, w int) int {
	if h.loop == nil || h.loop.div || h.gathers > 0 || k.reqd[0] > 0 || k.asksRow() || k.meets() {
		return w
	}
	enough := plenty
	if divides(h.loop) {
		enough = inFlight
	}
	chain, live, shared := k.chain(a, h.loop)
	count, bytes := k.target.registers()
	registers := func(w int) int { return max(w*max(h.widest, 4)/bytes, 1) }
	for chain > 0 && w < mostLanes && h.wide*registers(w) < enough*chain && live*registers(2*w)+shared <= count {
		w *= 2
		k.report.Reason = "more registers a value: the hottest loop waits for its own results"
	}
	return w
}

// meets says whether work-items meet at barriers.
func (k *kernel) meets() bool {
	for _, b := range k.data.order {
		for _, v := range b.instrs {
			if isBarrier(v) {
				return true
			}
		}
	}
	return false
}

// divides says whether a loop has divisions or roots, which keep a unit busy by themselves.
func divides(l *Loop) bool {
	for b := range l.blocks {
		for _, v := range b.instrs {
			if v.op == llvm.OpFDiv || isDivision(v.op) || v.intrinsic() == "sqrt" {
				return true
			}
		}
	}
	return false
}

// chain measures a loop: the longest chain of vector operations in an iteration; how many components are alive at a time at
// most; and how many values that are the same in all lanes become vectors.
func (k *kernel) chain(a *Shapes, l *Loop) (longest, live, shared int) {
	address := k.data.addressOnly()
	wide := func(v *Value) bool { return v.isInstr() && !a.of(v).scalar() && !address[v] }
	depth, at, last := map[*Value]int{}, map[*Value]int{}, map[*Value]int{}
	splats := map[*Value]bool{}
	var body []*Value
	for _, b := range k.data.order {
		if !l.blocks[b] {
			continue
		}
		for _, v := range b.instrs {
			at[v] = len(body)
			body = append(body, v)
		}
	}
	for i, v := range body {
		if !wide(v) && len(v.users) > 0 {
			continue
		}
		carried := v.block == l.header && v.op == llvm.OpPHI
		for _, x := range v.args {
			switch {
			case carried && wide(x):
				if l.blocks[x.block] {
					last[x] = len(body)
				}
			case wide(x):
				last[x] = max(last[x], i)
				depth[v] = max(depth[v], depth[x])
			case !x.constant && !x.t.isPtr() && !address[x] && !carried && wide(v):
				splats[x] = true
			}
		}
		if wide(v) && v.op != llvm.OpPHI {
			depth[v]++
			longest = max(longest, depth[v])
		}
	}
	change := make([]int, len(body)+2)
	for v, end := range last {
		start, inside := at[v]
		if !inside {
			start, end = 0, len(body)
		}
		n := v.t.n
		change[start] += n
		change[max(end, start)] -= n
	}
	now := 0
	for _, c := range change {
		now += c
		live = max(live, now)
	}
	return longest, live, len(splats)
}
