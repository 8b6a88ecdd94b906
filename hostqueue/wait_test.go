package hostqueue

import (
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Invariant 6.
func TestFinishWaitsForWhatWasEnqueuedBeforeIt(t *testing.T) {
	for name, order := range map[string]bool{"in order": true, "out of order": false} {
		t.Run(name, func(t *testing.T) {
			d := &handDevice{}
			q := NewQueue(d, Config{InOrder: order})
			within(t, q.Finish, q)
			require.Zero(t, d.flushes.Load())
			a, b := enqueue(t, q, KindCommand, nil), enqueue(t, q, KindCommand, nil)
			var returned atomic.Int32
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() { q.Finish(); returned.Add(1) })
			}
			eventually(t, "parked", func() bool { return sleepers() == 3 }, q)
			late := enqueue(t, q, KindCommand, nil)
			require.Len(t, d.commands(), 3, "finish needs no marker")
			b.Complete(Complete, 0, 0)
			time.Sleep(time.Millisecond)
			require.Zero(t, returned.Load())
			a.Complete(Complete, 0, 0)
			within(t, all.Wait, q)
			require.Equal(t, Submitted, late.Status(), "finish does not wait for what came after")
			late.Complete(Complete, 0, 0)
			within(t, q.Finish, q)
		})
	}
}

// Finish waits for a little more than it must, so it has to flush that too.
func TestFinishFlushesWhatIsEnqueuedWhileItLooks(t *testing.T) {
	a := newAgent(t, 1, false)
	q := a.queue(Config{InOrder: true})
	release := make(chan struct{})
	enqueue(t, q, KindCommand, action(func() Status { <-release; return Complete }))
	n := 0
	q.Device().(*fakeDevice).help = func() {
		if n++; n == 1 {
			enqueue(t, q, KindCommand, nil)
		}
	}
	go func() {
		for sleepers() == 0 {
			time.Sleep(time.Millisecond)
		}
		close(release)
	}()
	within(t, q.Finish, q)
}

// A thread that helps is never without something to do as long as another enqueues as fast as it runs.
func TestFinishReturnsHoweverMuchComesBehind(t *testing.T) {
	for name, order := range map[string]bool{"in order": true, "out of order": false} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, 0, true)
			q := a.queue(Config{InOrder: order})
			first := enqueue(t, q, KindCommand, nil)
			d := q.Device().(*fakeDevice)
			d.help = func() {
				enqueue(t, q, KindCommand, nil)
				q.Flush()
			}
			within(t, q.Finish, q)
			require.Equal(t, Complete, first.Status())
			d.help = nil
			within(t, q.Finish, q)
		})
	}
}

func TestFinishReturnsWhileOthersKeepEnqueuing(t *testing.T) {
	a := newAgent(t, 1, true)
	q := a.queue(Config{InOrder: true})
	var stop atomic.Bool
	var all sync.WaitGroup
	all.Go(func() {
		for !stop.Load() {
			_ = q.Enqueue(NewCommand(KindCommand, nil), nil)
		}
	})
	within(t, func() {
		for range 50 {
			q.Finish()
		}
	}, q)
	stop.Store(true)
	within(t, all.Wait, q)
	within(t, q.Finish, q)
}

func TestWaitOnAUserEventNeverSetHangsOnlyTheWaiter(t *testing.T) {
	a := newAgent(t, 1, true)
	q := a.queue(Config{})
	gate := NewUser()
	held := enqueue(t, q, KindCommand, nil, gate)
	var got [4]Status
	var all sync.WaitGroup
	all.Go(func() { got[0] = gate.Wait() })
	all.Go(func() { got[1] = held.Wait() })
	all.Go(func() { got[2] = held.Wait() })
	all.Go(func() { got[3] = WaitAll([]*Command{gate, held}) })
	within(t, func() {
		for range 100 {
			require.Equal(t, Complete, enqueue(t, q, KindCommand, nil).Wait())
		}
	}, q)
	require.Equal(t, Queued, held.Status())
	require.NoError(t, gate.SetUserStatus(-7, Leaves))
	within(t, all.Wait, q)
	require.Equal(t, [4]Status{-7, ErrWaitList, ErrWaitList, ErrWaitList}, got)
}

