package devicequeue

import (
	"sync/atomic"
	"unsafe"
)

// Statuses of events.
const (
	errWaitList = -14 // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
	errFailed   = -5  // CL_OUT_OF_RESOURCES: of a family that failed
)

// Parent is a kernel that runs, as those it enqueues need it.
type Parent struct {
	Family  *Family
	node    uint64
	waiting atomic.Uint64 // list of slots that wait for all of its work-groups
}

// Root is the Parent of a family's first kernel.
func (p *Parent) Root(f *Family) { p.Family, p.node = f, f.node() }

// Of is the Parent of a slot's kernel.
func (p *Parent) Of(s *Slot) { p.Family, p.node = s.Family(), s.node }

// Scheduler is what one thread needs to see to enqueued commands. What its methods have made ready it keeps until Deliver.
type Scheduler struct {
	events   *Events
	now      func() uint64
	families []*Family // spare ones

	published int // by kernels themselves

	ready []*Slot // may run
	ended []*Slot // will not run, or need not
	ran   []*Slot
	over  []*Family // whose last member has ended
}

// NewScheduler returns a Scheduler for a device with such events; now is its clock, in nanoseconds.
func NewScheduler(e *Events, now func() uint64) *Scheduler { return &Scheduler{events: e, now: now} }

// Lend makes e ready for a call of a kernel whose default queue has such an address.
func (s *Scheduler) Lend(e *Enqueues, queue uint64, p *Parent) {
	*e = Enqueues{Default: queue, events: s.events.Address(), family: uint64(uintptr(unsafe.Pointer(p.Family))), node: p.node}
}

// Collect takes over what a call of a kernel left in e, of which some may have been in the midst of being written when the
// kernel trapped.
func (s *Scheduler) Collect(e *Enqueues, p *Parent) {
	if e.claimed != 0 {
		free([]*Slot{slotAt(e.claimed)})
	}
	if e.credit > 0 {
		p.forget(e.credit)
	}
	s.published += int(e.published)
	for at := e.first; at != 0; {
		slot := slotAt(at)
		at = slot.next
		s.adopt(slot, p)
	}
	for at := e.signals; at != 0; {
		ev := eventAt(at)
		at = ev.up
		s.complete(ev, ev.count)
	}
	s.settle()
}

// forget takes back members that were counted and did not come. The parent itself is still counted.
func (p *Parent) forget(n uint32) {
	if p.node&familyBit != 0 {
		p.Family.open.Add(-int64(n))
	} else {
		atomic.AddInt32(&eventAt(p.node).count, -int32(n))
	}
}

// adopt finds what a slot has to wait for that a kernel enqueued, beside its events its parent.
func (s *Scheduler) adopt(slot *Slot, p *Parent) {
	slot.open = 1
	wait := slot.flags == flagWaitKernel
	if wait {
		slot.open++
	}
	if slot.events > 0 {
		s.register(slot)
	}
	if wait {
		for {
			slot.next = p.waiting.Load()
			if p.waiting.CompareAndSwap(slot.next, slot.address()) {
				break
			}
		}
	}
	s.resolve(slot)
}

// register has a slot wait for its events, but for those that are complete.
func (s *Scheduler) register(slot *Slot) {
	atomic.AddInt32(&slot.open, int32(slot.events))
	for i := range uint64(slot.events) {
		at := slot.waits + i*uint64(unsafe.Sizeof(wait{}))
		w := (*wait)(pointer(at))
		ev := eventAt(w.event)
		w.slot = slot.address()
		for {
			w.next = atomic.LoadUint64(&ev.waiters)
			if w.next == sealed {
				if atomic.LoadInt32(&ev.status) < 0 {
					atomic.StoreInt32(&slot.status, errWaitList)
				}
				s.events.release(ev, 1)
				atomic.AddInt32(&slot.open, -1)
				break
			}
			if atomic.CompareAndSwapUint64(&ev.waiters, w.next, at) {
				break
			}
		}
	}
}

// resolve takes away one thing that a slot waits for.
func (s *Scheduler) resolve(slot *Slot) {
	if atomic.AddInt32(&slot.open, -1) > 0 {
		return
	}
	failed := slot.Family().failure.Load() != nil
	if failed {
		slot.status = errFailed
	}
	if slot.Packet.KernelObject == 0 || atomic.LoadInt32(&slot.status) < 0 {
		s.ended = append(s.ended, slot)
	} else {
		s.ready = append(s.ready, slot)
	}
}

// Timed says that there is an event that has to know how long the slot's kernel takes.
func (s *Slot) Timed() bool { return s.event != 0 }

// Family is the family of a slot.
func (s *Slot) Family() *Family { return (*Family)(pointer(s.family)) }

