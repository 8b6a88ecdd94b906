package kernelgen

import "fmt"

// anyScalar is any scalar type, scalarType any of integers, floatType any of floating-point numbers.
func (g *gen) anyScalar() typ {
	if g.r.Intn(4) == 0 {
		return g.floatType()
	}
	return g.scalarType()
}

func (g *gen) floatType() typ {
	return typ{bits: pick(g.r, g.floats()), float: true, lanes: 1}
}

// floats are how many bits floating-point types have.
func (g *gen) floats() []int {
	if g.portable {
		return []int{32, 64}
	}
	return []int{16, 32, 64}
}

// integer makes an integer of a floating-point expression.
func integer(x expr) expr {
	if x.typ().float {
		return bitsOf{x}
	}
	return x
}

func (g *gen) scalarType() typ {
	return typ{bits: pick(g.r, []int{8, 16, 32, 64}), signed: g.r.Intn(2) == 0, lanes: 1}
}

// test is a condition, an int.
func (g *gen) test(depth int, uniform bool) expr {
	if depth > 1 && g.r.Intn(4) == 0 {
		return logic{pick(g.r, []string{"&&", "||"}), g.test(depth-1, uniform), g.test(depth-1, uniform)}
	}
	if g.r.Intn(5) == 0 {
		t := g.floatType()
		return compare{pick(g.r, []string{"<", "<=", ">", ">=", "==", "!="}), g.expr(t, depth, uniform), g.expr(t, 0, uniform)}
	}
	t := g.scalarType()
	mask := splat(t, 15) // so that both outcomes are likely
	x, y := g.expr(t, depth, uniform), g.expr(t, 0, uniform)
	return compare{pick(g.r, []string{"<", "<=", ">", ">=", "==", "!="}), binary{"&", x, mask}, binary{"&", y, mask}}
}

// expr is an expression of a type. A uniform one has one value in all work-items of a group.
func (g *gen) expr(t typ, depth int, uniform bool) expr {
	if depth <= 0 {
		return g.leaf(t, uniform)
	}
	if t.float {
		return g.floatExpr(t, depth, uniform)
	}
	if !t.signed && t.bits >= g.floats()[0] && g.r.Intn(8) == 0 {
		return bitsOf{g.expr(typ{bits: t.bits, float: true, lanes: t.lanes}, depth-1, uniform)}
	}
	sub := func(t typ) expr { return g.expr(t, depth-1-g.r.Intn(2), uniform) }
	switch k := g.r.Intn(16); {
	case k < 7:
		return binary{pick(g.r, []string{"+", "-", "*", "&", "|", "^"}), sub(t), sub(t)}
	case k < 9:
		x, y := sub(t), sub(t)
		if constant(x) && constant(y) { // clang computes it, and leaves an overflow undefined
			x = convert{t, g.expr(g.scalarType().withLanes(t.lanes), 0, uniform)}
			if constant(x) {
				return x
			}
		}
		if g.portable { // by something positive
			y = binary{"|", binary{"&", y, splat(t, 1<<(t.bits-1)-1)}, splat(t, 1)}
		}
		return binary{pick(g.r, []string{"/", "%"}), x, y}
	case k == 9:
		return binary{pick(g.r, []string{"<<", ">>"}), sub(t), sub(t)}
	case k == 10:
		return unary{pick(g.r, []string{"~", "-"}), sub(t)}
	case k == 11:
		return choice{g.test(depth-1, uniform), sub(t), sub(t)}
	case k < 14:
		from := g.scalarType().withLanes(t.lanes)
		return convert{t, sub(from)}
	case t.lanes > 1 && t.signed:
		from := t
		from.signed = g.r.Intn(2) == 0
		if t.bits >= g.floats()[0] && g.r.Intn(3) == 0 {
			from.signed, from.float = false, true
		}
		return compare{pick(g.r, []string{"<", "==", ">="}), sub(from), sub(from)}
	case t.lanes > 1:
		v := vector{t: t}
		for range t.lanes {
			v.x = append(v.x, g.leaf(t.scalar(), uniform))
		}
		return v
	case k == 14:
		from := t.withLanes(pick(g.r, []int{2, 3, 4, 8}))
		return lane{sub(from), g.r.Intn(from.lanes)}
	}
	return g.leaf(t, uniform)
}