func TestWaiterParks(t *testing.T) {
	gate := NewUser()
	q := NewQueue(&handDevice{}, Config{})
	enqueue(t, q, KindCommand, nil, gate)
	go gate.Wait()
	go q.Finish()
	eventually(t, "parked", func() bool { return sleepers() == 2 }, q)
	require.NoError(t, gate.SetUserStatus(-1, Leaves))
	eventually(t, "woken", func() bool { return sleepers() == 0 }, q)
}

// sleepers counts the goroutines that are parked until something ends.
func sleepers() int { return goroutines("(*parking).sleep", "[chan receive") }

// goroutines counts those whose stacks have all of some texts.
func goroutines(texts ...string) (n int) {
	var b strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&b, 2)
	for g := range strings.SplitSeq(b.String(), "\n\n") {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(g, text) }) {
			n++
		}
	}
	return n
}

// Invariant 7: nothing cuts a batch but a reason.
func TestConsecutiveCommandsAreOneBatch(t *testing.T) {
	a := newAgent(t, 1, false)
	d := &fakeDevice{agent: a, inOrder: true, batch: 1000}
	q := NewQueue(d, Config{InOrder: true})
	for range 500 {
		enqueue(t, q, KindCommand, nil)
	}
	enqueue(t, q, KindMarker, nil)
	require.Len(t, d.open, 501)
	require.Contains(t, q.Dump(), "batches cut: none")
	q.Flush()
	q.Flush()
	require.Contains(t, q.Dump(), "batches cut: flush 1\n")
	c := enqueue(t, q, KindCommand, nil)
	within(t, func() { c.Wait() }, q)
	enqueue(t, q, KindCommand, nil).OnStatus(Complete, func(Status) {})
	c = enqueue(t, q, KindCommand, nil)
	enqueue(t, a.queue(Config{}), KindCommand, nil, c)
	require.Contains(t, q.Dump(), "batches cut: flush 1, wait 1, event 1, foreign 1\n")
	within(t, q.Finish, q)
}

// Invariant 8: with no thread but the waiting one, everything runs.
func TestWaitersHelp(t *testing.T) {
	a := newAgent(t, 0, true)
	q, q2 := a.queue(Config{InOrder: true}), a.queue(Config{})
	within(t, func() {
		var c *Command
		for range 1000 {
			c = enqueue(t, q, KindCommand, nil)
			q.Finish()
		}
		require.Equal(t, Complete, c.Status())
		for range 300 {
			c = enqueue(t, q, KindCommand, nil)
			c = enqueue(t, q2, KindCommand, nil, c)
			enqueue(t, q2, KindBarrier, nil)
		}
		require.Equal(t, Complete, c.Wait())
		q2.Finish()
	}, q, q2)
}

// The device leaves work to threads that then assist: those that enqueue or set a user event, and not those that end commands.
func TestOnlyThreadsOfTheApplicationAssist(t *testing.T) {
	d, other := &handDevice{}, &handDevice{}
	q, q2 := NewQueue(d, Config{InOrder: true}), NewQueue(other, Config{InOrder: true})
	first := enqueue(t, q, KindCommand, nil)
	require.Equal(t, []Then{Assists}, d.then)
	require.EqualValues(t, 1, d.assisted.Load())

	enqueue(t, q2, KindCommand, nil, first)
	first.Complete(Complete, 0, 0)
	require.Equal(t, []Then{Leaves}, other.then)
	require.Zero(t, other.assisted.Load())

	gate := NewUser()
	enqueue(t, q, KindCommand, nil, gate)
	require.NoError(t, gate.SetUserStatus(Complete, Assists))
	require.Equal(t, []Then{Assists, Assists}, d.then)
	require.EqualValues(t, 2, d.assisted.Load())

	q.Flush()
	require.EqualValues(t, 3, d.assisted.Load())

	// A flush covers what becomes ready after it.
	gate = NewUser()
	enqueue(t, q, KindCommand, nil, gate)
	q.Flush()
	d.assisted.Store(0)
	require.NoError(t, gate.SetUserStatus(Complete, Assists))
	require.EqualValues(t, 2, d.assisted.Load(), "for the command, and for the flush")
}

