package hostqueue

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
)

// Invariant 4.
func TestCommandEndsOnce(t *testing.T) {
	for range 200 {
		d := &handDevice{}
		q := NewQueue(d, Config{Profiling: true})
		c := NewCommand(KindCommand, nil)
		var done, called atomic.Int32
		c.OnDone = func(*Command) { done.Add(1) }
		require.NoError(t, q.Enqueue(c, nil))
		after := enqueue(t, q, KindCommand, nil, c)
		fired := make(chan Status, 8)
		c.OnStatus(Complete, func(s Status) { called.Add(1); fired <- s })
		var all sync.WaitGroup
		for s := range Status(4) {
			all.Go(func() {
				if s == 3 {
					c.Started()
					return
				}
				c.Complete(-s, 1, 2)
			})
		}
		within(t, all.Wait, q)
		s := c.Status()
		require.LessOrEqual(t, s, Complete)
		within(t, func() { require.Equal(t, s, <-fired) })
		require.EqualValues(t, 1, done.Load())
		require.EqualValues(t, 1, called.Load())
		after.Complete(Complete, 1, 2)
		within(t, q.Finish, q)
	}
}

func TestStatusGoesForwardOnly(t *testing.T) {
	var inside []Status
	d := &handDevice{}
	d.onSubmit = func(c *Command) { inside = append(inside, c.Status()) }
	q := NewQueue(d, Config{})
	gate := NewUser()
	require.Equal(t, Submitted, gate.Status())
	c := enqueue(t, q, KindCommand, nil, gate)
	require.Equal(t, Queued, c.Status())
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	require.Equal(t, Submitted, c.Status())
	c.Started()
	require.Equal(t, Running, c.Status())
	c.Complete(-36, 0, 0)
	require.EqualValues(t, -36, c.Status())
	c.Started()
	c.Complete(Complete, 0, 0)
	require.EqualValues(t, -36, c.Status())
	require.Equal(t, []Status{Queued}, inside, "the device has it when Submit returns")
}

func TestUserEventIsSetOnce(t *testing.T) {
	u := NewUser()
	require.ErrorIs(t, u.SetUserStatus(Running, Leaves), ErrStatus)
	require.NoError(t, u.SetUserStatus(-3, Leaves))
	require.ErrorIs(t, u.SetUserStatus(Complete, Leaves), ErrStatusSet)
	require.EqualValues(t, -3, u.Status())
	require.ErrorIs(t, NewCommand(KindCommand, nil).SetUserStatus(Complete, Leaves), ErrNotUser)
	require.Nil(t, u.Queue())
}

func TestCommandIsEnqueuedOnce(t *testing.T) {
	q := NewQueue(&handDevice{}, Config{})
	c := enqueue(t, q, KindCommand, nil)
	require.ErrorIs(t, q.Enqueue(c, nil), ErrEnqueued)
	require.ErrorIs(t, q.Enqueue(NewUser(), nil), ErrEnqueued)
	q.Release()
	require.ErrorIs(t, q.Enqueue(NewCommand(KindCommand, nil), nil), ErrReleased)
}

func TestFailedDependencyEndsDependents(t *testing.T) {
	for name, order := range map[string]bool{"in order": true, "out of order": false} {
		for where, domain := range map[string]any{"same domain": t, "other domain": nil} {
			t.Run(name+", "+where, func(t *testing.T) {
				d, d2 := &handDevice{domain: domain}, &handDevice{domain: domain}
				q, q2 := NewQueue(d, Config{InOrder: order}), NewQueue(d2, Config{InOrder: order})
				gate := NewUser()
				bad := enqueue(t, q, KindCommand, nil, gate)
				same := enqueue(t, q, KindCommand, nil, bad)
				second := enqueue(t, q, KindCommand, nil, same)
				marker := enqueue(t, q, KindMarker, nil, second)
				next := enqueue(t, q, KindCommand, nil)
				other := enqueue(t, q2, KindCommand, nil, bad)
				nextOther := enqueue(t, q2, KindCommand, nil)
				require.NoError(t, gate.SetUserStatus(-1, Leaves))
				for _, c := range []*Command{bad, same, second, marker, other} {
					require.Equal(t, ErrWaitList, c.Status())
				}
				late := enqueue(t, q2, KindCommand, nil, other, gate)
				require.Equal(t, ErrWaitList, late.Status(), "failed before it was enqueued")
				require.Equal(t, []*Command{next}, d.commands(), "what has no failed dependency runs")
				require.Equal(t, []*Command{nextOther}, d2.commands())
				next.Complete(Complete, 0, 0)
				nextOther.Complete(Complete, 0, 0)
				within(t, q.Finish, q)
				within(t, q2.Finish, q2)
			})
		}
	}
}

