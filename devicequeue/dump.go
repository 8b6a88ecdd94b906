package devicequeue

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// inUse are the slots that are taken, for tests and hangs: exact while nothing runs.
func (q *Queue) inUse() (slots []*Slot) {
	p := &q.head.slots
	free := make(map[uint32]bool)
	for at := uint32(atomic.LoadUint64(&p.top)); at != 0 && at <= p.count && !free[at]; {
		free[at] = true
		at = atomic.LoadUint32((*uint32)(pointer(p.base + uint64(at-1)*SlotSize)))
	}
	for i := range atomic.LoadUint32(&p.fresh) {
		if !free[i+1] {
			slots = append(slots, slotAt(p.base+uint64(i)*SlotSize))
		}
	}
	return slots
}

// InUse is how many slots are taken.
func (q *Queue) InUse() int { return len(q.inUse()) }

// Dump says in words what is in the queue: for hangs.
func (q *Queue) Dump() string {
	slots := q.inUse()
	unset := 0
	for _, s := range slots {
		if atomic.LoadInt32(&s.open) > 0 && q.waitsForUser(s) {
			unset++
		}
	}
	text := fmt.Sprintf("%d commands in it, of which %d may run", len(slots), q.Ready())
	if unset > 0 {
		text += fmt.Sprintf(" and %d wait for user events that no kernel has given a status", unset)
	}
	return text
}

// waitsForUser reports whether a slot waits for a user event without a status. A kernel may be writing it.
func (q *Queue) waitsForUser(s *Slot) bool {
	from, to := q.Address(), q.Address()+q.size
	events := (*pool)(pointer(q.head.events))
	for i := range uint64(s.events) {
		at := s.waits + i*uint64(unsafe.Sizeof(wait{}))
		if at < from || at+uint64(unsafe.Sizeof(wait{})) > to || at%8 != 0 {
			return false
		}
		e := (*wait)(pointer(at)).event
		if offset := e - events.base; offset >= uint64(events.count)*eventSize || offset%eventSize != 0 {
			return false
		}
		if atomic.LoadInt32(&eventAt(e).count) == userEvent {
			return true
		}
	}
	return false
}
