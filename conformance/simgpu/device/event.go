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

// event is one that threads wait for. As the kernel's, an auto-reset event that is raised wakes all who wait for it at the time, and
// stays set only if nobody does: ROCr shares one among all its signals.
type event struct {
	kind         int
	manual, set  bool
	waiters      int
	raised       uint64 // how often
	faultAddress uint64
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
			e.all[id] = &event{kind: kind, manual: manual, set: set}
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
	if v.manual || v.waiters == 0 {
		v.set = true
	}
	close(e.changed)
	e.changed = make(chan struct{})
}

// ResetEvent clears an event.
func (g *GPU) ResetEvent(id uint32) Status {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all[id] == nil {
		return InvalidHandle
	}
	e.all[id].set = false
	return Success
}

// EventSet is whether an event is set.
func (g *GPU) EventSet(id uint32) bool {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.all[id] != nil && e.all[id].set
}

// raiseFault tells of an access of the GPU to memory that is not mapped.
func (g *GPU) raiseFault(address uint64) {
	e := &g.events
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := uint32(1); id < maxEvents; id++ {
		if v := e.all[id]; v != nil && v.kind == MemoryEvent {
			v.faultAddress = address
			if g.OnFault != nil {
				g.OnFault(id, address)
			}
			e.raise(v)
		}
	}
}

// Wait waits for one or for all of some events, for at most a time; negative: without end.
func (g *GPU) Wait(ids []uint32, all bool, limit time.Duration) Status {
	e := &g.events
	var timeout <-chan time.Time
	if limit >= 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		timeout = t.C
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	waited := make([]*event, 0, len(ids))
	before := make([]uint64, len(ids))
	fired := make([]bool, len(ids))
	for i, id := range ids {
		v := e.all[id]
		if v == nil {
			return InvalidHandle
		}
		before[i] = v.raised
		waited = append(waited, v)
	}
	for _, v := range waited {
		v.waiters++
	}
	defer func() {
		for _, v := range waited {
			v.waiters--
		}
	}()
	for {
		count := 0
		for i, v := range waited {
			if v.set || v.raised != before[i] {
				fired[i] = true
				v.set = v.set && v.manual
			}
			if fired[i] {
				count++
			}
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
