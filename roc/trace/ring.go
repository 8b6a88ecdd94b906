package trace

import "sync/atomic"

// ringSize is how many events wait for the background at most.
const ringSize = 1 << 13

// ring is a bounded queue of events with any number of writers and one reader. A cell's turn says whose it is: that of the writer
// of event n when it is n, of its reader when it is n+1, and of the writer of event n+ringSize when that has read it.
type ring struct {
	cells []cell
	_     [64]byte
	next  atomic.Uint64 // event to be written
	_     [64]byte
	read  uint64 // event to be read; of the reader alone
}

type cell struct {
	turn  atomic.Uint64
	event Event
}

func (r *ring) init() {
	r.cells = make([]cell, ringSize)
	for i := range r.cells {
		r.cells[i].turn.Store(uint64(i))
	}
}

// put copies e into the ring; false if it is full.
func (r *ring) put(e *Event) bool {
	for n := r.next.Load(); ; n = r.next.Load() {
		c := &r.cells[n%ringSize]
		switch turn := c.turn.Load(); {
		case turn == n:
			if r.next.CompareAndSwap(n, n+1) {
				c.event = *e
				c.turn.Store(n + 1)
				return true
			}
		case turn < n:
			return false
		}
	}
}

// take returns the oldest event, which stays the reader's until done, or nil.
func (r *ring) take() *Event {
	c := &r.cells[r.read%ringSize]
	if c.turn.Load() != r.read+1 {
		return nil
	}
	return &c.event
}

func (r *ring) done() {
	r.cells[r.read%ringSize].turn.Store(r.read + ringSize)
	r.read++
}