func TestFailureOnTheDeviceReachesDependentsAlreadyThere(t *testing.T) {
	a := newAgent(t, 2, true)
	for name, order := range map[string]bool{"in order": true, "out of order": false} {
		t.Run(name, func(t *testing.T) {
			q, q2 := a.queue(Config{InOrder: order}), a.queue(Config{InOrder: order})
			var ran atomic.Int32
			run := action(func() Status { ran.Add(1); return Complete })
			bad := enqueue(t, q, KindCommand, action(func() Status { return -5 }))
			chain := []*Command{bad}
			for i := range 50 {
				on := q
				if i%3 == 0 {
					on = q2
				}
				chain = append(chain, enqueue(t, on, KindCommand, run, chain[len(chain)-1]))
			}
			ok := enqueue(t, q, KindCommand, run)
			within(t, func() {
				require.Equal(t, ErrWaitList, WaitAll(chain))
				require.Equal(t, Complete, ok.Wait())
			}, q, q2)
			for _, c := range chain[1:] {
				require.Equal(t, ErrWaitList, c.Status())
			}
			require.EqualValues(t, 1, ran.Load())
		})
	}
}

// A device may ask along a chain before it has ended any of it.
func TestPoisonRunsAlongAChain(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{InOrder: true})
	bad := enqueue(t, q, KindCommand, nil)
	a := enqueue(t, q, KindCommand, nil, bad)
	b := enqueue(t, q, KindCommand, nil, a)
	bad.Complete(-5, 0, 0)
	require.True(t, a.Poisoned())
	require.True(t, b.Poisoned())
	require.Equal(t, Submitted, b.Status())
	a.Complete(ErrWaitList, 0, 0)
	b.Complete(ErrWaitList, 0, 0)
	within(t, q.Finish, q)
}

// A device that ran a command although it was poisoned cannot make a success of it.
func TestPoisonedCommandNeverCompletes(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{})
	a := enqueue(t, q, KindCommand, nil)
	b := enqueue(t, q, KindCommand, nil, a)
	a.Complete(-5, 0, 0)
	b.Complete(Complete, 1, 2)
	require.Equal(t, ErrWaitList, b.Status())
}

func TestDeviceThatPanicsEndsTheCommand(t *testing.T) {
	var text string
	bad := true
	d := &handDevice{}
	d.onSubmit = func(c *Command) {
		if bad {
			panic("ring lost")
		}
		c.Complete(Complete, 0, 0)
	}
	q := NewQueue(d, Config{InOrder: true, Report: func(s string) { text = s }})
	c := enqueue(t, q, KindCommand, nil)
	require.Equal(t, ErrOutOfResources, c.Status())
	require.Contains(t, text, "ring lost")
	bad = false
	require.Equal(t, Complete, enqueue(t, q, KindCommand, nil).Status(), "the next command runs")
	within(t, q.Finish, q)
}

func TestWhoLooksSeesThatACommandRuns(t *testing.T) {
	running := false
	d := &handDevice{began: func(*Command) bool { return running }}
	q := NewQueue(d, Config{})
	gate := NewUser()
	c := enqueue(t, q, KindCommand, nil, gate)
	require.Equal(t, Queued, c.Observe())
	require.Equal(t, Submitted, gate.Observe())
	marker := enqueue(t, q, KindMarker, nil, gate)
	require.Equal(t, Queued, marker.Observe())
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	require.Equal(t, Submitted, c.Observe())
	running = true
	require.Equal(t, Submitted, c.Status(), "nobody has looked")
	require.Equal(t, Running, c.Observe())
	require.Equal(t, Running, c.Status())
	c.Complete(Complete, 0, 0)
	require.Equal(t, Complete, c.Observe())
}

