package soft

import (
	"testing"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// needs is a waiter that needs one queue.
type needs struct{ q hsa.Queue }

func (n needs) Needs(q hsa.Queue, _ any) bool { return q == n.q }

// A thread that waits for one queue must not be kept by what another has, which may wait for what the thread does next.
func TestHelpersLeaveWhatTheyDoNotNeed(t *testing.T) {
	for name, enqueue := range map[string]func(b *bench, q *Queue) (at uint64, done hsa.Signal){
		"a kernel with a loop": func(b *bench, q *Queue) (uint64, hsa.Signal) {
			d := dispatch{kernel: "count", kernarg: b.kernarg(1, 1, address(b.memory(1)), 0), groups: 1, size: 1, signal: b.signal()}
			return b.dispatch(q, d), d.signal
		},
		"a function of the host": func(b *bench, q *Queue) (uint64, hsa.Signal) {
			b.serve(func(uint64) error { return nil })
			s, at := b.signal(), b.reserve(q)
			p := (*hsa.AgentDispatchPacket)(q.Packet(at))
			p.Args, p.Correlation, p.Completion = [4]uint64{}, 0, s
			q.Publish(at, hsa.Header(hsa.PacketAgentDispatch, false, hsa.ScopeSystem, hsa.ScopeSystem), 0)
			return at, s
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newAgent(t)
			q, own := b.queue(nil), b.queue(nil)
			at, done := enqueue(b, q)
			q.Doorbell(at, true)
			require.False(t, b.agent.Help(needs{own}, nil))
			b.waitSignal(done, false)
			require.NotZero(t, b.workers(), "a worker has run it")
		})
		t.Run(name+" that is needed", func(t *testing.T) {
			b := newAgent(t)
			q := b.queue(nil)
			at, done := enqueue(b, q)
			q.Doorbell(at, true)
			require.True(t, b.agent.Help(needs{q}, nil))
			require.Zero(t, done.Load())
		})
	}
}

func TestHelpersRunWhatIsBriefForAnybody(t *testing.T) {
	b := newAgent(t)
	q, own := b.queue(nil), b.queue(nil)
	value := b.memory(2)
	done := b.signal()
	q.Doorbell(b.dispatch(q, dispatch{kernel: "step", kernarg: b.kernarg(1, 1, address(value), address(value[1:]), 0), groups: 1, size: 1, signal: done}), true)
	require.True(t, b.agent.Help(needs{own}, nil))
	require.Zero(t, done.Load())
	require.Zero(t, b.workers())
}

// What is not needed is in front of what is; others that come first must not keep it from the thread.
func TestHelpersComePastWhatTheyDoNotNeed(t *testing.T) {
	b := newAgent(t)
	counter := b.memory(2)
	q, own := b.queue(nil), b.queue(nil)
	other, done := b.signal(), b.signal()
	run := func(q *Queue, s hsa.Signal, at int) {
		d := dispatch{kernel: "count", kernarg: b.kernarg(1, 1, address(counter[at:]), 0), groups: 1, size: 1, signal: s}
		q.Doorbell(b.dispatch(q, d), true)
	}
	run(q, other, 0)
	run(own, done, 1)
	require.True(t, b.agent.Help(needs{own}, nil))
	require.Zero(t, done.Load())
	b.waitSignal(other, false)
}
