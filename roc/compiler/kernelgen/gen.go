package kernelgen

import (
	"fmt"
	"math"
	"math/rand"
)

// Kernel is a random kernel.
type Kernel struct {
	Name     string
	Barriers bool   // it has some; then its __local arrays are exchanged between work-items
	Prints   bool   // it calls printf
	Required [3]int // work-group size, or zeros
	vars     []*variable
	body     block
	start    int // body[start:end] are the random statements, between initial values and output
	end      int
}

// gen grows a kernel. Local memory has two modes, and a barrier changes from one to the other: in the own mode a work-item
// reads and writes its own elements and changes sums by one atomic operation; in the shared mode everything is only read. So there are no races.
type gen struct {
	*Kernel
	scale
	r        *rand.Rand
	forms    *rand.Rand // of atomic operations; apart, so that the rest of a seed's kernel does not depend on it
	shared   bool       // the mode at this place of the kernel
	tail     bool       // no barrier follows: work-items may part for good
	sumOp    string
	groups   bool // it has functions of sub-groups
	library  bool // and those of the builtin library that are about halves
	portable bool // it has no halves, and no division whose result the specification leaves open
	flows    bool // it has jumps between blocks
	says     int  // calls of printf
	made     int  // random statements
	depth    int
	loops    int // nesting
	fold     *variable
}

// scale is how large a kernel is.
type scale struct {
	barriers   int   // one in so many has none
	variables  int   // at least, besides the first three
	arrays     int   // at least
	parts      int   // at least, that barriers may be between
	more       int   // variables or parts that there are less of than so many in addition
	elements   []int // that an array may have
	statements int   // random ones, at most
	outer      int   // levels at which most statements are about the flow of control
}

var (
	large = scale{barriers: 4, variables: 4, arrays: 1, parts: 3, more: 4, elements: []int{2, 4, 8}, statements: math.MaxInt}
	small = scale{barriers: 2, variables: 0, arrays: 0, parts: 1, more: 2, elements: []int{2, 4}, statements: 8, outer: 2}
)

// context is where a statement stands.
type context struct {
	uniform  bool // all work-items of the group come here together
	loop     bool // in a loop
	parting  bool // the innermost loop may be left or continued by some work-items alone
	inSwitch bool // a break would leave the switch
	loopMode bool // the mode at the start of the innermost loop's body
}

// New makes the kernel of a seed. Every seed is a kernel; one in four has no barriers.
func New(seed int64) *Kernel { return newKernel(&gen{scale: large}, seed) }

// NewCalling makes one with functions of the builtin library: those of sub-groups, and those that load, store and make halves.
func NewCalling(seed int64) *Kernel {
	return newKernel(&gen{scale: large, groups: true, library: true}, seed)
}

// NewPortable makes one that any driver should run, for the opinion of others: without halves, and with no division by zero nor by
// a negative number.
func NewPortable(seed int64) *Kernel { return newKernel(&gen{scale: large, portable: true}, seed) }

// NewFlowing makes one with jumps between blocks.
func NewFlowing(seed int64) *Kernel { return newKernel(&gen{scale: large, flows: true}, seed) }

// NewSmall makes one of a few statements. One in three has jumps between blocks, another one functions of the builtin library.
func NewSmall(seed int64) *Kernel {
	return newKernel(&gen{scale: small, flows: seed%3 == 1, groups: seed%3 == 2, library: seed%3 == 2}, seed)
}

