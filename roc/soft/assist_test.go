package soft

import (
	"testing"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// newAgent is an agent none of whose workers was ever started.
func newAgent(t *testing.T) *bench {
	t.Helper()
	delete(agents, 3)
	t.Cleanup(func() { delete(agents, 3) })
	return newBench(t, 3)
}

// workers is how many were started.
func (b *bench) workers() int {
	b.agent.pool.mu.Lock()
	defer b.agent.pool.mu.Unlock()
	return b.agent.pool.started
}

func TestAssistRunsWhatIsBriefOnItsThread(t *testing.T) {
	b := newAgent(t)
	q := b.queue(nil)
	value := b.memory(2)
	done := b.signal()
	const n = 100
	for i := range uint64(n) {
		d := dispatch{kernel: "step", kernarg: b.kernarg(1, 1, address(value), address(value[1:]), i), groups: 1, size: 1, barrier: true}
		if i == n-1 {
			d.signal = done
		}
		q.Doorbell(b.dispatch(q, d), true)
	}
	q.Assist()
	require.Zero(t, done.Load(), "all have run")
	require.Equal(t, []uint64{n, 0}, value)
	require.Zero(t, b.workers())
	q.Assist() // has nothing to do
}

// What may wait for the application, or takes long, must not keep the thread that enqueues it.
func TestAssistLeavesTheRestToWorkers(t *testing.T) {
	b := newAgent(t)
	counter := b.memory(1 << 20)
	for name, d := range map[string]dispatch{
		"with a loop": {kernel: "count", kernarg: b.kernarg(1, 1, address(counter), 0), groups: 1, size: 1},
		"large":       {kernel: "mark", kernarg: b.kernarg(1, 1, address(counter)), groups: 1 << 20, size: 1},
	} {
		t.Run(name, func(t *testing.T) {
			q := b.queue(nil)
			d.signal = b.signal()
			require.False(t, kernelOf(b.kernels[d.kernel]).isBrief(grid{groups: uint64(d.groups), items: uint64(d.size)}))
			q.Doorbell(b.dispatch(q, d), true)
			q.Assist()
			b.waitSignal(d.signal, false)
			require.NotZero(t, b.workers())
		})
	}
	t.Run("of the host", func(t *testing.T) {
		q := b.queue(nil)
		s := b.signal()
		gate := make(chan struct{})
		b.serve(func(uint64) error { <-gate; return nil })
		at := b.reserve(q)
		p := (*hsa.AgentDispatchPacket)(q.Packet(at))
		p.Args, p.Correlation, p.Completion = [4]uint64{}, 0, s
		q.Publish(at, hsa.Header(hsa.PacketAgentDispatch, false, hsa.ScopeSystem, hsa.ScopeSystem), 0)
		q.Doorbell(at, true)
		q.Assist()
		close(gate)
		b.waitSignal(s, false)
	})
	t.Run("in another queue", func(t *testing.T) {
		q, waits := b.queue(nil), b.queue(nil)
		s, last := b.signal(), b.signal()
		b.barrier(waits, hsa.PacketBarrierAnd, true, 0, s)
		waits.Doorbell(b.barrier(waits, hsa.PacketBarrierAnd, true, last), false)
		b.wait("the barrier packet", false, func() bool { return b.agent.signals.state(s.Block()).waiters.Load() != nil })
		value := b.memory(2)
		q.Doorbell(b.dispatch(q, dispatch{kernel: "step", kernarg: b.kernarg(1, 1, address(value), address(value[1:]), 0), groups: 1, size: 1, signal: s}), true)
		q.Assist()
		b.waitSignal(last, false)
	})
}
