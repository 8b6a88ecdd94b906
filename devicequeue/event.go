package devicequeue

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// MaxEvents is how many events there can be (CL_DEVICE_MAX_ON_DEVICE_EVENTS).
const MaxEvents = 1 << 18

// Events are the events of a device. They belong to no queue, since user events do not. An event lives as long as the command
// of the host that made it: when none is in flight the pool is empty again, even if kernels forgot to release some.
type Events struct {
	pool   *pool
	active atomic.Int64 // families in flight; negative while the pool is being emptied
}

// NewEvents returns a pool of events.
func NewEvents(m Memory) (*Events, error) {
	p, err := m.Map(4096 + MaxEvents*eventSize)
	if err != nil {
		return nil, fmt.Errorf("events of a device: %w", err)
	}
	e := &Events{pool: (*pool)(p)}
	*e.pool = pool{base: uint64(uintptr(p)) + 4096, count: MaxEvents, size: eventSize}
	return e, nil
}

// Address is where the builtin library finds the pool.
func (e *Events) Address() uint64 { return uint64(uintptr(unsafe.Pointer(e.pool))) }

const emptying = -1 << 40

// enter counts a family.
func (e *Events) enter() {
	for e.active.Add(1) < 0 {
		e.active.Add(-1)
	}
}

// leave is the end of a family.
func (e *Events) leave() {
	if e.active.Add(-1) == 0 && atomic.LoadUint32(&e.pool.fresh) != 0 && e.active.CompareAndSwap(0, emptying) {
		atomic.StoreUint64(&e.pool.top, 0)
		atomic.StoreUint32(&e.pool.fresh, 0)
		e.active.Add(-emptying)
	}
}

// release takes references away.
func (e *Events) release(ev *Event, n int32) {
	if atomic.AddInt32(&ev.refs, -n) == 0 {
		e.pool.give(ev.address(), ev.address())
	}
}
