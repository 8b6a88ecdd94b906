package wfv

import "aqueduct/roc/compiler/llvm"

// Edge is a control-flow edge of the kernel, with what becomes of it in the vector code.
type Edge struct {
	from, to *Block
	slot     int    // successor number
	next     *Block // where control goes after the edge's actions; nil: the block decides (divergent)
	back     bool
	uniform  bool // taken or not by all lanes together
	dead     bool // assumed never to be taken
}

// Plan is the partial linearisation of the kernel (after Moll and Hack, PLDI 2018): uniform branches stay; the targets of a
// divergent branch are visited one after the other in linear order, those still to visit travelling along as a set of
// deferred blocks. It also says which blocks share a mask, which gives "all lanes on" by proof.
type Plan struct {
	f        *Func
	a        *Shapes
	costs    costs
	deferred map[*Block]blockSet
	relay    map[*Block]bool // entered otherwise than by one of its own uniform edges
	out, in  map[*Block][]*Edge
	next     map[*Block]*Block // after a divergent branch
	rep      map[*Block]*Block // the block whose mask this block has; itself: it computes its own
	guard    map[*Block]*Block // where to go when the block's mask is empty
	nonEmpty map[*Block]bool   // by rep: never runs with an empty mask
}

type blockSet map[*Block]bool

func (s blockSet) with(bs ...*Block) blockSet {
	r := blockSet{}
	for b := range s {
		r[b] = true
	}
	for _, b := range bs {
		r[b] = true
	}
	return r
}

// pick chooses the first of the targets in linear order and defers the rest.
func (p *Plan) pick(targets blockSet) *Block {
	var n *Block
	for t := range targets {
		if n == nil || t.pos < n.pos {
			n = t
		}
	}
	for t := range targets {
		if t != n {
			if p.deferred[n] == nil {
				p.deferred[n] = blockSet{}
			}
			p.deferred[n][t] = true
		}
	}
	return n
}

// costs tell when a block with a mask of its own is skipped if the mask is empty: when what that saves (Plan.cost) is more
// than the threshold.
type costs struct {
	threshold   int
	maskedStore int // what a contiguous store under a mask costs more than one instruction
}

// plan linearises.
func plan(f *Func, a *Shapes, c costs) *Plan {
	p := &Plan{f: f, a: a, costs: c, deferred: map[*Block]blockSet{}, relay: map[*Block]bool{}, out: map[*Block][]*Edge{}, in: map[*Block][]*Edge{},
		next: map[*Block]*Block{}, rep: map[*Block]*Block{}, guard: map[*Block]*Block{}, nonEmpty: map[*Block]bool{}}
	entry := f.order[0]
	for _, b := range f.order {
		pending := p.deferred[b]
		if l := b.loop; l != nil && l.header == b && l.div {
			// Uniform exits too must pass through the blocks for which other lanes left earlier.
			pending = pending.with(l.exits()...)
		}
		p.rep[b] = p.maskOwner(b, entry)
		if p.rep[b] == b && !p.nonEmpty[b] {
			p.placeGuard(b, pending)
		}
		p.leave(b, pending)
	}
	return p
}

// leave decides where control goes from b.
func (p *Plan) leave(b *Block, pending blockSet) {
	uniform := !p.a.div[b]
	only, assumed := p.a.assume[b]
	dead := p.dead(b)
	for k, s := range b.succs {
		e := &Edge{from: b, to: s, slot: k, back: s.pos <= b.pos, uniform: uniform, dead: dead || assumed && k != only}
		p.out[b] = append(p.out[b], e)
		p.in[s] = append(p.in[s], e)
	}
	if !uniform {
		targets := pending.with()
		for _, e := range p.out[b] {
			if !e.back {
				targets[e.to] = true
			}
		}
		n := p.pick(targets)
		p.next[b] = n
		p.relay[n] = true
		return
	}
	for _, e := range p.out[b] {
		switch {
		case e.dead:
		case e.back && e.to.loop.div:
			e.next = p.pick(pending.with())
			p.relay[e.next] = true
		case !e.back:
			e.next = p.pick(pending.with(e.to))
			if e.next != e.to {
				p.relay[e.next] = true
			}
		}
	}
}

// dead says whether only edges that are never taken lead to b.
func (p *Plan) dead(b *Block) bool {
	for _, e := range p.in[b] {
		if !e.dead {
			return false
		}
	}
	return b != p.f.order[0]
}

