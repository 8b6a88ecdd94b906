package hostqueue

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fakeAgent is a domain: it runs tasks whose dependencies in the domain have ended, on threads of its own or of those that
// Help. It panics on what no VirtualDevice should be given.
type fakeAgent struct {
	helpers bool // waiters may Help
	mu      sync.Mutex
	ready   []*task
	wake    *sync.Cond
	stopped bool
	bad     atomic.Pointer[string] // the first breach of the contract
}

// task is a command in a fakeAgent.
type task struct {
	c         *Command
	published bool // in a ring, not in an open batch
	done      bool
	open      int
	then      []*task
}

// action is the Op of tests: it runs and gives the status the command ends with.
type action func() Status

func newAgent(t testing.TB, workers int, helpers bool) *fakeAgent {
	a := &fakeAgent{helpers: helpers}
	a.wake = sync.NewCond(&a.mu)
	for range workers {
		go func() {
			for a.runOne(true) {
			}
		}()
	}
	t.Cleanup(func() {
		a.mu.Lock()
		a.stopped = true
		a.wake.Broadcast()
		a.mu.Unlock()
		if why := a.bad.Load(); why != nil {
			t.Error(*why)
		}
	})
	return a
}

func (a *fakeAgent) breach(why string) { a.bad.CompareAndSwap(nil, &why) }

func (a *fakeAgent) runOne(block bool) bool {
	a.mu.Lock()
	for block && len(a.ready) == 0 && !a.stopped {
		a.wake.Wait()
	}
	if len(a.ready) == 0 {
		a.mu.Unlock()
		return false
	}
	t := a.ready[0]
	a.ready = a.ready[1:]
	a.mu.Unlock()

	now := uint64(nanotime())
	if t.c.Poisoned() {
		t.c.Complete(ErrWaitList, 0, 0)
	} else {
		t.c.Started()
		s := Complete
		if f, ok := t.c.Op().(action); ok {
			s = f()
		}
		t.c.Complete(s, now, uint64(nanotime()))
	}
	a.mu.Lock()
	t.done = true
	for _, n := range t.then {
		a.settle(n)
	}
	a.mu.Unlock()
	return true
}

// settle counts a dependency of t down. Called with mu held.
func (a *fakeAgent) settle(t *task) {
	if t.open--; t.open == 0 {
		a.ready = append(a.ready, t)
		a.wake.Signal()
	}
}

// fakeDevice is one queue of a fakeAgent. It keeps commands in an open batch until it is flushed or the batch is full.
type fakeDevice struct {
	agent   *fakeAgent
	inOrder bool
	batch   int // full at this size
	open    []*task
	last    *task
	closed  atomic.Int32
	flushes Cuts
	help    func() // if set, called by who would help
}

func (d *fakeDevice) Submit(c *Command, _ Then) {
	t := &task{c: c, open: 1}
	c.DeviceData = t
	a := d.agent
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.closed.Load() != 0 {
		a.breach("a command was submitted to a closed device")
	}
	behind := func(b *task) {
		if b != nil && !b.done {
			b.then = append(b.then, t)
			t.open++
		}
	}
	if d.inOrder {
		behind(d.last)
		d.last = t
	}
	for _, w := range c.WaitList() {
		b, ok := w.DeviceData.(*task)
		switch {
		case !ok || w.Queue().domain != c.Queue().domain:
			a.breach("the wait list has something that is not of this domain")
		case w.Queue() != c.Queue() && !b.published:
			a.breach("a dependency in another queue is still in an open batch: hardware would wait for the host")
		default:
			behind(b)
		}
	}
	d.open = append(d.open, t)
	if len(d.open) >= max(d.batch, 1) {
		d.publish()
	}
}

func (d *fakeDevice) publish() {
	for _, t := range d.open {
		t.published = true
		d.agent.settle(t)
	}
	d.open = nil
}

func (d *fakeDevice) Assist() {}

func (d *fakeDevice) Flush(cut Cut, _ Then) {
	d.agent.mu.Lock()
	defer d.agent.mu.Unlock()
	if len(d.open) != 0 {
		d.flushes.Count(cut)
		d.publish()
	}
}

func (d *fakeDevice) Help(Awaited) bool {
	if d.help != nil {
		d.help()
	}
	return d.agent.helpers && d.agent.runOne(false)
}

func (d *fakeDevice) Domain() any         { return d.agent }
func (d *fakeDevice) Began(*Command) bool { return false }
func (d *fakeDevice) Close()              { d.closed.Add(1) }
func (d *fakeDevice) Dump() string        { return "batches cut: " + d.flushes.String() }

func (a *fakeAgent) queue(cfg Config) *Queue {
	return NewQueue(&fakeDevice{agent: a, inOrder: cfg.InOrder, batch: 64}, cfg)
}

// hand is a device whose commands the test ends itself; it has them in the order they were submitted.
type handDevice struct {
	mu       sync.Mutex
	has      []*Command
	onSubmit func(*Command)
	flushes  atomic.Int32
	waiting  atomic.Int32 // flushes by a thread that is about to wait
	closed   atomic.Int32
	domain   any
	cuts     []Cut  // of flushes; guarded by mu
	then     []Then // of what was submitted; guarded by mu
	assisted atomic.Int32
	began    func(*Command) bool
}

func (d *handDevice) Began(c *Command) bool { return d.began != nil && d.began(c) }

func (d *handDevice) Submit(c *Command, then Then) {
	d.mu.Lock()
	d.then = append(d.then, then)
	d.has = append(d.has, c)
	d.mu.Unlock()
	if d.onSubmit != nil {
		d.onSubmit(c)
	}
}

func (d *handDevice) Flush(why Cut, then Then) {
	d.mu.Lock()
	d.cuts = append(d.cuts, why)
	d.mu.Unlock()
	d.flushes.Add(1)
	if then == Waits {
		d.waiting.Add(1)
	}
}

func (d *handDevice) Assist()           { d.assisted.Add(1) }
func (d *handDevice) Help(Awaited) bool { return false }
func (d *handDevice) Close()            { d.closed.Add(1) }
func (d *handDevice) Domain() any {
	if d.domain != nil {
		return d.domain
	}
	return d
}

func (d *handDevice) commands() []*Command {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*Command(nil), d.has...)
}

// within runs f and fails, with the state of the queues, when it takes longer than any machine should need.
func within(t testing.TB, f func(), queues ...*Queue) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	limit := time.NewTimer(120 * time.Second)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		var b strings.Builder
		for _, q := range queues {
			b.WriteString(q.Dump())
		}
		stacks := make([]byte, 1<<16)
		t.Fatalf("hangs:\n%s\n%s", b.String(), stacks[:runtime.Stack(stacks, true)])
	}
}

// eventually waits until ok.
func eventually(t testing.TB, what string, ok func() bool, queues ...*Queue) {
	t.Helper()
	within(t, func() {
		for !ok() {
			time.Sleep(20 * time.Microsecond)
		}
	}, queues...)
	if !ok() {
		t.Fatal(what)
	}
}
