package hostqueue

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func enqueue(t testing.TB, q *Queue, kind Kind, op Op, wait ...*Command) *Command {
	t.Helper()
	c := NewCommand(kind, op)
	require.NoError(t, q.Enqueue(c, wait))
	return c
}

// Invariant 1: no thread, and the thread that makes a command ready is the one that submits it.
func TestThreadThatMakesCommandsReadySubmitsThem(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{InOrder: true})
	gate := NewUser()
	a := enqueue(t, q, KindCommand, nil, gate)
	b := enqueue(t, q, KindCommand, nil)
	require.Empty(t, d.commands())
	require.Equal(t, Queued, a.Status())
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	require.Equal(t, []*Command{a, b}, d.commands(), "submitted when SetUserStatus returned, in order")
	require.Equal(t, Submitted, a.Status())
}

func TestQueuesCostNoThreadAndLittleMemory(t *testing.T) {
	a := newAgent(t, 2, true)
	const n = 10_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	threads := runtime.NumGoroutine()
	queues := make([]*Queue, n)
	for i := range queues {
		queues[i] = a.queue(Config{InOrder: i%2 == 0})
	}
	for _, q := range queues {
		enqueue(t, q, KindCommand, nil)
		q.Flush()
	}
	require.Less(t, runtime.NumGoroutine(), threads+n/100, "those that time the tests before may come and go")
	within(t, func() {
		for _, q := range queues {
			q.Finish()
		}
	}, queues[0])
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, (after.HeapAlloc-before.HeapAlloc)/n, uint64(1200), "bytes a queue, its fake device and its last command")
	devices := make([]*fakeDevice, n)
	for i, q := range queues {
		devices[i] = q.Device().(*fakeDevice)
		q.Release()
	}
	eventually(t, "all are closed", func() bool { // by who ended the last command, which Finish has seen before
		return !slices.ContainsFunc(devices, func(d *fakeDevice) bool { return d.closed.Load() != 1 })
	})
}

// Invariant 2: what is held back is what depends, and nothing else.
func TestUserEventHoldsBackOnlyWhatDependsOnIt(t *testing.T) {
	a := newAgent(t, 1, false)
	q := a.queue(Config{})
	gate := NewUser()
	held := enqueue(t, q, KindCommand, nil, gate)
	behind := enqueue(t, q, KindCommand, nil, held)
	free := enqueue(t, q, KindCommand, nil)
	within(t, func() { require.Equal(t, Complete, free.Wait()) }, q)
	require.Equal(t, Queued, held.Status())
	require.Equal(t, Queued, behind.Status())
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	within(t, func() { require.Equal(t, Complete, behind.Wait()) }, q)
}

func TestInOrderRunsInOrderFromManyThreads(t *testing.T) {
	a := newAgent(t, 3, true)
	q := a.queue(Config{InOrder: true})
	var ran []uint64
	busy := false
	done := make(chan []*Command)
	const threads, each = 4, 500
	for range threads {
		go func() {
			var mine []*Command
			for range each {
				c := NewCommand(KindCommand, nil)
				c.op = action(func() Status {
					if busy {
						return -1
					}
					busy = true // no lock: the race detector is the test of the order
					ran = append(ran, c.seq)
					busy = false
					return Complete
				})
				_ = q.Enqueue(c, nil)
				mine = append(mine, c)
			}
			done <- mine
		}()
	}
	within(t, func() {
		for range threads {
			for _, c := range <-done {
				require.Equal(t, Complete, c.Wait())
			}
		}
		q.Finish()
	}, q)
	require.Len(t, ran, threads*each)
	for i, s := range ran {
		require.EqualValues(t, i+1, s)
	}
}

// A gated chain of any length, and a failure that runs along it, take no stack.
func TestLongChainsTakeNoStack(t *testing.T) {
	const n = 200_000
	for name, c := range map[string]struct {
		inOrder, explicit bool
		status, want      Status
	}{
		"in order":             {true, false, Complete, Complete},
		"explicit":             {false, true, Complete, Complete},
		"failure along events": {false, true, -9, ErrWaitList},
	} {
		t.Run(name, func(t *testing.T) {
			d := &handDevice{onSubmit: func(c *Command) { c.Complete(Complete, 0, 0) }}
			q := NewQueue(d, Config{InOrder: c.inOrder})
			gate := NewUser()
			last := enqueue(t, q, KindCommand, nil, gate)
			for range n {
				if c.explicit {
					last = enqueue(t, q, KindCommand, nil, last)
				} else {
					last = enqueue(t, q, KindCommand, nil)
				}
			}
			deep := make(chan int, 1)
			last.OnDone = func(*Command) { deep <- runtime.Callers(0, make([]uintptr, 1000)) }
			require.NoError(t, gate.SetUserStatus(c.status, Leaves))
			require.Equal(t, c.want, last.Status())
			require.Less(t, <-deep, 60, "frames")
		})
	}
}

func TestOutOfOrderMarkerEndsAfterAllBeforeAndHoldsNothingBack(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{})
	a, b := enqueue(t, q, KindCommand, nil), enqueue(t, q, KindCommand, nil)
	m := enqueue(t, q, KindMarker, nil)
	c := enqueue(t, q, KindCommand, nil)
	require.Equal(t, []*Command{a, b, c}, d.commands())
	c.Complete(Complete, 0, 0)
	b.Complete(Complete, 0, 0)
	require.Equal(t, Queued, m.Status())
	a.Complete(-5, 0, 0)
	require.Equal(t, Complete, m.Status(), "a marker without a wait list orders, it does not pass failure on")
	require.Equal(t, Complete, enqueue(t, q, KindMarker, nil).Status(), "nothing is before it")
}