// maskOwner finds a block known to have the same mask as b: itself if there is none.
func (p *Plan) maskOwner(b, entry *Block) *Block {
	if b == entry {
		p.nonEmpty[b] = true
		return b
	}
	if l := b.loop; l != nil && l.header == b {
		if l.div {
			p.nonEmpty[b] = true // guards and the test at the back edge see to it
			return b
		}
		for _, q := range b.preds {
			if !l.blocks[q] {
				return p.rep[q]
			}
		}
	}
	for d := b.idom; d != nil; d = d.idom {
		if d.loop == b.loop && b.loop.gathers(b, d) {
			return p.rep[d]
		}
	}
	if p.relay[b] {
		return b
	}
	var r *Block
	for _, e := range p.in[b] {
		if e.dead {
			continue
		}
		if !e.uniform || e.next != b || r != nil && r != p.rep[e.from] {
			return b
		}
		for l := e.from.loop; l != nil && !l.blocks[b]; l = l.parent {
			if l.div { // leaving a divergent loop changes the mask even by a uniform exit
				return b
			}
		}
		r = p.rep[e.from]
	}
	if r != nil && (r == entry || r.loop == nil || r.loop.blocks[b]) {
		return r
	}
	return b
}

// mustGuard is the cost of what may not run for no lane at all.
const mustGuard = 1000

// placeGuard skips b and what it dominates when no lane is on.
func (p *Plan) placeGuard(b *Block, pending blockSet) {
	cost := p.cost(b)
	if cost <= p.costs.threshold {
		return
	}
	// The first block after b that does not have b's mask.
	j := b.loop.after(b)
	for j != nil && dominates(b, j) {
		j = b.loop.after(j)
	}
	targets := pending.with()
	switch {
	case j != nil && j.loop == b.loop:
		targets[j] = true
	case b.loop != nil && b.loop.div && len(targets) > 0:
		// b dominates the rest of the iteration: no lane goes round again.
	case cost >= mustGuard:
		fail("a loop or a uniform branch may run for no work-item")
	default:
		return
	}
	t := p.pick(targets)
	p.guard[b] = t
	p.relay[t] = true
	p.nonEmpty[b] = true
}

// beyondLimit is the cost of a contiguous access for no lane behind a guard like lid < n, where n is no constant: all lanes of a
// vector may be beyond it, and so may their addresses be beyond all memory, where it takes the processor hundreds of cycles to
// find that nothing is wrong.
const beyondLimit = 50

// limited says whether b runs for the lanes on one side of such a limit.
func (p *Plan) limited(b *Block) bool {
	if b.idom == nil || len(b.idom.succs) != 2 {
		return false
	}
	c := b.idom.term.args[0]
	if c.op != llvm.OpICmp {
		return false
	}
	limit := func(x, y *Value) bool {
		s := p.a.of(y)
		return !x.constant && p.a.of(x).isUniform() && s.scalar() && !s.isUniform()
	}
	return limit(c.args[0], c.args[1]) || limit(c.args[1], c.args[0])
}

// cost is what a skip of the region that b dominates saves, in instructions.
func (p *Plan) cost(b *Block) int {
	n, beyond := 0, 0
	if p.limited(b) {
		beyond = beyondLimit
	}
	for _, x := range p.f.order[b.pos:] {
		if !dominates(b, x) {
			continue
		}
		n += len(x.instrs) - 1
		if x.loop != b.loop || len(x.succs) > 1 && !p.a.div[x] {
			n += mustGuard // a uniform branch must not look at values computed for no lane
		}
		for _, v := range x.instrs {
			switch v.op {
			case llvm.OpCall:
				if !elementwise[v.intrinsic()] {
					n += 20
				}
			case llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
				n += 20
			case llvm.OpLoad:
				switch s := p.a.of(v.args[0]); {
				case s.kind == varying: // a gather
					n += 16
				case !s.isUniform():
					n += beyond
				}
			case llvm.OpStore:
				switch s := p.a.of(v.args[1]); {
				case s.kind == varying:
					n += 16
				case !s.isUniform():
					n += max(p.costs.maskedStore, beyond)
				}
			}
		}
	}
	return n
}

// allLanes says whether b runs under the mask the function was entered with.
func (p *Plan) allLanes(b *Block) bool { return p.rep[b] == p.f.order[0] }