func newKernel(g *gen, seed int64) *Kernel {
	g.Kernel, g.r, g.forms = &Kernel{Name: fmt.Sprintf("k%d", seed)}, rand.New(rand.NewSource(seed)), rand.New(rand.NewSource(^seed))
	g.Barriers = g.r.Intn(g.barriers) > 0
	g.sumOp = pick(g.r, []string{"add", "xor", "or", "max"})
	types := []typ{uint32T, int32T, uint64T}
	for range g.variables + g.r.Intn(g.more) {
		t := g.anyScalar()
		if g.r.Intn(3) == 0 {
			t.lanes = pick(g.r, []int{2, 3, 4, 8})
		}
		types = append(types, t)
	}
	for i, t := range types {
		v := g.variable("v", t)
		v.uniform = i >= 3 && g.r.Intn(3) == 0
	}
	for range g.arrays + g.r.Intn(2) {
		t := g.anyScalar().withLanes(pick(g.r, []int{1, 1, 1, 4}))
		g.variable("p", t).array = pick(g.r, g.elements)
	}
	declared := len(g.vars)
	g.fold = g.variable("fold", uint64T)
	for _, v := range g.vars[:declared] {
		if v.array > 0 {
			for i := range v.array {
				g.body = append(g.body, assign{v, uintLiteral(uint64(i)), g.expr(v.t, 1, true)})
			}
		} else {
			g.body = append(g.body, assign{v, nil, g.expr(v.t, 1, v.uniform)})
		}
	}
	g.body = append(g.body, effect{"own[lid] = %v;", []expr{g.expr(uint32T, 1, false)}, func(it *item, v []uint64) { it.own[it.lid] = uint32(v[0]) }},
		effect{"ex[lid] = %v;", []expr{g.expr(uint32T, 1, false)}, func(it *item, v []uint64) { it.ex[it.lid] = uint32(v[0]) }})
	top := context{uniform: true}
	if g.Barriers {
		g.body = append(g.body, clearSums{}, barrier{"barrier(CLK_LOCAL_MEM_FENCE)"})
	} else {
		g.tail = true
	}
	g.start = len(g.body)
	for range g.parts + g.r.Intn(g.more) {
		g.body = append(g.body, g.statements(top, 1+g.r.Intn(3))...)
		if g.Barriers && g.r.Intn(2) == 0 {
			g.body = append(g.body, g.barrier())
		}
	}
	g.tail = true
	g.body = append(g.body, g.statements(top, 1+g.r.Intn(3))...)
	g.end = len(g.body)
	g.finish(declared)
	return g.Kernel
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.Intn(len(of))] }

func uintLiteral(v uint64) literal { return literal{uint32T, value{v}} }

func (g *gen) variable(prefix string, t typ) *variable {
	v := &variable{t: t, number: len(g.vars)}
	v.name = fmt.Sprint(prefix, v.number)
	g.vars = append(g.vars, v)
	return v
}

// finish folds all variables into the work-item's output.
func (g *gen) finish(declared int) {
	add := func(x expr) {
		g.body = append(g.body, assign{g.fold, nil, binary{"+", binary{"*", read{g.fold}, literal{uint64T, value{1000003}}}, convert{uint64T, integer(x)}}})
	}
	for _, v := range g.vars[:declared] {
		for i := range max(1, v.array) {
			var x expr = read{v}
			if v.array > 0 {
				x = element{v, uintLiteral(uint64(i))}
			}
			if v.t.lanes == 1 {
				add(x)
				continue
			}
			for k := range v.t.lanes {
				add(lane{x, k})
			}
		}
	}
	g.body = append(g.body, g.store(0, "^=", read{g.fold}))
}

// store to one of the work-item's places in the output.
func (g *gen) store(slot int, op string, x expr) stmt {
	id := pick(g.r, []string{"i", "at"}) // of 32 or 64 bits
	return effect{fmt.Sprintf("out[%s * %du + %du] %s %%v;", id, OutPerItem, slot, op), []expr{x}, func(it *item, v []uint64) {
		o := &it.args.Out[it.linear*OutPerItem+slot]
		switch op {
		case "=":
			*o = v[0]
		case "+=":
			*o += v[0]
		default:
			*o ^= v[0]
		}
	}}
}