// TestADependencyElsewhereIsSetGoing: on the same hardware its packets have to be in a ring; on other hardware, which no one who
// waits here will help, someone has to be told.
func TestADependencyElsewhereIsSetGoing(t *testing.T) {
	for _, c := range []struct {
		domain any
		want   Cut
	}{{"same", CutForeign}, {"other", CutFlush}} {
		first, second := &handDevice{domain: "same"}, &handDevice{domain: c.domain}
		a := enqueue(t, NewQueue(first, Config{}), KindCommand, nil)
		b := enqueue(t, NewQueue(second, Config{}), KindCommand, nil, a)
		require.Contains(t, first.cuts, c.want)
		a.Complete(Complete, 1, 2)
		b.Complete(Complete, 1, 2)
		require.Equal(t, Complete, b.Wait())
	}
}

func TestTimesAreOrderedAndEachItsOwn(t *testing.T) {
	d := &handDevice{}
	q := NewQueue(d, Config{Profiling: true})
	gate := NewUser()
	first := enqueue(t, q, KindCommand, nil)
	held := enqueue(t, q, KindCommand, nil, gate)
	queued, submit, start, end, complete := held.Times()
	require.NotZero(t, queued)
	require.Zero(t, submit|start|end|complete)
	between := uint64(nanotime())
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	_, submit, start, _, _ = held.Times()
	require.GreaterOrEqual(t, submit, between, "taken when it was submitted, not when it was enqueued")
	require.Zero(t, start)
	begin := uint64(nanotime())
	held.Complete(Complete, begin, begin+1)
	m := enqueue(t, q, KindMarker, nil)
	first.Complete(Complete, 1, 2) // a device whose clock is behind
	for _, c := range []*Command{first, held, m} {
		queued, submit, start, end, complete := c.Times()
		require.NotZero(t, queued)
		require.LessOrEqual(t, queued, submit)
		require.LessOrEqual(t, submit, start)
		require.LessOrEqual(t, start, end)
		require.LessOrEqual(t, end, complete)
	}
	_, _, start, end, _ = held.Times()
	require.Equal(t, []uint64{begin, begin + 1}, []uint64{start, end})
	_, _, start, _, complete = m.Times()
	require.Greater(t, start, begin)
	require.NotZero(t, complete)

	bad := enqueue(t, q, KindCommand, nil, enqueue(t, q, KindMarker, nil, failed()))
	_, submit, start, end, complete = bad.Times()
	require.Zero(t, submit|start|end, "it did not run")
	require.NotZero(t, complete)

	plain := NewQueue(d, Config{})
	queued, _, _, _, _ = enqueue(t, plain, KindCommand, nil).Times()
	require.Zero(t, queued)
}

func failed() *Command {
	u := NewUser()
	_ = u.SetUserStatus(-1, Leaves)
	return u
}

func TestOnDoneRunsBeforeFinishReturnsAndDeviceClosesAfterTheLast(t *testing.T) {
	a := newAgent(t, 2, false)
	q := a.queue(Config{})
	var done atomic.Int32
	gate := NewUser()
	for i := range 300 {
		c := NewCommand(KindCommand, nil)
		c.OnDone = func(*Command) { done.Add(1) }
		if i == 0 {
			require.NoError(t, q.Enqueue(c, []*Command{gate}))
		} else {
			require.NoError(t, q.Enqueue(c, nil))
		}
	}
	d := q.Device().(*fakeDevice)
	q.Release()
	q.Release()
	eventually(t, "the rest ends", func() bool { return done.Load() == 299 }, q)
	require.Zero(t, d.closed.Load())
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	within(t, q.Finish, q)
	require.EqualValues(t, 300, done.Load())
	eventually(t, "closed", func() bool { return d.closed.Load() == 1 }, q)
}

func TestEventThatIsKeptKeepsNoOthers(t *testing.T) {
	d := &instant{}
	q := NewQueue(d, Config{})
	behind := func() (weak.Pointer[Command], *Command) {
		a := enqueue(t, q, KindCommand, nil)
		return weak.Make(a), enqueue(t, q, KindCommand, nil, a)
	}
	first, kept := behind()
	within(t, q.Finish, q)
	runtime.GC()
	require.Nil(t, first.Value())
	require.Equal(t, Complete, kept.Status())
}