// constant says whether an expression has only literals in it.
func constant(x expr) bool {
	switch x := x.(type) {
	case literal:
		return true
	case binary:
		return constant(x.x) && constant(x.y)
	case compare:
		return constant(x.x) && constant(x.y)
	case logic:
		return constant(x.x) && constant(x.y)
	case choice:
		return constant(x.c) && (constant(x.x) || constant(x.y))
	case unary:
		return constant(x.x)
	case convert:
		return constant(x.x)
	case bitsOf:
		return constant(x.x)
	case toHalf:
		return constant(x.x)
	case lane:
		return constant(x.x)
	case vector:
		for _, e := range x.x {
			if !constant(e) {
				return false
			}
		}
		return true
	}
	return false
}

func (g *gen) leaf(t typ, uniform bool) expr {
	if g.r.Intn(3) > 0 { // a variable of the type, if there is one
		if v := g.readable(t, uniform, true); v != nil {
			if v.array > 0 {
				return element{v, g.subscript(uniform)}
			}
			return read{v}
		}
	}
	if t == uint32T && g.r.Intn(3) > 0 {
		return g.uint(uniform)
	}
	if t == halfT && !uniform && g.r.Intn(3) == 0 {
		return g.ownHalf()
	}
	if t.lanes == 1 && g.r.Intn(2) == 0 {
		return convert{t, g.place(uniform)}
	}
	if t.float {
		return g.floatLiteral(t)
	}
	return literal{t, t.each(func(int) uint64 {
		switch g.r.Intn(4) {
		case 0:
			return g.r.Uint64()
		case 1:
			return uint64(1) << (t.bits - 1)
		case 2:
			return ^uint64(0)
		}
		return uint64(g.r.Intn(9))
	})}
}

