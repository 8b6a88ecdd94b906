package kernelgen

import (
	"iter"
	"math/rand"
)

// Launch is an NDRange of a kernel; all sizes are at least 1.
type Launch struct {
	Global, Local, Offset [3]int
}

// Items is the number of work-items.
func (l Launch) Items() int { return l.Global[0] * l.Global[1] * l.Global[2] }

// Arguments of every kernel, in the order of its parameters. Run changes Out, Acc and Halves.
type Arguments struct {
	Out    []uint64 // OutPerItem a work-item
	In     []uint32 // inLen, for every work-item a few
	Zero   []uint32 // zeroLen zeros: what is computed of them is uniform, but no compiler can know
	Acc    []uint32 // accLen
	Halves []uint16 // HalvesPerItem a work-item
	S      Scalars
	U      uint32
	C      int8
	L      int64
	V      [4]int16
	// a __local uint array of a group's items comes last

	Lines []string // that Run has printed, without their ends; those of a work-item in their order
}

// Scalars is a structure passed by value, with C's padding.
type Scalars struct {
	A uint8
	_ [3]byte
	B [4]uint32
	_ [4]byte
	D int64
}

const (
	// OutPerItem is how many elements of Out belong to a work-item.
	OutPerItem = 3
	inLen      = 4 * 256
	zeroLen    = 64
	accLen     = 16
	// MaxItems is the largest work-group, and the largest NDRange that the arguments are enough for.
	MaxItems = 256
)

// group is what the work-items of a group share.
type group struct {
	args   *Arguments
	launch Launch
	id     [3]int
	size   [3]int
	own    []uint32 // kernel-scope local memory, an element a work-item
	ex     []uint32 // the local-memory argument, likewise
	sums   [accLen]uint32
}

// item is a work-item.
type item struct {
	*group
	local  [3]int
	lid    int // linear
	linear int // in the NDRange
	vars   [][]value
	yield  func(struct{}) bool

	path    []int       // where it is: numbers of statements, branches and rounds of loops, from the outside in
	ready   bool        // it can go on
	meeting *collective // where it waits for others of its sub-group; nil elsewhere
	given   [2]value    // to it
	got     value       // from it
}

func (it *item) wait() { it.yield(struct{}{}) }

// at runs a part of what the work-item is in.
func (it *item) at(n int, part func(*item) outcome) outcome {
	it.path = append(it.path, n)
	defer func() { it.path = it.path[:len(it.path)-1] }()
	return part(it)
}

// NewArguments are arguments for a launch, random by the seed.
func NewArguments(seed int64, n Launch) *Arguments {
	r := rand.New(rand.NewSource(seed))
	a := &Arguments{Out: make([]uint64, n.Items()*OutPerItem), In: make([]uint32, inLen), Zero: make([]uint32, zeroLen), Acc: make([]uint32, accLen),
		Halves: make([]uint16, n.Items()*HalvesPerItem)}
	for i := range a.In {
		a.In[i] = r.Uint32() >> r.Intn(32)
	}
	a.S = Scalars{A: uint8(r.Uint32()), D: int64(r.Uint64())}
	for i := range a.S.B {
		a.S.B[i] = r.Uint32() >> r.Intn(32)
	}
	a.U, a.C, a.L = r.Uint32()>>r.Intn(32), int8(r.Uint32()), int64(r.Uint64())>>r.Intn(64)
	for i := range a.V {
		a.V[i] = int16(r.Uint32())
	}
	return a
}