// Begin says whether a slot that Queue.Take returned is to run: not if its family has failed meanwhile. In this case that is
// as good as its end.
func (s *Scheduler) Begin(slot *Slot) bool {
	if slot.Family().failure.Load() == nil {
		if slot.event != 0 {
			eventAt(slot.event).start = s.now()
		}
		return true
	}
	slot.status = errFailed
	s.ran = append(s.ran, slot)
	return false
}

// End is called when all work-groups of a slot's kernel have ended. The slot is gone afterwards.
func (s *Scheduler) End(slot *Slot, p *Parent) {
	if slot.event != 0 {
		eventAt(slot.event).end = s.now()
	}
	if p.Family.failure.Load() != nil {
		slot.status = errFailed
	}
	s.released(p)
	s.ran = append(s.ran, slot)
}

// EndRoot is End for a family's first kernel. Deliver must follow.
func (s *Scheduler) EndRoot(p *Parent) {
	s.released(p)
	s.leave(p.node, 1, 0)
}

// released lets go those that waited for a kernel to end.
func (s *Scheduler) released(p *Parent) {
	if p.waiting.Load() == 0 {
		return
	}
	first := len(s.ready)
	for at := p.waiting.Swap(0); at != 0; {
		slot := slotAt(at)
		at = slot.next
		s.resolve(slot)
	}
	for i, j := first, len(s.ready)-1; i < j; i, j = i+1, j-1 { // in the order they were enqueued
		s.ready[i], s.ready[j] = s.ready[j], s.ready[i]
	}
}

// settle does what follows from slots that have ended, one after the other, however much that is.
func (s *Scheduler) settle() {
	for len(s.ended) > 0 {
		last := len(s.ended) - 1
		slot := s.ended[last]
		first := last // those from here on are alike
		for first > 0 && s.ended[first-1].alike(slot) {
			first--
		}
		node, status := slot.node, slot.status
		free(s.ended[first:])
		s.ended = s.ended[:first]
		s.leave(node, int32(last-first+1), status)
	}
}

// alike says that slots may leave together.
func (s *Slot) alike(t *Slot) bool {
	return s.node == t.node && s.queue == t.queue && s.status == t.status
}

// leave takes n members away from a node, and that from the node above if it ends with them, and so on.
func (s *Scheduler) leave(node uint64, n, status int32) {
	for node&familyBit == 0 {
		ev := eventAt(node)
		if status != 0 {
			atomic.CompareAndSwapInt32(&ev.result, 0, status)
		}
		if atomic.AddInt32(&ev.count, -n) > 0 {
			return
		}
		node, n, status = ev.up, 1, 0
		s.complete(ev, atomic.LoadInt32(&ev.result))
	}
	f := (*Family)(pointer(node &^ familyBit))
	if f.open.Add(-int64(n)) == 0 {
		s.over = append(s.over, f)
	}
}

// complete ends an event, for which the caller holds a reference, and gives that up.
func (s *Scheduler) complete(ev *Event, status int32) {
	if ev.start != 0 {
		ev.end -= ev.start
		ev.start = s.now() - ev.start
	}
	if value := atomic.SwapUint64(&ev.capture, sealed); value != 0 {
		*(*[2]uint64)(pointer(value)) = [2]uint64{ev.end, ev.start}
	}
	atomic.StoreInt32(&ev.status, status)
	refs := int32(1)
	for at := atomic.SwapUint64(&ev.waiters, sealed); at != 0; refs++ {
		w := (*wait)(pointer(at))
		at = w.next
		slot := slotAt(w.slot)
		if status < 0 {
			atomic.StoreInt32(&slot.status, errWaitList)
		}
		s.resolve(slot)
	}
	s.events.release(ev, refs)
}

// Deliver sees to the slots that have ended and has what has become ready run. It returns how many these are.
func (s *Scheduler) Deliver() (n int) {
	s.ended, s.ran = append(s.ended, s.ran...), s.ran[:0]
	s.settle()
	return s.Publish()
}

// Over returns a family that has ended since it was last asked, nil if none has. It may be another than that of the kernels that
// the thread has run: these may have set a user event for which it waited.
func (s *Scheduler) Over() (f *Family) {
	if n := len(s.over); n > 0 {
		f, s.over = s.over[n-1], s.over[:n-1]
	}
	return f
}

// Publish has what has become ready run, and returns how many slots that is, with those that kernels put into a ring.
func (s *Scheduler) Publish() (n int) {
	for first := 0; first < len(s.ready); {
		queue := s.ready[first].queue
		next := first + 1
		for next < len(s.ready) && s.ready[next].queue == queue {
			next++
		}
		(*Queue)(pointer((*head)(pointer(queue)).self)).add(s.ready[first:next])
		first = next
	}
	n, s.published = len(s.ready)+s.published, 0
	s.ready = s.ready[:0]
	return n
}
