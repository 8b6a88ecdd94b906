package hostqueue

import "fmt"

// callback is a function registered for a status of a command, on the command's stack.
type callback struct {
	next *callback
	at   Status
	f    func(Status) // nil once called
}

// OnStatus has f called once (clSetEventCallback), from the callback thread, when the status of c is at or past at, which is
// Submitted, Running or Complete. f gets at, or the error code if c has failed. Callbacks of one command run one after
// another, of those that are due together in the order they were registered. f must not block; apart from that it may do
// anything with commands and queues. The queue is flushed.
func (c *Command) OnStatus(at Status, f func(Status)) {
	cb := &callback{at: at, f: f}
	for {
		cb.next = c.callbacks.Load()
		if c.callbacks.CompareAndSwap(cb.next, cb) {
			break
		}
	}
	if c.Status() <= at {
		c.post()
	} else if c.passed() {
		callbacks.nudge()
	}
	if c.queue != nil {
		c.queue.flush(CutEvent, Leaves)
	}
}

// post gives c to the callback thread if it has callbacks. It is called after each change of the status; a callback registered
// meanwhile is seen here, or the one who registers it sees the new status.
func (c *Command) post() {
	if c.callbacks.Load() != nil && c.postings.Add(1) == 1 {
		callbacks.post(c)
	}
}

// fire calls what is due, until no one has posted c meanwhile. Only one thread at a time is in it for a command.
func (c *Command) fire() {
	for n := int32(0); !c.postings.CompareAndSwap(n, 0); {
		n = c.postings.Load()
		var stack *callback
		status := c.Status()
		if status <= Complete {
			stack = c.callbacks.Swap(nil) // sealed: what comes later is posted by itself
		} else {
			stack = c.callbacks.Load()
		}
		for _, cb := range due(stack, status) {
			f := cb.f
			cb.f = nil
			c.call(f, cb.at, status)
		}
	}
}

// due returns the callbacks of a stack to be called at status, oldest first.
func due(stack *callback, status Status) []*callback {
	var l []*callback
	for cb := stack; cb != nil; cb = cb.next {
		if cb.f != nil && status <= cb.at {
			l = append(l, cb)
		}
	}
	for i, j := 0, len(l)-1; i < j; i, j = i+1, j-1 {
		l[i], l[j] = l[j], l[i]
	}
	return l
}

// call contains a panic of f.
func (c *Command) call(f func(Status), at, status Status) {
	defer func() {
		if r := recover(); r != nil {
			c.report(fmt.Sprintf("a callback panicked: %v", r))
		}
	}()
	if status < Complete {
		at = status
	}
	if c.ID() == 0 {
		f(at)
		return
	}
	start := nanotime()
	f(at)
	c.queue.observer.Called(c, uint64(start), uint64(nanotime()))
}
