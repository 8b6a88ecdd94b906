package hostqueue

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Invariant 5.
func TestCallbacksFireOnceInTheOrderRegistered(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{})
	for _, end := range []Status{Complete, -5} {
		gate := NewUser()
		c := enqueue(t, q, KindCommand, nil, gate)
		type call struct {
			n int
			s Status
		}
		calls := make(chan call, 20)
		for n, at := range []Status{Complete, Running, Submitted, Complete, Running} {
			c.OnStatus(at, func(s Status) { calls <- call{n, s} })
		}
		next := func() (got call) {
			within(t, func() { got = <-calls }, q)
			return got
		}
		require.NoError(t, gate.SetUserStatus(Complete, Leaves))
		require.Equal(t, call{2, Submitted}, next())
		require.Empty(t, calls)
		c.Started()
		require.Equal(t, call{1, Running}, next())
		require.Equal(t, call{4, Running}, next())
		c.Complete(end, 0, 0)
		require.Equal(t, call{0, end}, next())
		require.Equal(t, call{3, end}, next())
		c.OnStatus(Submitted, func(s Status) { calls <- call{5, s} })
		want := Submitted
		if end < 0 {
			want = end
		}
		require.Equal(t, call{5, want}, next(), "past the status asked for: at once")
		time.Sleep(time.Millisecond)
		require.Empty(t, calls)
	}
}

func TestCallbacksFireForEveryStatusWhenACommandNeverRuns(t *testing.T) {
	q := NewQueue(&handDevice{}, Config{})
	gate := NewUser()
	c := enqueue(t, q, KindCommand, nil, gate)
	calls := make(chan int, 4)
	for n, at := range []Status{Submitted, Running, Complete} {
		c.OnStatus(at, func(s Status) {
			if s == ErrWaitList {
				calls <- n
			}
		})
	}
	require.NoError(t, gate.SetUserStatus(-1, Leaves))
	within(t, func() {
		for n := range 3 {
			require.Equal(t, n, <-calls)
		}
	}, q)
}

func TestNoCallbackIsLostAroundTheEnd(t *testing.T) {
	a := newAgent(t, 2, false)
	q := a.queue(Config{InOrder: true})
	const commands, each = 300, 20
	var calls atomic.Int32
	var wrong atomic.Int32
	for range commands {
		c := enqueue(t, q, KindCommand, nil)
		q.Flush()
		next := new(atomic.Int32)
		for i := range int32(each) {
			c.OnStatus(Complete, func(Status) {
				calls.Add(1)
				if next.Add(1) != i+1 {
					wrong.Add(1)
				}
			})
		}
	}
	eventually(t, "all called", func() bool { return calls.Load() == commands*each }, q)
	time.Sleep(2 * time.Millisecond)
	require.EqualValues(t, commands*each, calls.Load())
	require.Zero(t, wrong.Load(), "out of order")
}

func TestCallbackMayUseTheQueue(t *testing.T) {
	a := newAgent(t, 1, true)
	q := a.queue(Config{InOrder: true})
	gate := NewUser()
	held := enqueue(t, q, KindCommand, nil, gate)
	ended := make(chan Status, 1)
	first := NewCommand(KindCommand, nil)
	other := a.queue(Config{})
	require.NoError(t, other.Enqueue(first, nil))
	first.OnStatus(Complete, func(Status) {
		second := NewCommand(KindCommand, nil)
		_ = q.Enqueue(second, nil)
		q.Flush()
		other.Release() // the last reference
		second.OnStatus(Complete, func(s Status) { ended <- s })
		_ = gate.SetUserStatus(Complete, Leaves)
	})
	within(t, func() {
		q.Finish() // waits for what only the callback can set free
		require.Equal(t, Complete, <-ended)
	}, q, other)
	require.Equal(t, Complete, held.Status())
	eventually(t, "closed", func() bool { return other.Device().(*fakeDevice).closed.Load() == 1 }, other)
}

func TestSlowCallbackDelaysNoCommandAndNoOtherCallback(t *testing.T) {
	a := newAgent(t, 1, true)
	q := a.queue(Config{InOrder: true})
	release := make(chan struct{})
	var blocked, rest atomic.Int32
	const slow = 3
	for range slow {
		c := enqueue(t, q, KindCommand, nil)
		c.OnStatus(Complete, func(Status) { blocked.Add(1); <-release })
		c.OnStatus(Complete, func(Status) { rest.Add(1) })
	}
	for range 20 {
		enqueue(t, q, KindCommand, nil).OnStatus(Complete, func(Status) { rest.Add(1) })
	}
	within(t, q.Finish, q)
	eventually(t, "the others are called", func() bool { return blocked.Load() == slow && rest.Load() == 20 }, q)
	close(release)
	eventually(t, "those behind them too", func() bool { return rest.Load() == 20+slow }, q)
	eventually(t, "the threads that were blocked are gone", func() bool { return goroutines("(*callbackThread).run(") == 1 }, q)
}

func TestPanicInACallbackIsContained(t *testing.T) {
	told := make(chan string, 1)
	a := newAgent(t, 1, false)
	q := a.queue(Config{InOrder: true, Report: func(s string) { told <- s }})
	c := enqueue(t, q, KindCommand, nil)
	called := make(chan struct{})
	c.OnStatus(Complete, func(Status) { panic("of a callback") })
	c.OnStatus(Complete, func(Status) { close(called) })
	within(t, func() {
		require.Contains(t, <-told, "of a callback")
		<-called
	})
}

func TestRegisteringACallbackFlushes(t *testing.T) {
	a := newAgent(t, 1, false)
	q := a.queue(Config{InOrder: true})
	called := make(chan struct{})
	enqueue(t, q, KindCommand, nil).OnStatus(Complete, func(Status) { close(called) })
	within(t, func() { <-called }, q)
}
