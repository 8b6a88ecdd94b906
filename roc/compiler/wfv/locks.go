package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// A lane that has left a loop stands still until the last one has left it. If it holds a lock for which the others wait in that
// loop they wait for ever. In the scalar form a work-item runs to its end, or to a barrier, before the next one starts, so it
// has given the lock back. Which loops are such waits no analysis can tell; so those are taken for one of which it cannot be
// shown that they end. They end if
//
//   - how long a lane stays does not depend on what lanes write that have left, or lanes that are in the loop as well (waits), or
//   - the loop is lock-free: a lane that repeats it has been overtaken by one that left it (lockFree).
//
// The first holds for numbers drawn from a counter (while ((i = atomic_inc(next)) < n)), for tables that are filled and never
// emptied (a compare-and-exchange with the constant that stands for empty, at the next place if it fails), and for whatever
// decides nothing but the way within an iteration; the second for the compare-and-exchange that repeats until nobody came between.

// refuseLocks leaves kernels to the scalar form that may wait for a lock.
func refuseLocks(a *Shapes) {
	for _, l := range a.f.loops {
		if l.parts() && a.lockFree(l) == nil && a.waits(l) {
			fail("a loop in which work-items may wait for what others write later, perhaps a lock")
		}
	}
}

// parts says whether lanes may be beyond the loop, or a loop around it, while others are in it.
func (l *Loop) parts() bool {
	for ; l != nil; l = l.parent {
		if l.div {
			return true
		}
	}
	return false
}

// waits says whether something that decides when a lane leaves l may be written in l, or later.
func (a *Shapes) waits(l *Loop) bool {
	var writes []*Value
	for _, b := range a.f.order {
		if b.pos < l.header.pos && !l.within(b) {
			continue
		}
		for _, v := range b.instrs {
			if writesMemory(v) {
				writes = append(writes, v)
			}
		}
	}
	return slices.ContainsFunc(a.decides(l), func(x *Value) bool {
		return slices.ContainsFunc(writes, func(y *Value) bool {
			return y != x && a.mayMeet(x, y) && !takesTheSame(x, y)
		})
	})
}

// within says whether a loop around l has block b.
func (l *Loop) within(b *Block) bool {
	for l = l.parent; l != nil; l = l.parent {
		if l.blocks[b] {
			return true
		}
	}
	return false
}

// takesTheSame: compare-and-exchanges that replace one and the same constant do not bring it back, so each succeeds once in a place.
func takesTheSame(x, y *Value) bool {
	return x.op == llvm.OpAtomicCmpXchg && y.op == llvm.OpAtomicCmpXchg && x.args[1].constant && x.args[1] == y.args[1]
}

func writesMemory(v *Value) bool {
	switch v.op {
	case llvm.OpStore, llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
		return true
	case llvm.OpCall:
		name := v.intrinsic()
		return name == "memcpy" || name == "memmove" || name == "memset"
	}
	return false
}

// decision collects what the way of a lane through a loop depends on.
type decision struct {
	a        *Shapes
	l        *Loop
	seen     map[*Value]bool
	reached  map[*Block]bool
	stores   []*Value // in the loop
	together bool     // the loop has an operation that makes it see what other work-items write
	looks    []*Value
}

// decides are the operations in l that look at memory others may write, on whose results it depends, by data or by control,
// how long a lane stays.
func (a *Shapes) decides(l *Loop) []*Value {
	d := &decision{a: a, l: l, seen: map[*Value]bool{}, reached: map[*Block]bool{}}
	for b := range l.blocks {
		for _, v := range b.instrs {
			switch {
			case v.op == llvm.OpStore:
				d.stores = append(d.stores, v)
			case v.op == llvm.OpAtomicRMW, v.op == llvm.OpAtomicCmpXchg, v.op == llvm.OpFence, v.op == llvm.OpLoad && v.h.Ordering() != llvm.NotAtomic:
				d.together = true
			}
		}
	}
	for b := range l.blocks {
		if slices.ContainsFunc(b.succs, func(s *Block) bool { return !l.blocks[s] }) {
			d.block(b)
			d.value(b.term.args...)
		}
	}
	return d.looks
}

// block adds the branches in the loop that decide whether b is reached (control dependence, after Ferrante, Ottenstein and Warren).
func (d *decision) block(b *Block) {
	if d.reached[b] || !d.l.blocks[b] {
		return
	}
	d.reached[b] = true
	for x := range d.l.blocks {
		if len(x.succs) < 2 || x != b && postdominates(b, x) {
			continue
		}
		if slices.ContainsFunc(x.succs, func(s *Block) bool { return postdominates(b, s) }) {
			d.value(x.term.args...)
			d.block(x)
		}
	}
}

func (d *decision) value(vs ...*Value) {
	for _, v := range vs {
		if !v.isInstr() || d.seen[v] || !d.l.blocks[v.block] {
			continue
		}
		d.seen[v] = true
		d.value(v.args...)
		switch v.op {
		case llvm.OpPHI:
			for _, b := range v.from {
				d.block(b)
			}
		case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
			d.looks = append(d.looks, v)
		case llvm.OpLoad:
			d.load(v)
		}
	}
}

// load follows what is read to the stores of the lane itself. An ordinary load sees what others write only where the loop
// synchronises: elsewhere it would be a data race.
func (d *decision) load(v *Value) {
	if (d.together || v.h.IsVolatile()) && d.a.extent(v).space != spacePrivate {
		d.looks = append(d.looks, v)
	}
	for _, s := range d.stores {
		if d.a.mayMeet(v, s) {
			d.value(s.args[0])
			d.block(s.block)
		}
	}
}
