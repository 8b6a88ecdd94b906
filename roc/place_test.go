package roc

import (
	"runtime"
	"testing"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

// pair is two in-order queues, of which the first is kept from ending anything until open is called.
type pair struct {
	*bench
	first, second *hostqueue.Queue
	counter       []uint64
	open          func()
}

func newPair(t *testing.T) *pair {
	b := makeBench(t, 2, limits{queues: 2, size: 1024, batch: 16}) // in one that others have used their queues may be about to leave rings
	p := &pair{bench: b, first: b.queue(true, nil), second: b.queue(true, nil), counter: b.memory(1)}
	var hold *Dispatch
	hold, p.open = b.hold()
	b.enqueue(p.first, hold, false)
	b.enqueue(p.second, p.count(), true)
	b.within("the first command", func() { p.second.Finish() })
	p.idle(p.second)
	p.counter[0] = 0
	require.False(t, p.ring(p.first) == p.ring(p.second), "each has a ring of its own")
	return p
}

func (p *pair) count() *Dispatch { return p.dispatch("count", 1, 1, address(p.counter), 0) }

// heavy is a launch that counts and is taken to last long.
func (p *pair) heavy() *Dispatch { return p.dispatch("count", 1000, 250, address(p.counter), 0) }

// ring is where q's commands go. Rings are compared by ==: what requires the same object prints it when it is not, contents and all,
// while they are in use.
func (p *pair) ring(q *hostqueue.Queue) *ring {
	v := q.Device().(*VirtualGPU)
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ring
}

// idle waits until the device has nothing of q. A command is complete a little earlier.
func (p *pair) idle(q *hostqueue.Queue) {
	v := q.Device().(*VirtualGPU)
	p.within("an idle queue", func() {
		for idle := false; !idle; runtime.Gosched() {
			v.mu.Lock()
			idle = v.idle()
			v.mu.Unlock()
		}
	})
}

// finish lets everything run, and says how much was counted.
func (p *pair) finish() uint64 {
	p.open()
	p.within("both queues", func() {
		p.first.Finish()
		p.second.Finish()
	})
	return p.counter[0]
}

func TestQueuesThatTakeTurnsShareARing(t *testing.T) {
	p := newPair(t)
	home := p.ring(p.second)
	var last []*hostqueue.Command
	for i := range 10 {
		q := p.first
		if i%2 == 1 {
			q = p.second
		}
		last = []*hostqueue.Command{p.enqueue(q, p.count(), true, last...)}
		q.Flush()
	}
	require.True(t, p.ring(p.first) == p.ring(p.second))
	require.EqualValues(t, 10, p.finish())
	p.idle(p.second)
	p.enqueue(p.second, p.count(), true).Wait()
	require.True(t, home == p.ring(p.second), "it is back when nothing of it is in flight")
}

func TestAQueueDoesNotFollow(t *testing.T) {
	for what, enqueue := range map[string]func(p *pair) (dep *hostqueue.Command, op hostqueue.Op){
		"with what takes long": func(p *pair) (*hostqueue.Command, hostqueue.Op) {
			return p.enqueue(p.first, p.count(), true), p.heavy()
		},
		"what takes long": func(p *pair) (*hostqueue.Command, hostqueue.Op) {
			return p.enqueue(p.first, p.heavy(), true), p.count()
		},
		"what others came behind": func(p *pair) (*hostqueue.Command, hostqueue.Op) {
			dep := p.enqueue(p.first, p.count(), true)
			p.enqueue(p.first, p.heavy(), true)
			return dep, p.count()
		},
	} {
		t.Run(what, func(t *testing.T) {
			p := newPair(t)
			home := p.ring(p.second)
			dep, op := enqueue(p)
			c := p.enqueue(p.second, op, true, dep)
			require.True(t, home == p.ring(p.second))
			p.finish()
			require.Equal(t, hostqueue.Complete, c.Status())
		})
	}
}

// What a queue does next is not held up by what has come into the ring it followed into; it is still in order.
func TestAQueueGoesHome(t *testing.T) {
	for what, next := range map[string]func(p *pair) hostqueue.Op{
		"with what takes long":           func(p *pair) hostqueue.Op { return p.heavy() },
		"when others are in front of it": func(p *pair) hostqueue.Op { p.enqueue(p.first, p.heavy(), true); return p.count() },
	} {
		t.Run(what, func(t *testing.T) {
			p := newPair(t)
			home := p.ring(p.second)
			followed := p.enqueue(p.second, p.count(), true, p.enqueue(p.first, p.count(), true))
			require.True(t, p.ring(p.first) == p.ring(p.second))
			p.second.Flush() // else the ticker may cut its batch behind what comes next
			op := next(p)
			c := p.enqueue(p.second, op, true)
			require.True(t, home == p.ring(p.second))
			p.second.Flush()
			require.Greater(t, c.Status(), hostqueue.Complete, "it is behind the one that waits")
			p.finish()
			require.Equal(t, hostqueue.Complete, followed.Status())
			require.Equal(t, hostqueue.Complete, c.Status())
		})
	}
}
