package hostqueue

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command is recycled once, when it has ended and nothing is left to be done for it, wherever that is found out.
func TestCommandsAreRecycledLast(t *testing.T) {
	for name, inside := range map[string]bool{"ended in Submit": true, "ended later": false} {
		t.Run(name, func(t *testing.T) {
			d := &handDevice{}
			if inside {
				d.onSubmit = func(c *Command) { c.Complete(Complete, 0, 0) }
			}
			q := NewQueue(d, Config{InOrder: true})
			var did []string
			c := NewCommand(KindCommand, nil)
			c.OnDone = func(*Command) { did = append(did, "done") }
			c.Recycle = func(c *Command) {
				require.True(t, q.epoch.idle(), "it was counted until now")
				did = append(did, "recycled")
				*c = Command{}
			}
			require.NoError(t, q.Enqueue(c, nil))
			if !inside {
				require.Empty(t, did)
				c.Complete(Complete, 0, 0)
			}
			require.Equal(t, []string{"done", "recycled"}, did)

			kept := NewCommand(KindCommand, nil)
			kept.Recycle = func(*Command) { t.Error("recycled, but it was to be kept") }
			d.onSubmit = nil
			require.NoError(t, q.Enqueue(kept, nil))
			kept.Keep()
			kept.Complete(Complete, 0, 0)
			kept.Complete(ErrOutOfResources, 0, 0)
			require.Equal(t, Complete, kept.Status())
		})
	}
}

// Commands of an in-order queue run in the order they were enqueued, by several threads and behind user events, although most are
// other commands again by the time their successors come.
func TestRecycledCommandsKeepTheirOrder(t *testing.T) {
	const threads, each = 4, 5000
	a := newAgent(t, 2, true)
	q := a.queue(Config{InOrder: true})
	pool := sync.Pool{New: func() any { return new(Command) }}
	recycle := func(c *Command) {
		*c = Command{}
		pool.Put(c)
	}
	var last, recycled atomic.Uint64
	var wg sync.WaitGroup
	for thread := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				c := pool.Get().(*Command)
				c.Init(KindCommand, action(func() Status {
					if before := last.Swap(c.seq); before != c.seq-1 {
						a.breach("a command ran out of order")
					}
					return Complete
				}))
				c.Recycle = func(c *Command) { recycled.Add(1); recycle(c) }
				var wait []*Command
				var gate *Command
				if i%50 == thread {
					gate = NewUser()
					wait = append(wait, gate)
				}
				if err := q.Enqueue(c, wait); err != nil {
					a.breach(err.Error())
				}
				if gate != nil {
					runtime.Gosched()
					_ = gate.SetUserStatus(Complete, Leaves)
				}
			}
		}()
	}
	within(t, func() { wg.Wait(); q.Finish() }, q)
	require.EqualValues(t, threads*each, last.Load())
	eventually(t, "recycled", func() bool { return recycled.Load() == threads*each }, q)
	require.Zero(t, q.line.length.Load())
}

func TestDumpNamesTheFirstInLine(t *testing.T) {
	q := NewQueue(&handDevice{}, Config{InOrder: true})
	gate, second := NewUser(), NewUser()
	enqueue(t, q, KindCommand, nil)
	enqueue(t, q, KindCommand, nil, gate)
	enqueue(t, q, KindCommand, nil)
	enqueue(t, q, KindCommand, nil, second)
	require.Contains(t, q.Dump(), "first in line: command 2 of queue")
	require.Contains(t, q.Dump(), "waits for user event")
	require.NoError(t, gate.SetUserStatus(Complete, Leaves))
	require.Contains(t, q.Dump(), "first in line: command 4 of queue")
	require.NoError(t, second.SetUserStatus(Complete, Leaves))
	require.NotContains(t, q.Dump(), "first in line")
	require.Zero(t, q.line.length.Load())
}