// The device is promised help until nothing is left only by threads that keep the promise.
func TestOnlyWaitersForEverythingPromiseHelp(t *testing.T) {
	d := &handDevice{}
	d.onSubmit = func(c *Command) {}
	q := NewQueue(d, Config{InOrder: true})
	a, b := enqueue(t, q, KindCommand, nil), enqueue(t, q, KindCommand, nil)
	go a.Wait()
	eventually(t, "flushed", func() bool { return d.flushes.Load() == 1 }, q)
	require.Zero(t, d.waiting.Load())
	a.Complete(Complete, 0, 0)
	b.Complete(Complete, 0, 0)
	c := enqueue(t, q, KindCommand, nil)
	go c.Wait()
	eventually(t, "flushed", func() bool { return d.waiting.Load() == 1 }, q)
	c.Complete(Complete, 0, 0)
}

func TestBackPressureBoundsWhatDevicesHave(t *testing.T) {
	a := newAgent(t, 1, false)
	const limit = 256
	var queues []*Queue
	for range 3 {
		queues = append(queues, a.queue(Config{InOrder: true, Limit: limit}))
	}
	var most int64
	within(t, func() {
		for i := range 20_000 {
			_ = queues[i%3].Enqueue(NewCommand(KindCommand, nil), nil)
			n := int64(0)
			for _, q := range queues {
				n += q.load.n.Load()
			}
			most = max(most, n)
		}
		for _, q := range queues {
			q.Finish()
		}
	}, queues...)
	require.LessOrEqual(t, most, int64(limit+3*loadStep))
	require.Zero(t, total.n.Load())
}

func TestBackPressureNeverWaitsForTheHost(t *testing.T) {
	a := newAgent(t, 1, true)
	q := a.queue(Config{InOrder: true, Limit: 64})
	gate := NewUser()
	enqueue(t, q, KindCommand, nil, gate)
	within(t, func() {
		for range 1000 {
			_ = q.Enqueue(NewCommand(KindCommand, nil), nil)
		}
		_ = gate.SetUserStatus(Complete, Leaves)
		q.Finish()
	}, q)
	require.Zero(t, total.n.Load())
}

// What others have in open batches nobody may ever flush.
func TestBackPressureNeverWaitsForOtherQueues(t *testing.T) {
	a := newAgent(t, 1, true)
	lazy := NewQueue(&fakeDevice{agent: a, inOrder: true, batch: 10_000}, Config{InOrder: true})
	for range 500 {
		enqueue(t, lazy, KindCommand, nil)
	}
	q := a.queue(Config{InOrder: true, Limit: 64})
	within(t, func() {
		for range 200 {
			_ = q.Enqueue(NewCommand(KindCommand, nil), nil)
		}
	}, q, lazy)
	require.EqualValues(t, 500, lazy.load.n.Load())
	within(t, lazy.Finish, lazy)
	within(t, q.Finish, q)
}

func TestMillionCommandsInFlatMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a million commands")
	}
	for name, order := range map[string]bool{"in order": true, "out of order": false} {
		t.Run(name, func(t *testing.T) {
			q := NewQueue(&instant{}, Config{InOrder: order})
			kept := enqueue(t, q, KindCommand, nil) // an event that is kept keeps nothing else
			var first uint64
			within(t, func() {
				for i := range 1_000_000 {
					next := NewCommand(KindCommand, nil)
					var wait []*Command
					switch {
					case i%100 == 99:
						next = NewCommand(KindBarrier, nil)
					case i%1000 == 500:
						wait = []*Command{kept}
					}
					_ = q.Enqueue(next, wait)
					if i%1000 == 999 {
						q.Finish()
					}
					if i%250_000 == 249_999 {
						runtime.GC()
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						if first == 0 {
							first = m.HeapAlloc
						}
						require.Less(t, m.HeapAlloc, first+256<<10)
					}
				}
			}, q)
			require.Equal(t, Complete, kept.Status())
		})
	}
}
