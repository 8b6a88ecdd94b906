package hostqueue

import "sync/atomic"

// edge is one dependency: cmd waits for the command, or the epoch, on whose stack the edge is.
//
// Whoever pushes an edge looks afterwards whether what it waits for has happened already, and whoever makes that happen looks
// afterwards for edges; atomics are sequentially consistent, so at least one of them finds the edge, and takes it by a swap.
type edge struct {
	next *edge
	cmd  *Command
}

// chain is commands in order, through their own links. It needs no memory.
type chain struct{ first, last *edge }

func (l *chain) append(c *Command) {
	e := &c.link
	e.cmd, e.next = c, nil
	if l.first == nil {
		l.first = e
	} else {
		l.last.next = e
	}
	l.last = e
}

// take removes the first command, nil if there is none.
func (l *chain) take() *Command {
	e := l.first
	if e == nil {
		return nil
	}
	l.first = e.next
	c := e.cmd
	e.next, e.cmd = nil, nil
	return c
}

func push(stack *atomic.Pointer[edge], e *edge) {
	for {
		e.next = stack.Load()
		if stack.CompareAndSwap(e.next, e) {
			return
		}
	}
}

// release takes the edges of a stack, in the order they were pushed, and puts the commands that become ready on w.
func (w *work) release(stack *atomic.Pointer[edge]) {
	if stack.Load() == nil {
		return
	}
	var first *edge
	for e := stack.Swap(nil); e != nil; {
		next := e.next
		e.next, first = first, e
		e = next
	}
	for e := first; e != nil; {
		next, c := e.next, e.cmd // e is not ours any more once the command is counted down
		e.next, e.cmd = nil, nil
		if c.open.Add(-1) == 0 {
			w.ready.append(c)
		}
		e = next
	}
}

// waitList is the explicit dependencies of a command that had not succeeded when it was enqueued or, later, submitted. It is
// not changed once a command has it.
type waitList struct {
	deps    []*Command
	ordered int // deps[:ordered] are for the device to order; the rest are earlier commands of the same in-order queue
	inline  [2]*Command
}

// WaitList returns the explicit dependencies of a submitted command behind which the device must order it: those of the same
// Domain that had not ended at submission, apart from earlier commands of the same in-order queue. Those of other queues
// have been flushed.
func (c *Command) WaitList() []*Command {
	l := c.wait.Load()
	if l == nil {
		return nil
	}
	return l.deps[:l.ordered]
}

// Poisoned reports whether an explicit dependency of c has failed, or is Poisoned and will: then the device must not run c,
// but Complete it with ErrWaitList. For dependencies the device orders, it is to be asked after they have ended or were asked.
func (c *Command) Poisoned() bool {
	l := c.wait.Load()
	if l == nil {
		return false
	}
	for _, d := range l.deps {
		if s := d.state.Load(); Status(s) < Complete || s&doomed != 0 {
			c.Doom()
			return true
		}
	}
	return false
}

// Doom notes that the device will Complete c with an error, so that commands which depend on c are Poisoned at once.
func (c *Command) Doom() { c.state.Or(doomed) }

// waitList returns those of deps that have not succeeded: nil if all have.
func (q *Queue) waitList(deps []*Command) *waitList {
	var l *waitList
	add := func(d *Command) {
		if l == nil {
			l = new(waitList)
			l.deps = l.inline[:0]
		}
		l.deps = append(l.deps, d)
	}
	behind := false // a dependency is behind c in the same in-order queue
	for _, d := range deps {
		switch {
		case d.Status() == Complete:
		case q.inOrder && d.queue == q:
			behind = true
		default:
			add(d)
		}
	}
	if l != nil {
		l.ordered = len(l.deps)
	}
	if behind {
		for _, d := range deps {
			if d.queue == q && d.Status() != Complete {
				add(d)
			}
		}
	}
	return l
}

// prepare drops from the wait list of c, which is about to be submitted, what has ended; false if some of it failed. Commands
// of other queues behind which the device will order c are flushed: a packet enters a ring only after what it waits for.
func (c *Command) prepare() bool {
	l := c.wait.Load()
	if l == nil {
		return true
	}
	ended := false
	for _, d := range l.deps {
		s := d.Status()
		if s < Complete {
			return false
		}
		ended = ended || s == Complete
	}
	if ended {
		c.wait.Store(c.queue.waitList(l.deps))
	}
	for _, d := range c.WaitList() {
		if d.queue != c.queue {
			d.queue.dev.Flush(CutForeign, Leaves)
		}
	}
	return true
}
