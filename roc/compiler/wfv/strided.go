package wfv

import "aqueduct/roc/compiler/llvm"

// Strided accesses: fields of structures, interleaved complex numbers, every other element. Lane l's element is l*k elements
// behind lane 0's, for a small k. Whole registers are moved, and elements change places between them. With all lanes on,
// what lies between two lanes' elements is read too: less than a page, so it is there. Under a mask only what lanes access is.

// movesRegisters says whether an access may be made by whole registers.
func (g *gen) movesRegisters(x access) bool {
	return g.w >= 4 && (g.allOn(x.b) || x.elem.size == 4 || x.elem.size == 8)
}

// loadStrided loads a group where its first member is.
func (g *gen) loadStrided(x access, s *group) {
	slots := make([]bool, s.step)
	for i, v := range s.members {
		slots[s.slot(i)] = true
		x.align = min(x.align, g.elemAlign(v, x.elem))
	}
	parts := g.loadParts(x, g.plus(g.scalar(x.p), s.low()-s.offsets[0]), slots)
	for i, v := range s.members {
		g.note(v)
		g.notes.load(stridedAccess)
		slot := s.slot(i)
		g.define(v, g.rearrange(parts, g.w, func(lane int) int { return lane*s.step + slot }))
	}
}

// loadShortVectors loads dense short vectors, lane 0's from p, under a mask.
func (g *gen) loadShortVectors(x access, p llvm.Value) []llvm.Value {
	slots := make([]bool, x.slots())
	for k := range x.n {
		slots[k] = true
	}
	from := g.loadParts(x, p, slots)
	w := make([]llvm.Value, x.n)
	for k := range w {
		w[k] = g.rearrange(from, g.w, func(lane int) int { return lane*len(slots) + k })
	}
	return w
}

// loadBackwards and storeBackwards are for a stride of minus one element, with all lanes on.

func (g *gen) loadBackwards(x access, p llvm.Value) llvm.Value {
	from := g.loadParts(x, g.plus(p, int64(1-g.w)*x.elem.size), []bool{true})
	return g.rearrange(from, g.w, func(lane int) int { return g.w - 1 - lane })
}

func (g *gen) storeBackwards(x access, y llvm.Value) {
	y = g.rearrange(g.cut(y, g.inRegister(x.elem)), g.w, func(lane int) int { return g.w - 1 - lane })
	g.storeRun(x, y, g.plus(g.scalar(x.p), int64(1-g.w)*x.elem.size))
}

// loadParts loads, from p on, the elements of each lane's structure that are wanted, register by register.
func (g *gen) loadParts(x access, p llvm.Value, wanted []bool) parts {
	n, step := g.inRegister(x.elem), len(wanted)
	span := step
	for !wanted[span-1] {
		span--
	}
	total := (g.w-1)*step + span
	var r parts
	masked := !g.allOn(x.b)
	var mask parts
	if masked {
		m := g.b.Cast(llvm.OpSExt, g.mask(x.b), g.vec(g.i32))
		mask = g.cut(m, n)
	}
	for at := 0; at < total; at += n {
		from := at
		vt := x.elem.h.Vec(n)
		if !masked {
			from = min(at, total-n)
			y := g.b.Load(vt, g.plus(p, int64(from)*x.elem.size))
			y.SetAlign(x.align)
			r = append(r, part{from, y})
			continue
		}
		zero := g.i32.Vec(n).Null()
		m := g.rearrange(append(mask, part{g.w, zero}), n, func(i int) int {
			if e := from + i; e < total && wanted[e%step] {
				return e / step
			}
			return g.w
		})
		y := g.call(g.intrinsic("llvm.masked.load", vt, p.Type()), g.plus(p, int64(from)*x.elem.size), g.num(g.i32, int64(x.align)),
			g.b.ICmp(llvm.IntNE, m, zero), vt.Poison())
		r = append(r, part{from, y})
	}
	return r
}

// storeStrided stores a complete group where its last member is, with all lanes on.
func (g *gen) storeStrided(x access, s *group) {
	n := g.inRegister(x.elem)
	var from parts
	for i, v := range s.members {
		g.note(v)
		g.notes.store(stridedAccess)
		slot := s.slot(i)
		for _, y := range g.cut(g.wide(v.args[0])[0], n) {
			from = append(from, part{slot*g.w + y.from, y.v})
		}
		x.align = min(x.align, g.elemAlign(v, x.elem))
	}
	p := g.plus(g.scalar(x.p), s.low()-s.offsets[len(s.offsets)-1])
	for at := 0; at < g.w*s.step; at += n {
		y := g.rearrange(from, n, func(i int) int { return (at+i)%s.step*g.w + (at+i)/s.step })
		g.b.Store(y, g.plus(p, int64(at)*x.elem.size)).SetAlign(x.align)
	}
}

// part is a register's worth of consecutive elements, from a number on.
type part struct {
	from int
	v    llvm.Value
}

// parts are vectors of one length.
type parts []part

// inRegister is how many elements a register holds, at most W.
func (g *gen) inRegister(t *typ) int {
	_, bytes := g.target.registers()
	return min(g.w, bytes/int(t.size))
}

// cut takes a vector apart into vectors of n elements.
func (g *gen) cut(v llvm.Value, n int) (r parts) {
	for at := 0; at < v.Type().VecLen(); at += n {
		y := v
		if n < v.Type().VecLen() {
			y = g.part(v, at, n)
		}
		r = append(r, part{at, y})
	}
	return r
}

// rearrange is a vector of count elements with the given numbers, a register at a time and from two registers at a time: from
// more, LLVM would take elements one by one.
func (g *gen) rearrange(from parts, count int, number func(int) int) llvm.Value {
	n := from[0].v.Type().VecLen()
	undefined := g.i32.Poison()
	var made []llvm.Value
	for at := 0; at < count; at += n {
		var y llvm.Value
		have := make([]bool, n)
		for _, p := range from {
			index, wanted := make([]llvm.Value, n), false
			for i := range index {
				switch e := number(at+i) - p.from; {
				case have[i]:
					index[i] = g.num(g.i32, int64(i))
				case e >= 0 && e < n:
					index[i], have[i], wanted = g.num(g.i32, int64(n+e)), true, true
				default:
					index[i] = undefined
				}
			}
			if !wanted {
				continue
			}
			if y == 0 {
				y = p.v.Type().Poison()
			}
			y = g.b.Shuffle(y, p.v, llvm.ConstVector(index))
		}
		made = append(made, y)
	}
	if count < n {
		return g.part(made[0], 0, count)
	}
	return g.concat(made)
}