func (g *gen) barrier() stmt {
	if g.r.Intn(5) > 0 {
		g.shared = !g.shared
	}
	return barrier{pick(g.r, []string{"barrier(CLK_LOCAL_MEM_FENCE)", "work_group_barrier(CLK_LOCAL_MEM_FENCE)",
		"work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"})}
}

// settle appends the barrier that brings back a mode.
func (g *gen) settle(b block, mode bool) block {
	if g.shared == mode {
		return b
	}
	g.shared = mode
	return append(b, barrier{"barrier(CLK_LOCAL_MEM_FENCE)"})
}

func (g *gen) statements(c context, n int) (b block) {
	g.depth++
	for ; n > 0 && g.made < g.scale.statements; n-- {
		g.made++
		b = append(b, g.statement(c)...)
	}
	g.depth--
	return b
}

// scoped is a nested block that leaves the mode as it found it.
func (g *gen) scoped(c context, n int) block {
	mode := g.shared
	return g.settle(g.statements(c, n), mode)
}

func (g *gen) statement(c context) block {
	if g.groups && g.r.Intn(4) == 0 {
		return block{g.collective()}
	}
	if g.flows && g.loops < 2 && g.r.Intn(4) == 0 {
		return g.flow(c)
	}
	choice := g.r.Intn(33)
	switch {
	case g.depth > 4:
		choice = g.r.Intn(12)
	case g.depth <= g.outer:
		choice = 12 + g.r.Intn(16)
	}
	switch {
	case choice < 8:
		return block{g.assign(c)}
	case choice == 8:
		return block{g.store(1+g.r.Intn(2), pick(g.r, []string{"=", "+=", "^="}), convert{uint64T, g.expr(g.scalarType(), 2, false)})}
	case choice == 9:
		return block{g.atomic("global", "acc", "add", "memory_scope_device", g.expr(uint32T, 1, false), g.expr(uint32T, 1, false), func(it *item) []uint32 { return it.args.Acc })}
	case choice < 12:
		return block{g.local(c)}
	case choice < 15 && g.Barriers && c.uniform && !g.tail:
		return block{g.barrier()}
	case choice < 19:
		return block{g.conditional(c)}
	case choice < 23 && g.loops < 3:
		return g.loop(c)
	case choice < 25 && c.loop:
		return g.leave(c)
	case choice == 25 && (c.uniform || g.tail):
		return g.returns(c)
	case choice < 28:
		return block{g.choose(c)}
	case choice < 30 && !g.portable:
		return block{g.halfStore()}
	case choice == 30 && g.says < mostSays && g.loops < 2:
		return block{g.say()}
	}
	return block{g.assign(c)}
}

func (g *gen) assign(c context) stmt {
	for {
		v := pick(g.r, g.vars)
		switch {
		case v == g.fold || v.name[0] == 'k' || v.uniform && !c.uniform:
		case v.array > 0:
			return assign{v, g.expr(uint32T, 1, false), g.expr(v.t, 2, false)}
		default:
			return assign{v, nil, g.expr(v.t, 3, v.uniform)}
		}
	}
}

// local writes to local memory, if the mode allows.
func (g *gen) local(c context) stmt {
	if g.shared {
		return g.assign(c)
	}
	x := g.expr(uint32T, 2, false)
	switch k := g.r.Intn(3); {
	case k == 0:
		return effect{"own[lid] ^= %v;", []expr{x}, func(it *item, v []uint64) { it.own[it.lid] ^= uint32(v[0]) }}
	case k == 1 && !g.groups && g.forms.Intn(2) == 0:
		return g.exchange(x)
	case k == 1 || !g.Barriers:
		return effect{"ex[lid] = %v;", []expr{x}, func(it *item, v []uint64) { it.ex[it.lid] = uint32(v[0]) }}
	}
	return g.atomic("local", "sums", g.sumOp, "memory_scope_work_group", g.expr(uint32T, 1, false), x, func(it *item) []uint32 { return it.sums[:] })
}

