package kernelgen

import (
	"fmt"
	"slices"
)

// subGroup is how many work-items a sub-group has, in the order of their local ids.
const subGroup = 16

// lanes are what the work-items of a sub-group have that are at a function together; on says which these are.
type lanes struct {
	on   uint32
	x, n [subGroup]value
}

// collective assigns what a function of sub-groups gives. The work-items at it are those whose paths come together there: all that
// come to it in the same rounds of the loops around it.
type collective struct {
	v    *variable
	t    typ    // of the result
	text string // the function of x_ and n_
	x, n expr
	from string                                        // the number of the work-item whose value it gives, if it is such a function
	do   func(t typ, g *lanes, l int) uint64           // t: the type of x
	take func(l int, n uint64) (lane int, within bool) // of such a function
}

func (c collective) print(p *printer) {
	text := c.text
	p.line("{ %v x_ = %v; uint n_ = %v;", c.x.typ(), c.x, c.n)
	if c.take != nil { // of a work-item that is not there, or elsewhere, the value is undefined
		p.line("uint on_ = sub_group_ballot(1).x, from_ = %s; %v y_ = %s;", c.from, c.t, text)
		text = "(from_ < 16 && on_ >> from_ & 1 ? y_ : x_)"
	}
	p.line("%s = %v; }", c.v.name, convert{c.v.t, place{t: c.t, text: text}})
}

func (c collective) run(it *item) outcome {
	it.meeting, it.given = &c, [2]value{c.x.eval(it), c.n.eval(it)}
	it.wait()
	it.vars[c.v.number][0] = convert{c.v.t, literal{c.t, it.got}}.eval(it)
	return goOn
}

// together does what a function does for those who are at it.
func (c *collective) together(items []*item) {
	var g lanes
	for _, it := range items {
		l := it.lid % subGroup
		g.on |= 1 << l
		g.x[l], g.n[l] = it.given[0], it.given[1]
	}
	for _, it := range items {
		l := it.lid % subGroup
		if c.take == nil {
			it.got = value{c.t.wrap(c.do(c.x.typ(), &g, l))}
			continue
		}
		it.got = g.x[l]
		if from, ok := c.take(l, g.n[l][0]); ok && g.on>>from&1 != 0 {
			it.got = g.x[from]
		}
	}
}

// meet lets those of a sub-group go on that are at the first meeting, in the order of the code, at which some of it are. It says
// whether there was one.
func meet(items []*item) bool {
	some := false
	for group := range slices.Chunk(items, subGroup) {
		var first []*item
		for _, it := range group {
			switch {
			case it.meeting == nil:
			case first == nil || slices.Compare(it.path, first[0].path) < 0:
				first = []*item{it}
			case slices.Equal(it.path, first[0].path):
				first = append(first, it)
			}
		}
		if first == nil {
			continue
		}
		some = true
		first[0].meeting.together(first)
		for _, it := range first {
			it.meeting, it.ready = nil, true
		}
	}
	return some
}

// operator combines two values of a type.
func operator(op string, t typ, x, y uint64) uint64 {
	switch op {
	case "add":
		return t.wrap(arithmetic("+", t, x, y))
	case "mul":
		return t.wrap(arithmetic("*", t, x, y))
	case "min", "max":
		less := related("<", t, y, x)
		if op == "max" {
			less = related("<", t, x, y)
		}
		if less || t.float && related("!=", t, x, x) {
			return y
		}
		return x
	}
	return t.wrap(arithmetic(map[string]string{"and": "&", "or": "|", "xor": "^"}[op], t, x, y))
}

// neutral is the value that an operator combines with another to that.
func neutral(op string, t typ) uint64 {
	if t.float {
		switch op {
		case "add":
			return 1 << (t.bits - 1) // -0
		case "mul":
			return encode(t, 1)
		}
		return encode(t, map[string]float64{"min": inf, "max": -inf}[op])
	}
	least, most := uint64(0), ^uint64(0)
	if t.signed {
		least, most = uint64(1)<<(t.bits-1), uint64(1)<<(t.bits-1)-1
	}
	return t.wrap(map[string]uint64{"add": 0, "mul": 1, "min": most, "max": least, "and": ^uint64(0), "or": 0, "xor": 0}[op])
}

// values are what an operator works on: neutral where no work-item is.
func (g *lanes) values(op string, t typ) (x [subGroup]uint64) {
	for l := range x {
		x[l] = neutral(op, t)
		if g.on>>l&1 != 0 {
			x[l] = g.x[l][0]
		}
	}
	return x
}

// reduce combines the upper half with the lower one until one is left.
func reduce(op string, t typ, x []uint64) uint64 {
	x = slices.Clone(x)
	for n := len(x) / 2; n > 0; n /= 2 {
		for l := range n {
			x[l] = operator(op, t, x[l], x[l+n])
		}
	}
	return x[0]
}

// scan combines each with the one before, then what that gave with that of the second before, and so on.
func scan(op string, t typ, x [subGroup]uint64) [subGroup]uint64 {
	for n := 1; n < subGroup; n *= 2 {
		old := x
		for l := n; l < subGroup; l++ {
			x[l] = operator(op, t, old[l-n], old[l])
		}
	}
	return x
}