// readable picks a variable of a type, nil if there is none.
func (g *gen) readable(t typ, uniform, arrays bool) *variable {
	var fit []*variable
	for _, v := range g.vars {
		if v.t == t && (v.uniform || !uniform) && v != g.fold && (v.array == 0 || arrays) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return pick(g.r, fit)
}

// subscript is a simple uint.
func (g *gen) subscript(uniform bool) expr {
	if v := g.readable(uint32T, uniform, false); v != nil && g.r.Intn(2) == 0 {
		return read{v}
	}
	if uniform || g.r.Intn(3) == 0 {
		return uintLiteral(uint64(g.r.Intn(9)))
	}
	return place{uint32T, "lid", func(it *item) value { return value{uint64(it.lid)} }}
}

// uint is a load, or an id.
func (g *gen) uint(uniform bool) expr {
	index := func() expr { return g.subscript(uniform) }
	switch k := g.r.Intn(8); {
	case k == 0 && !uniform && g.r.Intn(2) == 0:
		return g.neighbour()
	case k == 0:
		return load{"in[%v & 63u]", index(), func(it *item, i uint64) uint64 { return uint64(it.args.In[i&63]) }}
	case k == 1: // uniform, though it does not look like it
		return binary{"+", load{"zero[%v & 63u]", g.subscript(false), func(it *item, i uint64) uint64 { return uint64(it.args.Zero[i&63]) }}, index()}
	case k < 5 && g.shared:
		return pick(g.r, []expr{
			load{"own[%v %% items]", index(), func(it *item, i uint64) uint64 { return uint64(it.own[int(i)%len(it.own)]) }},
			load{"ex[%v %% items]", index(), func(it *item, i uint64) uint64 { return uint64(it.ex[int(i)%len(it.ex)]) }},
			load{"sums[%v & 15u]", index(), func(it *item, i uint64) uint64 { return uint64(it.sums[i&15]) }}})
	case k < 5 && !uniform:
		return pick(g.r, []expr{
			place{uint32T, "own[lid]", func(it *item) value { return value{uint64(it.own[it.lid])} }},
			place{uint32T, "ex[lid]", func(it *item) value { return value{uint64(it.ex[it.lid])} }}})
	}
	return convert{uint32T, g.place(uniform)}
}

// neighbour is what the work-item finds at a stride, at a distance or the other way round: of all sizes of elements.
func (g *gen) neighbour() expr {
	step, first := 1+g.r.Intn(4), g.r.Intn(4)
	flip, size := g.r.Intn(32), pick(g.r, []int{1, 2, 4, 4, 4, 8})
	index, at := fmt.Sprintf("at * %du + %du", step, first%step), func(it *item) int { return it.linear*step + first%step }
	switch g.r.Intn(4) {
	case 0:
		index, at = fmt.Sprintf("at ^ %du", flip), func(it *item) int { return it.linear ^ flip }
	case 1:
		index, at = "get_local_size(0) - 1 - get_local_id(0)", func(it *item) int { return it.size[0] - 1 - it.local[0] }
	}
	if size == 8 && step > 2 {
		size = 4 // or it would be beyond the end
	}
	name := map[int]string{1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[size]
	return convert{uint32T, place{typ{bits: 8 * size, lanes: 1}, fmt.Sprintf("((global const %s *)in)[%s]", name, index), func(it *item) (v value) {
		for k := range size {
			byte := at(it)*size + k
			v[0] |= uint64(it.args.In[byte/4]>>(byte%4*8)&0xff) << (8 * k)
		}
		return v
	}}}
}

// place is an argument or an id.
func (g *gen) place(uniform bool) expr {
	d := g.r.Intn(3)
	is := func(t typ, text string, get func(*item) uint64) place {
		return place{t, text, func(it *item) value { return value{t.wrap(get(it))} }}
	}
	dim := func(name string, get func(*item) int) place {
		return is(uint64T, fmt.Sprintf("%s(%d)", name, d), func(it *item) uint64 { return uint64(get(it)) })
	}
	places := []expr{
		is(uint32T, "u", func(it *item) uint64 { return uint64(it.args.U) }),
		is(typ{bits: 8, signed: true, lanes: 1}, "c", func(it *item) uint64 { return uint64(it.args.C) }),
		is(typ{bits: 64, signed: true, lanes: 1}, "l", func(it *item) uint64 { return uint64(it.args.L) }),
		is(typ{bits: 8, lanes: 1}, "s.a", func(it *item) uint64 { return uint64(it.args.S.A) }),
		is(typ{bits: 64, signed: true, lanes: 1}, "s.d", func(it *item) uint64 { return uint64(it.args.S.D) }),
		is(typ{bits: 16, signed: true, lanes: 1}, fmt.Sprintf("v.s%d", d), func(it *item) uint64 { return uint64(it.args.V[d]) }),
		load{"s.b[%v & 3u]", g.subscript(uniform), func(it *item, i uint64) uint64 { return uint64(it.args.S.B[i&3]) }},
		dim("get_group_id", func(it *item) int { return it.id[d] }),
		dim("get_global_size", func(it *item) int { return it.launch.Global[d] }),
		dim("get_local_size", func(it *item) int { return it.size[d] }),
		dim("get_enqueued_local_size", func(it *item) int { return it.launch.Local[d] }),
		dim("get_num_groups", func(it *item) int { return (it.launch.Global[d] + it.launch.Local[d] - 1) / it.launch.Local[d] }),
		dim("get_global_offset", func(it *item) int { return it.launch.Offset[d] }),
		is(uint32T, "items", func(it *item) uint64 { return uint64(len(it.own)) }),
	}
	if !uniform {
		varying := []expr{
			is(uint32T, "i", func(it *item) uint64 { return uint64(it.linear) }),
			is(uint32T, "lid", func(it *item) uint64 { return uint64(it.lid) }),
			dim("get_local_id", func(it *item) int { return it.local[d] }),
			dim("get_global_id", func(it *item) int { return it.launch.Offset[d] + it.id[d]*it.launch.Local[d] + it.local[d] }),
		}
		places = append(places, append(varying, varying...)...)
		if g.groups {
			places = append(places,
				is(uint32T, "get_sub_group_local_id()", func(it *item) uint64 { return uint64(it.lid % subGroup) }),
				is(uint32T, "get_sub_group_id()", func(it *item) uint64 { return uint64(it.lid / subGroup) }),
				is(uint32T, "get_num_sub_groups()", func(it *item) uint64 { return uint64(len(it.own)+subGroup-1) / subGroup }),
				is(uint32T, "get_sub_group_size()", func(it *item) uint64 {
					return uint64(min(subGroup, len(it.own)-it.lid/subGroup*subGroup))
				}))
		}
	}
	return pick(g.r, places)
}