// Launches are NDRanges worth trying: odd sizes, one item, three dimensions, partial groups, an offset.
var Launches = []Launch{
	{Global: [3]int{1, 1, 1}, Local: [3]int{1, 1, 1}},
	{Global: [3]int{37, 1, 1}, Local: [3]int{37, 1, 1}},
	{Global: [3]int{64, 1, 1}, Local: [3]int{32, 1, 1}},
	{Global: [3]int{7, 3, 1}, Local: [3]int{7, 3, 1}, Offset: [3]int{5, 0, 0}},
	{Global: [3]int{23, 1, 1}, Local: [3]int{16, 1, 1}},
	{Global: [3]int{5, 4, 3}, Local: [3]int{3, 2, 2}, Offset: [3]int{0, 9, 1}},
	{Global: [3]int{130, 1, 1}, Local: [3]int{65, 1, 1}},
	{Global: [3]int{16, 7, 1}, Local: [3]int{16, 2, 1}},
	{Global: [3]int{96, 1, 1}, Local: [3]int{48, 1, 1}, Offset: [3]int{16, 0, 0}},
	{Global: [3]int{8, 16, 1}, Local: [3]int{8, 8, 1}},
	{Global: [3]int{1, 31, 2}, Local: [3]int{1, 16, 2}},
	{Global: [3]int{34, 3, 1}, Local: [3]int{17, 1, 1}},
	{Global: [3]int{200, 1, 1}, Local: [3]int{100, 1, 1}},
}

// NewLaunch is a random NDRange of at most MaxItems work-items.
func NewLaunch(seed int64) (n Launch) {
	r := rand.New(rand.NewSource(seed))
	most := MaxItems
	for _, d := range r.Perm(3) {
		local := 1 + r.Intn(pick(r, []int{1, 1, min(most, 8), min(most, 40), most}))
		if whole := pick(r, []int{4, 8, 16, 32}); r.Intn(2) == 0 && whole <= most {
			local = whole
		}
		n.Global[d] = local
		if r.Intn(2) == 0 {
			n.Global[d] = 1 + r.Intn(min(most, 4*local))
		}
		n.Local[d] = min(local, n.Global[d])
		most /= n.Global[d]
		n.Offset[d] = r.Intn(2) * r.Intn(20)
	}
	return n
}

// Run computes what the kernel does.
func (k *Kernel) Run(n Launch, a *Arguments) {
	var groups [3]int
	for d := range 3 {
		groups[d] = (n.Global[d] + n.Local[d] - 1) / n.Local[d]
	}
	for z := range groups[2] {
		for y := range groups[1] {
			for x := range groups[0] {
				k.runGroup(n, a, [3]int{x, y, z})
			}
		}
	}
}

func (k *Kernel) runGroup(n Launch, a *Arguments, id [3]int) {
	g := &group{args: a, launch: n, id: id}
	for d := range 3 {
		g.size[d] = min(n.Local[d], n.Global[d]-id[d]*n.Local[d])
	}
	items := g.size[0] * g.size[1] * g.size[2]
	g.own, g.ex = make([]uint32, items), make([]uint32, items)
	var members []*item
	next := map[*item]func() (struct{}, bool){}
	for lid := range items {
		it := &item{group: g, lid: lid, ready: true}
		it.local = [3]int{lid % g.size[0], lid / g.size[0] % g.size[1], lid / g.size[0] / g.size[1]}
		var at [3]int
		for d := range 3 {
			at[d] = id[d]*n.Local[d] + it.local[d]
		}
		it.linear = (at[2]*n.Global[1]+at[1])*n.Global[0] + at[0]
		for _, v := range k.vars {
			it.vars = append(it.vars, make([]value, max(1, v.array)))
		}
		resume, stop := iter.Pull(func(yield func(struct{}) bool) {
			it.yield = yield
			k.body.run(it)
		})
		defer stop()
		members, next[it] = append(members, it), resume
	}
	waits := map[*item]bool{}
	for again := true; again; {
		for _, it := range members {
			if it.ready {
				it.ready = false
				_, waits[it] = next[it]()
			}
		}
		if again = meet(members); again {
			continue
		}
		for _, it := range members { // all are at a barrier or at their end
			it.ready = waits[it]
			again = again || it.ready
		}
	}
}