func TestOutOfOrderBarrierHoldsBackWhatFollows(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{})
	a := enqueue(t, q, KindCommand, nil)
	b := enqueue(t, q, KindBarrier, nil)
	c := enqueue(t, q, KindCommand, nil)
	b2 := enqueue(t, q, KindBarrier, nil)
	m := enqueue(t, q, KindMarker, nil)
	e := enqueue(t, q, KindCommand, nil)
	require.Equal(t, []*Command{a}, d.commands())
	a.Complete(Complete, 0, 0)
	require.Equal(t, Complete, b.Status())
	require.Equal(t, []*Command{a, c}, d.commands())
	require.Equal(t, Queued, b2.Status())
	require.Equal(t, Queued, m.Status())
	c.Complete(Complete, 0, 0)
	require.Equal(t, Complete, b2.Status())
	require.Equal(t, Complete, m.Status())
	require.Equal(t, []*Command{a, c, e}, d.commands())
}

func TestBarrierWithWaitListWaitsForItOnly(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{})
	a, other := enqueue(t, q, KindCommand, nil), enqueue(t, q, KindCommand, nil)
	b := enqueue(t, q, KindBarrier, nil, a)
	m := enqueue(t, q, KindMarker, nil, other)
	c := enqueue(t, q, KindCommand, nil)
	require.Equal(t, []*Command{a, other}, d.commands())
	a.Complete(-5, 0, 0)
	require.Equal(t, ErrWaitList, b.Status())
	require.Equal(t, []*Command{a, other, c}, d.commands(), "a barrier orders; its failure is not passed on to what follows")
	require.Equal(t, Queued, m.Status())
	other.Complete(Complete, 0, 0)
	require.Equal(t, Complete, m.Status())
}

func TestInOrderMarkersAndBarriersGoToTheDevice(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{InOrder: true})
	want := []*Command{enqueue(t, q, KindCommand, nil), enqueue(t, q, KindMarker, nil), enqueue(t, q, KindBarrier, nil)}
	require.Equal(t, want, d.commands())
}

// Invariant 3.
func TestHardwareNeverWaitsForTheHost(t *testing.T) {
	domain := new(int)
	d := [3]*handDevice{{domain: domain}, {domain: domain}, {}}
	var q [3]*Queue
	for i := range q {
		q[i] = NewQueue(d[i], Config{InOrder: true})
	}
	a := enqueue(t, q[0], KindCommand, nil)
	near := enqueue(t, q[1], KindCommand, nil, a)
	far := enqueue(t, q[2], KindCommand, nil, a)
	require.Equal(t, []*Command{near}, d[1].commands(), "same domain: the device orders")
	require.Equal(t, []*Command{a}, near.WaitList())
	require.NotZero(t, d[0].flushes.Load(), "what another queue waits for is in a ring")
	require.Empty(t, d[2].commands(), "another domain: the host orders")
	a.Complete(Complete, 0, 0)
	require.Equal(t, []*Command{far}, d[2].commands())
	require.Empty(t, far.WaitList())

	gate := NewUser()
	held := enqueue(t, q[0], KindCommand, nil, gate)
	behind := enqueue(t, q[1], KindCommand, nil, held)
	require.Len(t, d[0].commands(), 1)
	require.Len(t, d[1].commands(), 1)
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	require.Empty(t, held.WaitList())
	require.Equal(t, []*Command{held}, behind.WaitList())
}

func TestDependencyInTheSameInOrderQueueIsNotForTheDevice(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{InOrder: true})
	a := enqueue(t, q, KindCommand, nil)
	b := enqueue(t, q, KindCommand, nil, a, a)
	require.Empty(t, b.WaitList())
	require.False(t, b.Poisoned())
	a.Complete(-5, 0, 0)
	require.True(t, b.Poisoned())
}

// A flush covers what was enqueued before it, also what becomes ready later.
func TestFlushReachesCommandsThatBecomeReadyLater(t *testing.T) {
	a := newAgent(t, 1, false)
	q := a.queue(Config{})
	gate := NewUser()
	first := enqueue(t, q, KindCommand, nil, gate)
	enqueue(t, q, KindBarrier, nil)
	last := enqueue(t, q, KindCommand, nil)
	q.Flush()
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	eventually(t, "not flushed", func() bool { return last.Status() == Complete }, q)
	require.Equal(t, Complete, first.Status())
}

// What another queue waits for is not left in an open batch, directly or behind something the host orders.
func TestDependencyFromAnotherQueueIsFlushed(t *testing.T) {
	a := newAgent(t, 1, false)
	q, q2 := a.queue(Config{}), a.queue(Config{InOrder: true})
	enqueue(t, q, KindCommand, nil)
	enqueue(t, q, KindBarrier, nil)
	behind := enqueue(t, q, KindCommand, nil)
	c := enqueue(t, q2, KindCommand, nil, behind)
	within(t, func() { require.Equal(t, Complete, c.Wait()) }, q, q2)
}
