package hostqueue

import "sync/atomic"

// line is where commands of an in-order queue wait for their turn: until the one before each has passed, that is, the device has it or it
// has ended. They pass one at a time, so a position says all; and nothing refers to a command that has passed, which may be recycled.
//
// Who joins looks afterwards whether its turn has come already, and whoever passes looks afterwards for who stands in line; atomics
// are sequentially consistent, so at least one of them finds it.
type line struct {
	passed atomic.Uint64 // the position of the last command that has
	length atomic.Int32

	chain          // guarded by Queue.mu; by their position
	head  *Command // guarded by Queue.mu; in front of those, its turn has come, but it waits for something else: nil if none does
}

// free reports whether it is the turn of the command at a position.
func (l *line) free(seq uint64) bool { return l.passed.Load() == seq-1 }

// join puts the last command enqueued behind the others. Called with Queue.mu held.
func (l *line) join(c *Command) {
	l.append(c)
	l.length.Add(1)
}

// keep has c, whose turn it is, be seen to wait.
func (q *Queue) keep(c *Command) {
	q.mu.Lock()
	q.line.head = c
	q.line.length.Add(1)
	q.mu.Unlock()
}

// pass notes that the command at a position has passed, and counts for the next.
func (w *work) pass(q *Queue, seq uint64) {
	if !q.inOrder {
		return
	}
	l := &q.line
	if l.length.Load() != 0 {
		q.mu.Lock()
		if l.head != nil {
			l.head = nil
			l.length.Add(-1)
		}
		q.mu.Unlock()
	}
	l.passed.Store(seq)
	w.advance(q)
}

// advance counts down the open dependencies of the command whose turn it is, if it stands in line.
func (w *work) advance(q *Queue) {
	l := &q.line
	if l.length.Load() == 0 {
		return
	}
	q.mu.Lock()
	e := l.first
	if e == nil || !l.free(e.cmd.seq) {
		q.mu.Unlock()
		return
	}
	c := l.take()
	l.head = c
	q.mu.Unlock()
	if c.open.Add(-1) == 0 {
		w.ready.append(c)
	}
}
