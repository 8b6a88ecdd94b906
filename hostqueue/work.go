package hostqueue

import "fmt"

// work is what one thread has still to do after it made commands ready: a list instead of recursion, so that a chain of any
// length needs no stack.
type work struct {
	ready chain  // commands with no open dependency
	late  *Queue // has commands that were submitted after the flush that was to cover them
	then  Then   // Assists, or Leaves
}

// run submits everything that is ready, and what becomes ready by that.
func (w *work) run() {
	for c := w.ready.take(); c != nil; c = w.ready.take() {
		w.submit(c)
	}
	w.flush(nil)
}

// flush has the last queue flushed whose commands came late, when it is not q that is next.
func (w *work) flush(q *Queue) {
	if late := w.late; late != q && late != nil {
		w.late = nil
		late.dev.Flush(CutFlush, w.then)
		w.assist(late)
	}
}

// assist does what the thread has said to the device of q.
func (w *work) assist(q *Queue) {
	if w.then == Assists {
		q.dev.Assist()
	}
}

// submit hands a ready command to its device, or ends it here.
func (w *work) submit(c *Command) {
	q := c.queue
	w.flush(q)
	if !c.prepare() {
		w.endHere(c, ErrWaitList)
		return
	}
	if c.onHost {
		w.endHere(c, Complete)
		return
	}
	if c.times != nil {
		c.times.submit.Store(uint64(nanotime()))
	}
	q.load.enter(c)
	seq, recycled := c.seq, c.Recycle != nil
	q.hand(c, w.then)
	state := c.state.Add(handed)
	switch {
	case Status(state) <= Complete:
		c.retire(w)
	case !recycled: // else it may be another's by now, and no one waits for it
		w.release(&c.onSubmit)
		c.post()
	}
	w.pass(q, seq)
	w.assist(q)
	if seq <= q.flushed.Load() {
		w.late = q
	}
}

// hand calls the device. If it panics, the command ends.
func (q *Queue) hand(c *Command, then Then) {
	defer func() {
		if r := recover(); r != nil {
			c.Keep() // as the device may have it
			c.report(fmt.Sprintf("the device failed to take a command: %v", r))
			c.end(ErrOutOfResources, 0, 0)
		}
	}()
	q.dev.Submit(c, then)
}

func (w *work) endHere(c *Command, s Status) {
	if c.times != nil && s == Complete {
		c.times.submit.Store(uint64(nanotime()))
	}
	c.end(s, 0, 0)
	q, seq := c.queue, c.seq
	c.retire(w)
	w.pass(q, seq)
}

// retire does what follows the end of a command, once: by the thread that ended it, or the one that was handing it over.
func (c *Command) retire(w *work) {
	c.observeEnd()
	w.release(&c.onSubmit)
	w.release(&c.onEnd)
	if c.wait.Load() != nil {
		c.wait.Store(nil) // so that an event that is kept keeps no others
	}
	if c.OnDone != nil {
		c.OnDone(c)
		c.OnDone = nil
	}
	c.parking.wake()
	c.post()
	if q := c.queue; q != nil {
		q.load.leave(c)
		e := c.epoch
		c.epoch = nil // as above: it leads to all later epochs
		e.leave(1, w)
	}
	if c.Recycle != nil {
		c.Recycle(c)
	}
}
