package device

import (
	"sync"
	"time"
)

// Kinds of events, as HSA_EVENTTYPE numbers them.
const (
	SignalEvent = 0
	MemoryEvent = 8
)

// maxEvents is how many there may be: each has a word of the mailbox page.
const maxEvents = 4096

// event is one that threads wait for. It fires for a thread if it was raised since that thread last came back from waiting for it: ROCr
// shares one among all its queues, and two threads that wait for it must both see what one of them sees. That is what the kernel driver's
// event ages are for.
type event struct {
	kind        int
	manual, set bool
	raised      uint64         // how often
	seen        map[int]uint64 // that, by thread, when it last came back
}

type events struct {
	mu      sync.Mutex // guards all below
	all     map[uint32]*event
	changed chan struct{} // closed, and replaced, when an event is raised
}

// CreateEvent makes an event and gives its number, which is not zero.
func (g *GPU) CreateEvent(kind int, manual, set bool) (uint32, Status) {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := uint32(1); id < maxEvents; id++ {
		if e.all[id] == nil {
			e.all[id] = &event{kind: kind, manual: manual, set: set, seen: map[int]uint64{}}
			return id, Success
		}
	}
	return 0, NoMemory
}

// DestroyEvent ends an event. Who waits for it goes on waiting for the others.
func (g *GPU) DestroyEvent(id uint32) Status {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all[id] == nil {
		return InvalidHandle
	}
	delete(e.all, id)
	return Success
}

// Mailbox is the address of the word of event id that a signal names, written when the GPU raises it.
func (g *GPU) Mailbox(id uint32) uint64 { return g.mailboxes + 8*uint64(id) }

// Raise sets an event.
func (g *GPU) Raise(id uint32) Status {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.all[id]
	if v == nil {
		return InvalidHandle
	}
	e.raise(v)
	return Success
}

func (e *events) raise(v *event) {
	v.raised++
	v.set = v.manual
	close(e.changed)
	e.changed = make(chan struct{})
}

// raiseFault tells of an access of the GPU to memory that is not mapped.
func (g *GPU) raiseFault(address uint64) {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := uint32(1); id < maxEvents; id++ {
		if v := e.all[id]; v != nil && v.kind == MemoryEvent {
			if g.OnFault != nil {
				g.OnFault(id, address)
			}
			e.raise(v)
		}
	}
}

// Wait lets a thread wait for one or for all of some events, for at most a time; negative: without end.
func (g *GPU) Wait(thread int, ids []uint32, all bool, limit time.Duration) Status {
	e := &g.events
	var timeout <-chan time.Time
	if limit >= 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		timeout = t.C
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	waited := make([]*event, len(ids))
	for i, id := range ids {
		if waited[i] = e.all[id]; waited[i] == nil {
			return InvalidHandle
		}
	}
	fired := make([]bool, len(ids))
	for {
		count := 0
		for i, v := range waited {
			if v.set || v.raised != v.seen[thread] {
				fired[i] = true
				v.set = v.set && v.manual
				v.seen[thread] = v.raised
			}
			count += int(bit(fired[i]))
		}
		if all && count == len(ids) || !all && count > 0 {
			return Success
		}
		changed := e.changed
		e.mu.Unlock()
		expired := false
		select {
		case <-changed:
		case <-timeout:
			expired = true
		}
		e.mu.Lock()
		if expired {
			return WaitTimeout
		}
	}
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
