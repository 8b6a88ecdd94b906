package trace

import (
	"cmp"
	"strconv"
)

// group is a part of the picture: what chrome://tracing takes for a process.
type group uint8

const (
	groupQueues group = iota + 1
	groupRings
	groupThreads
	groupHost
	groupCompiler
	groupCounters
	groupCount
)

var groupNames = [groupCount]string{"", "command queues", "hardware rings", "embedded agent", "application", "compiler", "counters"}

// slice is a bar of the picture.
type slice struct {
	group      group
	track      uint32 // of the group
	lane       int    // of the track, from 0
	name       string
	start, end int64
}

// layout puts events in their places: no two slices of a lane overlap.
type layout struct {
	origin  int64 // nanotime that is zero in the file
	file    *file // nil for none
	picture *picture

	tracks map[trackKey]*track
	spans  map[uint64]span   // of commands whose chunks have run, until they end
	flows  map[uint64][]flow // by command: arrows that leave or reach it
	ends   map[uint64]int64  // of arrows of which one end is written: when that is
	arrows uint64
}

type trackKey struct {
	group group
	track uint32
}

// track is the lanes of a track: when the last slice of each ended.
type track struct{ ends []int64 }

// span is from when the first chunk of a command started until the last one ended.
type span struct{ start, end uint64 }

// join counts a chunk in.
func join(spans map[uint64]span, e *Event) {
	x, ok := spans[e.ID]
	switch {
	case ok:
		spans[e.ID] = span{min(x.start, e.Start), max(x.end, e.End)}
	case len(spans) < maxOpen:
		spans[e.ID] = span{e.Start, e.End}
	}
}

// flow is one end of an arrow.
type flow struct {
	id  uint64
	out bool
}

const (
	maxLanes = 8       // of a track; with more there is nothing to be seen
	maxOpen  = 1 << 16 // commands that have begun and not ended of which something is kept
)

func newLayout(origin int64, f *file) *layout {
	l := &layout{origin: origin, file: f, tracks: map[trackKey]*track{}, spans: map[uint64]span{}, flows: map[uint64][]flow{}, ends: map[uint64]int64{}}
	if f != nil {
		for g := groupQueues; g < groupCount; g++ {
			f.name("process_name", g, 0, groupNames[g])
			f.sort(g)
		}
	}
	return l
}

// place finds the lane of a slice. When all are taken at its start, it begins later.
func (l *layout) place(s *slice) {
	key := trackKey{s.group, s.track}
	t := l.tracks[key]
	if t == nil {
		t = new(track)
		l.tracks[key] = t
	}
	s.end = max(s.end, s.start)
	best := 0
	for i, end := range t.ends {
		if end <= s.start {
			t.ends[i] = s.end
			s.lane = i
			return
		}
		if end < t.ends[best] {
			best = i
		}
	}
	if len(t.ends) < maxLanes {
		s.lane = len(t.ends)
		t.ends = append(t.ends, s.end)
		if l.file != nil {
			l.file.name("thread_name", s.group, tid(s.track, s.lane), s.label())
		}
		return
	}
	s.lane = best
	s.start = t.ends[best]
	s.end = max(s.end, s.start)
	t.ends[best] = s.end
}

// label is what the lane of s is called.
func (s *slice) label() (text string) {
	n := strconv.Itoa(int(s.track))
	switch s.group {
	case groupQueues:
		text = "queue " + n
	case groupRings:
		text = "ring " + n
	case groupThreads:
		text = threadName(s.track)
	case groupHost:
		text = hostNames[s.track]
	default:
		text = "builds"
	}
	if s.lane > 0 {
		text += " +" + strconv.Itoa(s.lane)
	}
	return text
}

// Tracks of the application.
const (
	hostCallbacks = iota
	hostWaits
	hostRecording
)

var hostNames = [...]string{"callbacks", "waits", "recording"}

// tid is the number of a lane in the file.
func tid(track uint32, lane int) uint64 { return uint64(track)*maxLanes + uint64(lane) + 1 }

