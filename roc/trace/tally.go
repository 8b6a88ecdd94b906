package trace

import (
	"cmp"
	"math"
	"slices"
)

// tally sums events up.
type tally struct {
	origin    int64
	spans     map[uint64]span
	kernels   map[string]*kernelTally
	transfers map[string]*transferTally
	cuts      map[string]*cutTally
	queues    map[uint32]*queueTally
	commands  uint64
	failed    uint64
	held      uint64 // nanoseconds from enqueued to submitted, of commands that were not ready at once
	callbacks uint64
	called    uint64 // nanoseconds in callbacks
	blocked   uint64 // nanoseconds that threads of the application waited
	waits     uint64
	builds    buildTally
}

// spread is a sum of numbers from which come mean and standard deviation.
type spread struct {
	n          uint64
	sum        float64
	squares    float64
	least, top float64
}

func (s *spread) add(x float64) {
	if s.n == 0 || x < s.least {
		s.least = x
	}
	s.top = max(s.top, x)
	s.n++
	s.sum += x
	s.squares += x * x
}

func (s *spread) mean() float64 { return s.sum / float64(max(s.n, 1)) }

func (s *spread) deviation() float64 {
	m := s.mean()
	return math.Sqrt(max(s.squares/float64(max(s.n, 1))-m*m, 0))
}

// kernelTally is what is known of the launches of one kernel.
type kernelTally struct {
	name          string
	time          spread // nanoseconds from the first work-group's start to the last one's end
	groups, items uint64 // of all launches
	global, local [3]uint64
	chosen        uint64 // launches whose local size the driver chose
	small         uint64 // launches with work-groups of fewer work-items than a vector has lanes
}

// transferTally is what is known of the commands of one type that are no kernels.
type transferTally struct {
	kind  string
	time  spread
	bytes uint64
}

// cutTally is what is known of the batches that ended for one reason.
type cutTally struct {
	why      string
	batches  uint64
	commands uint64
	single   uint64 // batches of one command
}

type queueTally struct{ commands, launches uint64 }

type buildTally struct {
	n, cached, failed uint64
	time              uint64 // nanoseconds of those not cached
}

func newTally(origin int64) *tally {
	return &tally{origin: origin, spans: map[uint64]span{}, kernels: map[string]*kernelTally{}, transfers: map[string]*transferTally{},
		cuts: map[string]*cutTally{}, queues: map[uint32]*queueTally{}}
}

// entry returns what m has for key, a new one if it has none.
func entry[K comparable, T any](m map[K]*T, key K, fresh func() *T) *T {
	t := m[key]
	if t == nil {
		t = fresh()
		m[key] = t
	}
	return t
}

func (t *tally) kernel(name string) *kernelTally {
	return entry(t.kernels, name, func() *kernelTally { return &kernelTally{name: name} })
}

func (t *tally) add(e *Event) {
	switch e.Kind {
	case Command:
		t.command(e)
	case Chunk:
		t.chunk(e)
	case Batch:
		c := entry(t.cuts, e.Cut, func() *cutTally { return &cutTally{why: e.Cut} })
		c.batches++
		c.commands += uint64(e.Count)
		if e.Count == 1 {
			c.single++
		}
	case Build:
		t.builds.n++
		if e.Status < 0 {
			t.builds.failed++
		}
		if e.Cached {
			t.builds.cached++
		} else {
			t.builds.time += e.End - e.Start
		}
	case Callback:
		t.callbacks++
		t.called += e.End - e.Start
	case Blocked:
		t.waits++
		t.blocked += e.End - e.Start
	}
}

// chunk counts work-groups in, of a command that will be told of or of a kernel inside one.
func (t *tally) chunk(e *Event) {
	if id := e.ID &^ Inner; id != 0 {
		join(t.spans, &Event{ID: id, Start: e.Start, End: e.End})
	}
	if e.ID&Inner == 0 || e.Type != "" {
		return
	}
	k := t.kernel(e.Name)
	if e.Count == 1 {
		k.time.add(float64(e.End - e.Start))
	} else {
		k.time.sum += float64(e.End - e.Start)
	}
	k.groups += e.Groups
	k.items += e.Groups * e.Items
}

// lanes is how many work-items the narrowest vector unit we know takes at a time.
const lanes = 8

func (t *tally) command(e *Event) {
	t.commands++
	q := entry(t.queues, e.Track, func() *queueTally { return new(queueTally) })
	q.commands++
	if e.Status < 0 {
		t.failed++
	}
	if e.Count > 0 && e.Submitted > e.Queued {
		t.held += e.Submitted - e.Queued
	}
	start, end := e.Start, e.End
	x, ran := t.spans[e.ID]
	if ran {
		delete(t.spans, e.ID)
		start, end = x.start, x.end
	} else if start == end {
		start, end = min(max(e.Submitted, e.Queued), e.Completed), e.Completed
	}
	if e.Status < 0 {
		return
	}
	if e.Name == "" {
		x := entry(t.transfers, e.Type, func() *transferTally { return &transferTally{kind: e.Type} })
		x.bytes += e.Bytes
		if ran || e.Bytes != 0 {
			x.time.add(float64(end - start))
		} else {
			x.time.add(0)
		}
		return
	}
	q.launches++
	k := t.kernel(e.Name)
	k.time.add(float64(end - start))
	items, groups, size := uint64(1), uint64(1), uint64(1)
	for d := range 3 {
		items *= e.Global[d]
		size *= e.Local[d]
		groups *= (e.Global[d] + max(e.Local[d], 1) - 1) / max(e.Local[d], 1)
	}
	k.items += items
	k.groups += groups
	k.global, k.local = e.Global, e.Local
	if e.Chosen {
		k.chosen++
	}
	if size < lanes && items >= lanes*lanes {
		k.small++
	}
}

// byTime are the kernels, those that took longest first.
func (t *tally) byTime() []*kernelTally {
	list := make([]*kernelTally, 0, len(t.kernels))
	for _, k := range t.kernels {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b *kernelTally) int {
		return cmp.Or(cmp.Compare(b.time.sum, a.time.sum), cmp.Compare(a.name, b.name))
	})
	return list
}

// byBytes are the transfers, those that moved most first.
func (t *tally) byBytes() []*transferTally {
	list := make([]*transferTally, 0, len(t.transfers))
	for _, x := range t.transfers {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b *transferTally) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.kind, b.kind))
	})
	return list
}

// byCount are the reasons batches ended for, the most frequent first.
func (t *tally) byCount() []*cutTally {
	list := make([]*cutTally, 0, len(t.cuts))
	for _, c := range t.cuts {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *cutTally) int { return cmp.Or(cmp.Compare(b.batches, a.batches), cmp.Compare(a.why, b.why)) })
	return list
}
