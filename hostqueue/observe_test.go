package hostqueue

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// watcher is an Observer that notes what it is told.
type watcher struct {
	every int // command that is observed, counted from 0; 1 is all

	mu     sync.Mutex // guards what follows
	asked  int
	in     []uint64
	waits  map[uint64]int
	ended  map[uint64]Moments
	status map[uint64]Status
	called int
	waited []string
}

func newWatcher(every int) *watcher {
	return &watcher{every: every, waits: map[uint64]int{}, ended: map[uint64]Moments{}, status: map[uint64]Status{}}
}

func (w *watcher) Sample() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	return (w.asked-1)%w.every == 0
}

func (w *watcher) Enqueued(c *Command, wait []*Command) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.in = append(w.in, c.ID())
	w.waits[c.ID()] = len(wait)
}

func (w *watcher) Ended(c *Command, t Moments) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[c.ID()], w.status[c.ID()] = t, c.Status()
}

func (w *watcher) Called(*Command, uint64, uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called++
}

func (w *watcher) Waited(what string, start, end uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waited = append(w.waited, what)
}

func TestObserverIsToldOfEachCommandOnceBeforeAnyoneWhoWaits(t *testing.T) {
	a := newAgent(t, 2, true)
	for _, inOrder := range []bool{true, false} {
		w := newWatcher(1)
		q := a.queue(Config{InOrder: inOrder, Observer: w, ID: 5})
		first := enqueue(t, q, KindCommand, nil)
		second := enqueue(t, q, KindMarker, nil, first)
		failing := NewUser()
		third := enqueue(t, q, KindCommand, nil, failing)
		called := make(chan struct{})
		second.OnStatus(Complete, func(Status) { close(called) })
		require.NoError(t, failing.SetUserStatus(-7, Leaves))
		within(t, func() {
			second.Wait()
			third.Wait()
			<-called
			q.Finish()
		}, q)
		w.mu.Lock()
		require.Equal(t, []uint64{5<<40 | 1, 5<<40 | 2, 5<<40 | 3}, w.in)
		require.Len(t, w.ended, 3)
		require.Equal(t, map[uint64]int{5<<40 | 1: 0, 5<<40 | 2: 1, 5<<40 | 3: 1}, w.waits)
		require.Equal(t, 1, second.Waits())
		require.Equal(t, map[uint64]Status{5<<40 | 1: Complete, 5<<40 | 2: Complete, 5<<40 | 3: ErrWaitList}, w.status)
		for id, m := range w.ended {
			require.NotZero(t, m.Queued)
			require.GreaterOrEqual(t, m.Complete, m.Queued)
			if id != 5<<40|3 {
				require.GreaterOrEqual(t, m.Submit, m.Queued)
				require.GreaterOrEqual(t, m.Complete, m.Submit)
			}
		}
		w.mu.Unlock()
		queued, _, _, _, complete := first.Times()
		require.Zero(t, queued, "a queue that is observed does not profile for that")
		require.Zero(t, complete)
		eventually(t, "the callback is told of", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.called == 1 }, q)
		q.Release()
	}
}

func TestCommandsThatAreNotSampledAreNotToldOf(t *testing.T) {
	a := newAgent(t, 1, true)
	w := newWatcher(4)
	q := a.queue(Config{InOrder: true, Profiling: true, Observer: w, ID: 1})
	var last *Command
	for range 16 {
		last = enqueue(t, q, KindCommand, nil)
	}
	within(t, q.Finish, q)
	require.Equal(t, []uint64{1<<40 | 1, 1<<40 | 5, 1<<40 | 9, 1<<40 | 13}, w.in)
	require.Len(t, w.ended, 4)
	require.Zero(t, last.ID())
	queued, _, _, _, _ := last.Times()
	require.NotZero(t, queued, "the queue profiles all the same")
	require.Zero(t, q.InDevice())
	eventually(t, "nothing is in the queue", func() bool { return q.Depth() == 0 }, q) // who waits may see it before
	ended, waiting := q.Progress()
	require.EqualValues(t, 16, ended)
	require.False(t, waiting)
	q.Release()
}

// A command may end before the thread that hands it over has come back, which is the one that tells of it then.
func TestObserverIsToldOfTheBatchOfACommandThatEndsAtOnce(t *testing.T) {
	w := newWatcher(1)
	d := &handDevice{}
	d.onSubmit = func(c *Command) {
		c.InBatch(7, CutSize)
		c.Complete(Complete, 0, 0)
	}
	q := NewQueue(d, Config{InOrder: true, Observer: w, ID: 1})
	require.Equal(t, Complete, enqueue(t, q, KindCommand, nil).Status())
	m := w.ended[1<<40|1]
	require.EqualValues(t, 7, m.Batch)
	require.Equal(t, CutSize, m.Cut)
}

// TestObservedQueueDoesWhatItWouldDoOtherwise: its device sees the same commands and the same flushes.
func TestObservedQueueDoesWhatItWouldDoOtherwise(t *testing.T) {
	for _, inOrder := range []bool{true, false} {
		script := func(o Observer) (submitted []int, cuts []Cut) {
			d := &handDevice{}
			q := NewQueue(d, Config{InOrder: inOrder, Observer: o, ID: 1})
			gate := NewUser()
			var all []*Command
			put := func(kind Kind, visible bool, wait ...*Command) *Command {
				c := NewCommand(kind, len(all))
				c.Visible = visible
				all = append(all, c)
				require.NoError(t, q.Enqueue(c, wait))
				return c
			}
			end := func() {
				for _, c := range d.commands() {
					c.Complete(Complete, 0, 0)
				}
			}
			first := put(KindCommand, false)
			put(KindCommand, true, first)
			put(KindMarker, false)
			q.Flush()
			held := put(KindCommand, true, gate)
			held.OnStatus(Complete, func(Status) {})
			put(KindBarrier, false, first, held)
			put(KindCommand, false)
			end()
			require.NoError(t, gate.SetUserStatus(Complete, Leaves))
			for range len(all) {
				end()
			}
			within(t, q.Finish, q)
			last := put(KindCommand, false)
			end()
			within(t, func() { last.Wait() }, q)
			q.Release()
			for _, c := range d.commands() {
				submitted = append(submitted, c.Op().(int))
			}
			return submitted, d.cuts
		}
		plain, plainCuts := script(nil)
		observed, observedCuts := script(newWatcher(1))
		require.Equal(t, plain, observed)
		require.Equal(t, plainCuts, observedCuts)
	}
}

func TestObserverIsToldOfThreadsThatWait(t *testing.T) {
	w := newWatcher(1)
	d := &handDevice{}
	q := NewQueue(d, Config{InOrder: true, Observer: w, ID: 1})
	for _, wait := range []func(*Command){func(c *Command) { c.Wait() }, func(*Command) { q.Finish() }} {
		c := enqueue(t, q, KindCommand, nil)
		before := d.flushes.Load()
		done := make(chan struct{})
		go func() {
			defer close(done)
			wait(c)
		}()
		eventually(t, "the thread waits", func() bool { return d.flushes.Load() > before }, q)
		c.Complete(Complete, 0, 0)
		within(t, func() { <-done }, q)
	}
	require.Equal(t, []string{"wait for a command", "finish"}, w.waited)
	q.Release()
}
