package hostqueue

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// report tells what the application should know of and no status can say: a panic in a callback or in a device.
func (c *Command) report(text string) {
	if q := c.queue; q != nil && q.report != nil {
		q.report(text)
		return
	}
	fmt.Fprintln(os.Stderr, "aqueduct:", text)
}

const (
	linger   = 50_000               // nanoseconds the callback thread looks for more before it parks
	patience = 2 * time.Millisecond // that a callback may keep others waiting before they get another thread
)

// callbacks is the callback thread of the process: a goroutine that fires commands in the order they were posted. When
// a callback blocks and others wait, another goroutine takes over as the runner, and the blocked one goes when it comes back.
var callbacks = callbackThread{wake: make(chan struct{}, 1)}

type callbackThread struct {
	pending atomic.Int32 // len(queue), looked at without mu
	parked  atomic.Bool  // the runner sleeps, or is about to
	wake    chan struct{}

	mu     sync.Mutex // guards what follows; never held while calling out
	queue  []*Command
	runner int  // number of the goroutine in charge, 0 before the first
	turn   int  // counts commands taken
	busy   bool // the runner is calling out
	guard  bool // a timer watches that it comes back
}

func (t *callbackThread) post(c *Command) {
	t.mu.Lock()
	t.queue = append(t.queue, c)
	t.pending.Add(1)
	t.start()
	if t.busy {
		t.watch()
	}
	t.mu.Unlock()
	t.unpark()
}

// nudge has the runner look for work for a while, as some is about to come.
func (t *callbackThread) nudge() { t.unpark() }

func (t *callbackThread) start() {
	if t.runner == 0 {
		t.runner = 1
		go t.run(1)
	}
}

func (t *callbackThread) unpark() {
	if t.parked.Load() && t.parked.CompareAndSwap(true, false) {
		t.wake <- struct{}{}
	}
}

// watch is called with mu held.
func (t *callbackThread) watch() {
	if !t.guard {
		t.guard = true
		turn := t.turn
		time.AfterFunc(patience, func() { t.relieve(turn) })
	}
}

// relieve puts a new runner in charge if the one is still at the turn it was at, and others wait.
func (t *callbackThread) relieve(turn int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.guard = false
	switch {
	case !t.busy || len(t.queue) == 0:
	case t.turn != turn:
		t.watch()
	default:
		t.runner++
		t.busy = false
		go t.run(t.runner)
	}
}

func (t *callbackThread) run(me int) {
	for {
		c, in := t.take(me)
		switch {
		case !in:
			return
		case c != nil:
			c.fire()
		default:
			t.rest()
		}
	}
}

// take returns the next command to fire, nil if there is none; false if another goroutine is in charge.
func (t *callbackThread) take(me int) (*Command, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.runner != me {
		return nil, false
	}
	t.busy = len(t.queue) != 0
	if !t.busy {
		return nil, true
	}
	c := t.queue[0]
	t.queue[0] = nil
	t.queue = t.queue[1:]
	t.pending.Add(-1)
	t.turn++
	if len(t.queue) != 0 {
		t.watch()
	}
	return c, true
}

// rest returns when something is posted: it looks for a while, then parks.
func (t *callbackThread) rest() {
	for until := nanotime() + linger; nanotime() < until; osyield() {
		if t.pending.Load() != 0 {
			return
		}
		procyield(spinPauses)
	}
	t.parked.Store(true)
	if t.pending.Load() != 0 && t.parked.CompareAndSwap(true, false) {
		return
	}
	<-t.wake
}