// collective makes a statement of a random function.
func (g *gen) collective() stmt {
	var v *variable
	for v == nil || v == g.fold || v.uniform || v.array > 0 || v.t.lanes > 1 || v.name[0] == 'k' {
		v = pick(g.r, g.vars)
	}
	t := pick(g.r, []typ{g.scalarType(), v.t, uint32T})
	if v.t.float {
		t = pick(g.r, []typ{g.anyScalar(), v.t})
	}
	c := collective{v: v, t: t, x: g.expr(t, 1, false), n: uintLiteral(0)}
	ops := []string{"add", "mul", "min", "max"}
	if !t.float {
		ops = append(ops, "and", "or", "xor")
	}
	op := pick(g.r, ops)
	prefix := "non_uniform_"
	if slices.Contains([]string{"add", "min", "max"}, op) && g.r.Intn(2) == 0 {
		prefix = ""
	}
	switch g.r.Intn(11) {
	case 0, 1:
		c.text = "sub_group_" + prefix + "reduce_" + op + "(x_)"
		c.do = func(t typ, g *lanes, l int) uint64 { x := g.values(op, t); return reduce(op, t, x[:]) }
	case 2:
		c.text = "sub_group_" + prefix + "scan_inclusive_" + op + "(x_)"
		c.do = func(t typ, g *lanes, l int) uint64 { return scan(op, t, g.values(op, t))[l] }
	case 3:
		c.text = "sub_group_" + prefix + "scan_exclusive_" + op + "(x_)"
		c.do = func(t typ, g *lanes, l int) uint64 {
			if g.on&(1<<l-1) == 0 {
				if op == "add" {
					return 0
				}
				return neutral(op, t)
			}
			return scan(op, t, g.values(op, t))[l-1]
		}
	case 4:
		size := 1 << g.r.Intn(5)
		c.text = fmt.Sprintf("sub_group_clustered_reduce_%s(x_, %du)", op, size)
		c.do = func(t typ, g *lanes, l int) uint64 {
			x, from := g.values(op, t), l&-size
			return reduce(op, t, x[from:from+size])
		}
	case 5:
		c.text, c.do = "sub_group_broadcast_first(x_)", func(_ typ, g *lanes, _ int) uint64 { return g.x[g.first()][0] }
	case 6:
		c.text, c.t = "sub_group_non_uniform_all_equal(x_)", int32T
		c.do = func(t typ, g *lanes, _ int) uint64 {
			return truth(!g.any(func(l int) bool { return !related("==", t, g.x[l][0], g.x[g.first()][0]) }))
		}
	case 7:
		g.vote(&c)
	default:
		g.shuffle(&c)
	}
	return c
}

func (g *lanes) first() int {
	for l := range subGroup {
		if g.on>>l&1 != 0 {
			return l
		}
	}
	panic("nobody is here")
}

func (g *lanes) any(is func(l int) bool) bool {
	for l := range subGroup {
		if g.on>>l&1 != 0 && is(l) {
			return true
		}
	}
	return false
}

// vote makes a function of conditions.
func (g *gen) vote(c *collective) {
	c.x, c.t = g.test(1, false), int32T
	set := func(g *lanes, l int) bool { return g.x[l][0] != 0 }
	switch g.r.Intn(4) {
	case 0:
		c.text, c.do = "sub_group_all(x_)", func(_ typ, g *lanes, _ int) uint64 { return truth(!g.any(func(l int) bool { return !set(g, l) })) }
	case 1:
		c.text, c.do = "sub_group_any(x_)", func(_ typ, g *lanes, _ int) uint64 { return truth(g.any(func(l int) bool { return set(g, l) })) }
	case 2:
		c.text, c.do = "sub_group_elect()", func(_ typ, g *lanes, l int) uint64 { return truth(l == g.first()) }
	case 3:
		c.text, c.t = "sub_group_ballot(x_).x", uint32T
		c.do = func(_ typ, g *lanes, _ int) (bits uint64) {
			g.any(func(l int) bool { bits |= truth(set(g, l)) << l; return false })
			return bits
		}
	}
}

// shuffle makes a function that gives another work-item's value.
func (g *gen) shuffle(c *collective) {
	c.n = g.subscript(g.r.Intn(2) == 0)
	if g.r.Intn(2) == 0 {
		c.n = uintLiteral(uint64(g.r.Intn(18)))
	}
	form := pick(g.r, []struct {
		text, from string
		take       func(l int, n uint64) (int, bool)
	}{
		{"sub_group_shuffle(x_, n_)", "n_", func(_ int, n uint64) (int, bool) { return int(n % subGroup), n < subGroup }},
		{"sub_group_non_uniform_broadcast(x_, 5)", "5", func(int, uint64) (int, bool) { return 5, true }},
		{"sub_group_shuffle_xor(x_, n_)", "get_sub_group_local_id() ^ n_", func(l int, n uint64) (int, bool) {
			return (l ^ int(uint32(n))) % subGroup, uint32(l)^uint32(n) < subGroup
		}},
		{"sub_group_shuffle_up(x_, n_)", "get_sub_group_local_id() - n_", func(l int, n uint64) (int, bool) {
			return (l - int(uint32(n))) & 15, uint32(l)-uint32(n) < subGroup
		}},
		{"sub_group_shuffle_down(x_, n_)", "get_sub_group_local_id() + n_", func(l int, n uint64) (int, bool) {
			return (l + int(uint32(n))) & 15, uint32(l)+uint32(n) < subGroup
		}},
		{"sub_group_rotate(x_, n_)", "(get_sub_group_local_id() + n_) % 16", func(l int, n uint64) (int, bool) {
			return (l + int(uint32(n))) & 15, true
		}},
		{"sub_group_clustered_rotate(x_, n_, 4)", "(get_sub_group_local_id() & ~3u) + (get_sub_group_local_id() + n_) % 4", func(l int, n uint64) (int, bool) {
			return l&^3 + (l+int(uint32(n)))&3, true
		}},
	})
	c.text, c.from, c.take = form.text, form.from, form.take
}
