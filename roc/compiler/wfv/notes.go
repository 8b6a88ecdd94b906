package wfv

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// accessKind is how a load or a store of the kernel was emitted.
type accessKind int

const (
	uniformAccess     accessKind = iota // once for all lanes
	contiguousAccess                    // one vector
	interleavedAccess                   // dense short vectors: one long vector, shuffled
	stridedAccess                       // whole registers, rearranged
	checkedAccess                       // contiguous if a test at run time says so
	gatheredAccess                      // each lane by its own address
	privateAccess                       // of a private array
	serialAccess                        // lane after lane
	accessKinds
)

var accessNames = [accessKinds]string{"uniform", "contiguous", "interleaved", "strided", "checked", "gathered", "private", "serial"}

// Notes are counts of what the emission did, for the report and the cost model.
type Notes struct {
	Scalar, Wide                       int // instructions
	UniformBranches, DivergentBranches int
	Guards                             int // skips of regions that no lane runs
	Barriers, Kept                     int // Kept: values kept across barriers
	Idle                               int // regions in which the first vectors of a row have something to do only
	Atomics                            int
	SubGroups                          int // calls of their functions
	PrivateSoA, PrivateAoS             int
	Loads, Stores                      [accessKinds]places
	Streams                            places             // stores that go past the caches in large launches
	Calls                              map[string]*places // made lane by lane

	line int // of the instruction that is being emitted, 0 if it is not known
}

// places counts instructions, and says on which lines they are.
type places struct {
	Count int
	Lines []int // sorted; none if they are not known
}

func (p *places) add(line int) {
	p.Count++
	if at, found := slices.BinarySearch(p.Lines, line); line != 0 && !found {
		p.Lines = slices.Insert(p.Lines, at, line)
	}
}

// where is the text behind a count: " (line 3)".
func (p *places) where() string {
	switch len(p.Lines) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" (line %d)", p.Lines[0])
	}
	return fmt.Sprintf(" (lines %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Lines), " ", ", "), "[]"))
}

func (n *Notes) load(k accessKind)  { n.Loads[k].add(n.line) }
func (n *Notes) store(k accessKind) { n.Stores[k].add(n.line) }
func (n *Notes) call(name string) {
	if n.Calls == nil {
		n.Calls = map[string]*places{}
	}
	if n.Calls[name] == nil {
		n.Calls[name] = &places{}
	}
	n.Calls[name].add(n.line)
}

// Report is what became of one kernel.
type Report struct {
	Kernel string
	Width  int    // lanes; 1: scalar form
	Narrow int    // lanes where rows of a work-group are as short; 0: as elsewhere
	Column int    // lanes along a work-group of one column; 0: none
	Rows   int    // work-items of dimension 1 in one call
	Reason string // why it is in scalar form, or why these numbers
	Notes  Notes
	Shapes [3]int // uniform, affine, varying values
	Loops  [2]int // uniform, divergent
	Guards int    // branches that the fast form assumes
}

// String is the report for AQUEDUCT_EXPLAIN.
func (r *Report) String() string {
	var s strings.Builder
	if r.Width <= 1 {
		fmt.Fprintf(&s, "kernel %s: scalar form: %s\n", r.Kernel, r.Reason)
		return s.String()
	}
	n := &r.Notes
	fmt.Fprintf(&s, "kernel %s: vectorised, %d lanes, %d rows: %s\n", r.Kernel, r.Width, max(r.Rows, 1), r.Reason)
	if r.Column > 0 {
		fmt.Fprintf(&s, "  %d lanes along columns in work-groups of one column\n", r.Column)
	}
	if r.Narrow > 0 {
		fmt.Fprintf(&s, "  %d lanes in work-groups whose rows are no longer than that\n", r.Narrow)
	}
	fmt.Fprintf(&s, "  values: %d uniform, %d affine, %d varying\n", r.Shapes[0], r.Shapes[1], r.Shapes[2])
	fmt.Fprintf(&s, "  loops: %d uniform, %d divergent; branches: %d uniform, %d divergent, %d skips\n", r.Loops[0], r.Loops[1], n.UniformBranches, n.DivergentBranches, n.Guards)
	if r.Guards > 0 {
		fmt.Fprintf(&s, "  guards tested before the call: %d\n", r.Guards)
	}
	accesses := func(what string, all [accessKinds]places) {
		var parts []string
		for k, p := range all {
			if p.Count > 0 {
				parts = append(parts, fmt.Sprintf("%d %s%s", p.Count, accessNames[k], p.where()))
			}
		}
		if parts != nil {
			fmt.Fprintf(&s, "  %s: %s\n", what, strings.Join(parts, ", "))
		}
	}
	accesses("loads", n.Loads)
	accesses("stores", n.Stores)
	if n.Streams.Count > 0 {
		fmt.Fprintf(&s, "  past the caches where they are %d MiB of a launch: %d stores%s\n", streamFrom>>20, n.Streams.Count, n.Streams.where())
	}
	if n.Barriers > 0 {
		fmt.Fprintf(&s, "  barriers: %d, values kept across them: %d\n", n.Barriers, n.Kept)
	}
	if n.Idle > 0 {
		fmt.Fprintf(&s, "  branches that only the first vectors of a row come to: %d\n", n.Idle)
	}
	if n.Atomics > 0 {
		fmt.Fprintf(&s, "  atomics: %d\n", n.Atomics)
	}
	if n.SubGroups > 0 {
		fmt.Fprintf(&s, "  functions of sub-groups: %d\n", n.SubGroups)
	}
	if n.PrivateSoA+n.PrivateAoS > 0 {
		fmt.Fprintf(&s, "  private arrays: %d by element, %d by work-item\n", n.PrivateSoA, n.PrivateAoS)
	}
	for _, name := range slices.Sorted(maps.Keys(n.Calls)) {
		fmt.Fprintf(&s, "  lane by lane: %d × %s%s\n", n.Calls[name].Count, name, n.Calls[name].where())
	}
	return s.String()
}