// condition: within a uniform context uniform half of the time.
func (g *gen) condition(c context) (x expr, uniform bool) {
	uniform = c.uniform && g.r.Intn(2) == 0
	return g.test(1+g.r.Intn(2), uniform), uniform
}

func (g *gen) conditional(c context) stmt {
	x, uniform := g.condition(c)
	in := c
	in.uniform = uniform
	s := conditional{c: x, yes: g.scoped(in, 1+g.r.Intn(3))}
	if g.r.Intn(2) == 0 {
		s.no = g.scoped(in, 1+g.r.Intn(3))
	}
	if c.uniform && !uniform && g.forms.Intn(3) == 0 {
		g.first(&s)
	}
	return s
}

// first makes a branch one for the first work-items of each row of a group, or for one of them, as in trees of sums.
func (g *gen) first(s *conditional) {
	r := g.r
	g.r = g.forms
	defer func() { g.r = r }()
	bound := binary{"&", g.expr(uint32T, 1, true), literal{uint32T, value{31}}}
	s.c = compare{pick(g.r, []string{"<", "<", "<=", "==", ">="}), place{uint32T, "(uint)get_local_id(0)", func(it *item) value { return value{uint64(it.local[0])} }}, bound}
	if !g.shared && g.r.Intn(2) == 0 { // nothing but memory changes
		s.yes, s.no = block{effect{"ex[lid] = own[lid] + %v;", []expr{g.expr(uint32T, 1, true)}, func(it *item, v []uint64) { it.ex[it.lid] = it.own[it.lid] + uint32(v[0]) }}}, nil
	}
}

func (g *gen) loop(c context) block {
	g.loops++
	defer func() { g.loops-- }()
	l := loop{kind: g.r.Intn(3), most: 2 + g.r.Intn(5), count: g.variable("k", uint32T)}
	if g.forms.Intn(4) == 0 {
		l.kind = 3
	}
	uniform := c.uniform && g.r.Intn(3) > 0
	l.count.uniform = uniform
	l.limit = g.expr(uint32T, 1, uniform)
	in := context{uniform: uniform, loop: true, parting: !uniform, loopMode: g.shared}
	l.c = g.test(1, uniform) // evaluated in the mode of the loop's start
	l.body = g.scoped(in, 1+g.r.Intn(4))
	return block{assign{l.count, nil, uintLiteral(0)}, l}
}

// leave is a break or a continue under a condition.
func (g *gen) leave(c context) block {
	uniform := !c.parting
	if uniform && !c.uniform {
		return nil
	}
	j := pick(g.r, []jump{{"break", doBreak}, {"continue", doContinue}})
	if c.inSwitch {
		j = jump{"continue", doContinue}
	}
	var body block
	if in := c; g.r.Intn(2) == 0 { // a way out of its own
		in.uniform = uniform
		body = block{pick(g.r, []stmt{g.assign(in), g.store(1, "+=", convert{uint64T, g.expr(g.scalarType(), 1, false)})})}
	}
	mode := g.shared
	body = g.settle(body, c.loopMode)
	g.shared = mode
	return block{conditional{c: g.test(1, uniform), yes: append(body, j)}}
}

func (g *gen) returns(c context) block {
	uniform := !g.tail
	return block{conditional{c: g.test(2, uniform), yes: block{g.store(2, "+=", convert{uint64T, g.expr(uint32T, 1, false)}), jump{"return", doReturn}}}}
}

func (g *gen) choose(c context) stmt {
	uniform := c.uniform && g.r.Intn(2) == 0
	s := choose{x: g.expr(g.scalarType(), 1, uniform)}
	in := c
	in.uniform, in.inSwitch = uniform, true
	for i := range s.arms {
		s.arms[i] = g.scoped(in, 1+g.r.Intn(2))
		s.fall[i] = g.r.Intn(3) == 0
	}
	return s
}