func (l *layout) add(e *Event) {
	switch e.Kind {
	case Command:
		l.command(e)
	case Wait:
		if len(l.flows) > maxOpen {
			clear(l.flows)
			clear(l.ends)
		}
		l.arrows++
		l.flows[e.Other] = append(l.flows[e.Other], flow{l.arrows, true})
		l.flows[e.ID] = append(l.flows[e.ID], flow{l.arrows, false})
	case Chunk:
		l.chunk(e)
	case Batch:
		s := slice{group: groupRings, track: e.Track, name: "batch", start: int64(e.Start), end: int64(e.End)}
		l.show(&s, e)
	case Build:
		s := slice{group: groupCompiler, name: e.Name, start: int64(e.Start), end: int64(e.End)}
		l.show(&s, e)
	case Callback:
		s := slice{group: groupHost, name: "callback", start: int64(e.Start), end: int64(e.End)}
		l.show(&s, e)
	case Blocked:
		s := slice{group: groupHost, track: hostWaits, name: e.Name, start: int64(e.Start), end: int64(e.End)}
		l.show(&s, e)
	}
}

// show places s and writes it.
func (l *layout) show(s *slice, e *Event) {
	l.place(s)
	if l.picture != nil {
		l.picture.add(s)
	}
	if l.file != nil {
		l.file.slice(l.origin, s, e)
	}
}

func (l *layout) chunk(e *Event) {
	e.ID &^= Inner
	if e.ID != 0 {
		join(l.spans, e)
	}
	s := slice{group: groupThreads, track: e.Track, name: e.Name, start: int64(e.Start), end: int64(e.End)}
	l.show(&s, e)
}

// Helper added to the number of a thread says that it belongs to the application, which waits.
const Helper = 1 << 20

func threadName(n uint32) string {
	if n >= Helper {
		return "helper " + strconv.Itoa(int(n-Helper))
	}
	return "worker " + strconv.Itoa(int(n))
}

// title is what a command is called.
func (e *Event) title() string {
	return cmp.Or(e.Name, e.Type, "command")
}

func (l *layout) command(e *Event) {
	ran := e.Start != 0 && e.Start != e.End
	if x, ok := l.spans[e.ID]; ok {
		delete(l.spans, e.ID)
		e.Start, e.End, ran = x.start, x.end, true
	}
	switch {
	case ran:
	case e.Name == "" && e.Bytes == 0, e.Status < 0: // it did nothing
		e.Start, e.End = e.Completed, e.Completed
	default: // it was not seen to run: it had the device from when it was handed over
		e.Start, e.End = max(e.Submitted, e.Queued), e.Completed
	}
	s := slice{group: groupQueues, track: e.Track, name: e.title(), start: int64(e.Start), end: int64(e.End)}
	l.show(&s, e)
	if l.file == nil {
		return
	}
	l.file.life(l.origin, e)
	for _, f := range l.flows[e.ID] {
		l.arrow(&s, f)
	}
	delete(l.flows, e.ID)
}

// arrow writes one end of an arrow, at the end of s or its start. It leads back in no case: that a command which does nothing is
// through is seen later by the host than by the device.
func (l *layout) arrow(s *slice, f flow) {
	at, other := s.start, int64(0)
	if f.out {
		at = s.end
	}
	if known, ok := l.ends[f.id]; ok {
		delete(l.ends, f.id)
		other = known
	} else if len(l.ends) < maxOpen {
		l.ends[f.id] = at
	}
	switch {
	case other == 0:
	case f.out && at > other:
		return
	case !f.out:
		if at = max(at, other); at > s.end {
			return
		}
	}
	l.file.flow(l.origin, s, f, at)
}

// count shows the value of a gauge.
func (l *layout) count(now int64, g *gauge, v int64) {
	if l.file != nil {
		l.file.count(l.origin, now, g.name, v)
	}
	if l.picture != nil {
		l.picture.count(now, g.name, v)
	}
}

// gap shows that nothing was recorded for a while.
func (l *layout) gap(from, to int64) {
	s := slice{group: groupHost, track: hostRecording, name: "not recorded: too many commands", start: from, end: to}
	l.show(&s, &Event{})
}
