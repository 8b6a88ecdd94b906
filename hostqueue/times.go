package hostqueue

import "sync/atomic"

// times are the profiling times of a command, nanoseconds of CLOCK_MONOTONIC, zero while not reached.
type times struct {
	observed                             bool
	waits                                int32  // explicit dependencies, if observed
	batch                                uint64 // see InBatch
	cut                                  Cut
	ended                                atomic.Bool // claimed by the call that ends the command
	queued, submit, start, end, complete atomic.Uint64
}

// Times returns the profiling times (clGetEventProfilingInfo) in nanoseconds of CLOCK_MONOTONIC, each zero while it is not
// reached, or where the queue does not profile. A command that failed before it ran has no start and no end.
func (c *Command) Times() (queued, submit, start, end, complete uint64) {
	t := c.times
	if t == nil || !c.queue.profiles {
		return
	}
	return t.queued.Load(), t.submit.Load(), t.start.Load(), t.end.Load(), t.complete.Load()
}

// finish takes the last three times; false if another call has. A device clock converted to the host's may be off by a
// little, so the order the specification asks for (section 5.14) is kept by moving a time up to the one before it.
func (t *times) finish(s Status, start, end uint64) bool {
	if !t.ended.CompareAndSwap(false, true) {
		return false
	}
	now := uint64(nanotime())
	if s == Complete && start == 0 { // ordering only: it starts and ends as it completes
		start, end = now, now
	}
	if start != 0 {
		start = max(start, t.submit.Load())
		end = max(end, start)
		t.start.Store(start)
		t.end.Store(end)
	}
	t.complete.Store(max(now, end))
	return true
}
