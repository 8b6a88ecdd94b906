package hostqueue

import "sync/atomic"

const (
	spinTime   = 5_000 // nanoseconds a waiter looks before it parks
	spinPauses = 20    // PAUSE instructions between two looks
	fillLooks  = 100   // looks of a Finish after which it closes an epoch that others may be filling
)

// parking is where threads sleep until something has ended. It costs nothing before the first of them comes.
type parking struct{ c atomic.Pointer[chan struct{}] }

// wake wakes all that sleep. Called once, after the end is visible.
func (p *parking) wake() {
	if c := p.c.Load(); c != nil {
		close(*c)
	}
}

func (p *parking) channel() chan struct{} {
	if c := p.c.Load(); c != nil {
		return *c
	}
	c := make(chan struct{})
	if p.c.CompareAndSwap(nil, &c) {
		return c
	}
	return *p.c.Load()
}

// sleep parks the caller until ended. The channel is there before ended is asked, as wake looks for it after the end.
func (p *parking) sleep(ended func() bool) {
	if c := p.channel(); !ended() {
		<-c
	}
}

// look helps the device and looks, until done, which says that the wait for a is over, or there was nothing to be seen for spinTime. It
// reports whether done.
func look(dev VirtualDevice, a Awaited, done func() bool) bool {
	for until := int64(0); ; {
		if done() {
			return true
		}
		if dev != nil && dev.Help(a) {
			until = 0
			continue
		}
		now := nanotime()
		if until == 0 {
			until = now + spinTime
		} else if now > until {
			return false
		}
		procyield(spinPauses)
	}
}

// Wait returns the terminal status of c once it has one (clWaitForEvents): it flushes, helps, looks for a moment, then parks.
func (c *Command) Wait() Status {
	if c.ended() {
		return c.Status()
	}
	if q := c.queue; q != nil && q.observer != nil {
		q.observeWait("wait for a command", c.await)
	} else {
		c.await()
	}
	return c.Status()
}

func (c *Command) await() {
	var dev VirtualDevice
	if q := c.queue; q != nil {
		q.flushFor(c)
		dev = q.dev
	}
	if !look(dev, c, c.ended) {
		c.parking.sleep(c.ended)
	}
}

// flushFor flushes for a thread that will wait for c. The device is promised help only if the wait lasts until nothing is left.
func (q *Queue) flushFor(c *Command) {
	q.mu.Lock()
	last := q.inOrder && c.seq == q.seq
	news := q.mark()
	q.mu.Unlock()
	if !news {
		return
	}
	if last {
		q.dev.Flush(CutWait, Waits)
	} else {
		q.dev.Flush(CutWait, Leaves)
	}
}

// WaitAll waits for all of cs (clWaitForEvents). It returns Complete, or ErrWaitList if any failed.
func WaitAll(cs []*Command) Status {
	for _, c := range cs {
		if c.queue != nil && !c.ended() {
			c.queue.flushFor(c)
		}
	}
	s := Complete
	for _, c := range cs {
		if c.Wait() < Complete {
			s = ErrWaitList
		}
	}
	return s
}

// Finish returns when everything enqueued before the call has ended (clFinish).
func (q *Queue) Finish() {
	q.mu.Lock()
	e := q.epoch
	q.mu.Unlock()
	if e.idle() {
		return
	}
	if q.observer != nil {
		q.observeWait("finish", func() { q.await(e) })
	} else {
		q.await(e)
	}
}

// await returns when e, the current epoch, has nothing left of what is in it now.
func (q *Queue) await(e *epoch) {
	q.flush(CutWait, Waits)
	looks := 0
	look(q.dev, e, func() bool { looks++; return e.idle() || looks > fillLooks })
	if e.idle() {
		return
	}
	q.mu.Lock()
	open := q.epoch == e && !q.released
	if open {
		q.cut()
	}
	q.mu.Unlock()
	if open {
		var w work
		e.leave(isOpen, &w)
		w.run()
	}
	q.flush(CutWait, Waits) // what was enqueued since the first flush may be in e
	if !look(q.dev, e, e.ended) {
		e.parking.sleep(e.ended)
	}
}
