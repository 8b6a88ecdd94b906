package hostqueue

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Config describes a Queue.
type Config struct {
	InOrder   bool // each command is ordered behind the one enqueued before it
	Profiling bool // take times
	// Report is told, on any thread, what the application should know of and no status can say; nil: the standard error stream is.
	Report func(text string)
	Limit  int // commands in the devices of the process above which Enqueue waits; 0: 100 000

	Observer Observer // nil for none
	ID       uint32   // of the queue, to the observer
}

// Queue is a host command queue. All methods may be called from any thread.
type Queue struct {
	dev      VirtualDevice
	domain   any
	inOrder  bool
	profiles bool
	report   func(text string)
	load     load
	observer Observer
	id       uint32

	flushed atomic.Uint64 // commands up to this position are to be in rings; written under mu
	line    line          // in order

	mu       sync.Mutex // guards what follows, and of line what it says; never held while calling out
	released bool
	seq      uint64   // position of the last command
	barrier  *Command // out of order the last one
	epoch    *epoch   // of the next command
}

// NewQueue returns a queue that submits to dev, which becomes the queue's.
func NewQueue(dev VirtualDevice, cfg Config) *Queue {
	q := &Queue{dev: dev, domain: dev.Domain(), inOrder: cfg.InOrder, profiles: cfg.Profiling, report: cfg.Report, epoch: newEpoch(0),
		observer: cfg.Observer, id: cfg.ID}
	q.load.init(cfg.Limit)
	return q
}

// Device returns what the queue submits to.
func (q *Queue) Device() VirtualDevice { return q.dev }

// InOrder reports whether each command is ordered behind the one before it.
func (q *Queue) InOrder() bool { return q.inOrder }

// Enqueue puts c, which is in no queue, into q, behind the commands and user events in wait, which are not kept. The
// error is ErrEnqueued or ErrReleased, and then c is as it was. With too much in the devices it waits.
//
// The dependency on the command before in an in-order queue, and on a barrier, orders; it does not pass failure on. Those in
// wait do: c then ends with ErrWaitList and does not run (OpenCL API specification, section 5.11).
func (q *Queue) Enqueue(c *Command, wait []*Command) error {
	if c.queue != nil || c.kind == KindUser {
		return ErrEnqueued
	}
	q.load.throttle(q)

	onHost := c.kind != KindCommand && !q.inOrder
	var deps *waitList
	if len(wait) != 0 {
		deps = q.waitList(wait)
	}
	var t *times
	if observed := q.observe(); observed || q.profiles {
		t = &times{observed: observed, waits: int32(len(wait))}
		t.queued.Store(uint64(nanotime()))
	}

	q.mu.Lock()
	if q.released {
		q.mu.Unlock()
		return ErrReleased
	}
	q.seq++
	c.queue, c.seq, c.onHost, c.times = q, q.seq, onHost, t
	queued := q.inOrder && !q.line.free(c.seq)
	if queued {
		c.open.Store(mostEdges(deps))
		q.line.join(c)
	}
	before := q.barrier
	if !q.inOrder && c.kind == KindBarrier {
		q.barrier = c
	}
	var all *epoch // what a marker or barrier without a wait list waits for
	if onHost && len(wait) == 0 && !q.epoch.idle() {
		all = q.cut()
	}
	c.epoch = q.epoch
	c.epoch.n.Add(1)
	q.mu.Unlock()

	if t != nil && t.observed {
		q.observer.Enqueued(c, slices.Clone(wait)) // a copy, so that wait need not be in the heap
	}
	w := work{then: Assists}
	if deps == nil && all == nil && !queued && (before == nil || before.ended()) {
		w.submit(c)
	} else {
		w.depend(c, queued, before, all, deps)
	}
	w.run()
	return nil
}

// mostEdges is how many there can be: one for each of the wait list, for the place in line or the barrier before, for an epoch, and one
// that holds the command while they are made.
func mostEdges(deps *waitList) int32 {
	n := int32(3)
	if deps != nil {
		n += int32(len(deps.deps))
	}
	return n
}

// depend makes the edges of c, and puts it on w if all of them are released already. queued says that it stands in line, and has its
// count of edges.
func (w *work) depend(c *Command, queued bool, before *Command, all *epoch, deps *waitList) {
	q := c.queue
	if deps != nil {
		c.wait.Store(deps)
	}
	made := int32(0)
	if queued {
		made++
	} else {
		c.open.Store(mostEdges(deps))
	}
	newEdge := func() *edge {
		made++
		if made == 1 {
			c.link.cmd = c
			return &c.link
		}
		return &edge{cmd: c}
	}
	if queued {
		w.advance(q) // in case its turn came before it stood in line
	}
	if before != nil && !before.ended() {
		push(&before.onEnd, newEdge())
		if before.ended() {
			w.release(&before.onEnd)
		}
	}
	if all != nil {
		push(&all.onEnd, newEdge())
		all.leave(isOpen, w)
	}
	if deps != nil {
		for _, d := range deps.deps[:deps.ordered] {
			onDevice := !c.onHost && !d.onHost && d.queue.domain == q.domain
			if onDevice && d.passed() {
				continue
			}
			if d.queue != nil && d.queue != q { // what d waits for may be in an open batch of its queue
				cut := CutForeign
				if d.queue.domain != q.domain {
					cut = CutFlush // who waits for c does not help that device
				}
				d.queue.flush(cut, Leaves)
			}
			switch {
			case onDevice:
				push(&d.onSubmit, newEdge())
				if d.passed() {
					w.release(&d.onSubmit)
				}
			case !d.ended():
				push(&d.onEnd, newEdge())
				if d.ended() {
					w.release(&d.onEnd)
				}
			}
		}
	}
	if q.inOrder && !queued && made > 0 {
		q.keep(c)
	}
	if c.open.Add(made-mostEdges(deps)) == 0 {
		w.ready.append(c)
	}
}

// Flush has everything enqueued so far submitted to the device as soon as its dependencies allow (clFlush).
func (q *Queue) Flush() {
	q.flush(CutFlush, Assists)
	q.dev.Assist()
}

func (q *Queue) flush(cut Cut, then Then) {
	q.mu.Lock()
	news := q.mark()
	q.mu.Unlock()
	if news {
		q.dev.Flush(cut, then)
	}
}

// mark notes that everything so far is flushed, and reports whether some of it was not. Called with q.mu held.
func (q *Queue) mark() bool {
	if q.flushed.Load() == q.seq {
		return false
	}
	q.flushed.Store(q.seq)
	return true
}

// Release flushes the queue and has the device closed when its last command has ended. Nothing may be enqueued after.
func (q *Queue) Release() {
	q.Flush()
	q.mu.Lock()
	if q.released {
		q.mu.Unlock()
		return
	}
	q.released = true
	e := q.epoch // is not followed by another
	e.close = q.dev.Close
	q.mu.Unlock()
	var w work
	e.leave(isOpen, &w)
	w.run()
}
