package roc

import (
	"sync"
	"sync/atomic"

	"aqueduct/roc/hsa"
	"aqueduct/roc/trace"
)

// rings counts those that were made.
var rings atomic.Uint32

// ring is an AQL queue that VirtualGPUs share, with what is in it. When the queue fails, the ring gets a new one.
//
// Batches enter in the order they were pushed, and each waits only for batches pushed before it, in this ring or another.
// The oldest one anywhere can therefore always run, and batches that wait for room in the ring block nobody for ever.
type ring struct {
	device    *Device
	priority  Priority
	throttled bool
	class     int    // of these two
	size      uint32 // packets
	number    uint32 // in the process, from 1
	users     int    // guarded by device.mu

	mu        sync.Mutex // guards what follows
	queue     hsa.Queue
	head      *batch                // of the batches in flight, oldest first
	tail      atomic.Pointer[batch] // written with mu held
	owner     *VirtualGPU           // whose they all are; nil once others' have come between, until there are none
	unwritten *batch                // the first that found no room
	last      uint64                // packets up to here have been written
	signals   []hsa.Signal          // of entries whose packets are being written
	dead      bool                  // there was no memory for a new queue
}

func (d *Device) newRing(p Priority, throttled bool, size uint32) (*ring, error) {
	r := &ring{device: d, priority: p, throttled: throttled, class: class(p, throttled), size: size, number: rings.Add(1)}
	return r, r.open()
}

// open gives r an empty queue. r.mu is held, unless r is new.
func (r *ring) open() error {
	var q hsa.Queue
	var err error
	q, err = r.device.agent.NewQueue(r.size, r.priority, func(faults []hsa.Fault) { r.fail(q, faults) })
	if err == nil {
		if r.throttled {
			q.Throttle()
		}
		r.queue = q
	}
	return err
}

// push has bs follow what is in the ring, and tells the agent.
func (r *ring) push(bs []*batch, waiting bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead && r.head == nil {
		r.dead = r.open() != nil
	}
	before := r.last
	for _, b := range bs {
		b.prev = r.tail.Load()
		if b.prev == nil {
			r.head, r.owner = b, b.gpu
		} else {
			b.prev.next = b
			if r.owner != b.gpu {
				r.owner = nil
			}
		}
		r.tail.Store(b)
		b.doom()
		overtakes := b.gpu.flight.Load() == 0 && b.prev != nil
		b.gpu.flight.Add(1)
		if r.unwritten == nil && !r.write(b, overtakes) {
			r.unwritten = b
		}
	}
	if r.dead {
		go r.device.end(r.lose(bs[0])) // elsewhere, as the caller has locks
		return
	}
	if r.last != before {
		r.queue.Doorbell(r.last-1, waiting)
	}
}

// remove takes a batch that has ended out of the ring, which may make room for others.
func (r *ring) remove(b *batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b.prev == nil {
		r.head = b.next
	} else {
		b.prev.next = b.next
	}
	if b.next == nil {
		r.tail.Store(b.prev)
	} else {
		b.next.prev = b.prev
	}
	if r.unwritten == b { // lost
		r.unwritten = b.next
	}
	b.prev, b.next = nil, nil
	if r.unwritten != nil {
		r.refill()
	}
}

// refill writes batches that found no room, as far as there is some now. r.mu is held.
func (r *ring) refill() {
	before := r.last
	for b := r.unwritten; b != nil; b = b.next {
		if !b.written && !r.write(b, false) {
			r.unwritten = b
			break
		}
		r.unwritten = nil
	}
	if r.last != before {
		r.queue.Doorbell(r.last-1, false)
	}
}

// write writes the packets of b and reports whether there was room. overtakes says that b may run before those in front of
// it are through. r.mu is held.
func (r *ring) write(b *batch, overtakes bool) bool {
	if r.queue == nil {
		return false // the ring is being mended, which ends by writing all again
	}
	n, completions, signals := b.prepare(r.signals[:0])
	r.signals = signals
	at, ok := r.queue.Reserve(n)
	if !ok {
		return false
	}
	if b.watched || completions != 1 { // else it is as it came from the pool
		b.signal.Reset(completions)
	}
	if !b.watched {
		b.watched = true
		r.device.agent.Watch(b.signal, b.id)
	}
	if b.number != 0 {
		b.since = trace.Now()
	}
	b.encode(r.queue, at, overtakes)
	b.written = true
	r.last = at + uint64(n)
	return true
}

// assist has the calling thread do what is brief of what the ring has.
func (r *ring) assist() {
	r.mu.Lock()
	q := r.queue
	r.mu.Unlock()
	if q != nil {
		q.Assist()
	}
}

// hasOnly reports that q is the ring's queue and has nothing but batches of v, or if one is not nil, nothing but that.
func (r *ring) hasOnly(q hsa.Queue, v *VirtualGPU, one *batch) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queue == q && r.head != nil && r.owner == v && (one == nil || r.head == one && r.tail.Load() == one)
}

// nudge has the agent look at the ring.
func (r *ring) nudge() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.queue != nil && r.last != 0 {
		r.queue.Doorbell(r.last-1, false)
	}
}
