package soft

import (
	"testing"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

func TestATrapInARunLeavesWhatIsBehind(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		const n, bad = 10, 6
		q, failed, index := b.failing()
		ran := b.memory(n)
		var last uint64
		for i := range n {
			target := address(ran[i:])
			if i == bad {
				target = 0
			}
			last = b.dispatch(q, dispatch{kernel: "mark", kernarg: b.kernarg(1, 1, target), groups: 1, size: 1, barrier: true})
		}
		q.Doorbell(last, help)
		require.ErrorContains(t, b.failure(failed, help), "invalid access to memory at 0x0")
		require.EqualValues(t, bad, *index)
		require.EqualValues(t, bad+1, q.ReadIndex(), "what is behind has not begun")
		require.Equal(t, []uint64{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, ran)
	})
}

func TestARunIsOfOneKernelAndOneSignal(t *testing.T) {
	b := newBench(t, 1)
	th := &thread{agent: b.agent}
	groups := b.memory(8)
	mark := dispatch{kernel: "mark", kernarg: b.kernarg(4, 2, address(groups)), groups: 4, size: 2, barrier: true}
	signalled, larger, other, local, free, looped := mark, mark, mark, mark, mark, mark
	signalled.signal = b.signal()
	larger.size = 1
	other.kernel, other.kernarg = "step", b.kernarg(4, 2, address(groups), address(groups[1:]), 0)
	local.local = 64
	free.barrier = false
	looped.kernel, looped.kernarg = "count", b.kernarg(4, 2, address(groups), 0)
	for _, c := range []struct {
		name    string
		packets []dispatch
		running uint64
		n       int
	}{
		{"alike", []dispatch{mark, mark, mark}, 0, 3},
		{"up to a signal", []dispatch{mark, signalled, mark}, 0, 2},
		{"of another size", []dispatch{mark, mark, larger}, 0, 2},
		{"of another kernel", []dispatch{mark, other}, 0, 1},
		{"with local memory", []dispatch{mark, local}, 0, 1},
		{"with a loop", []dispatch{looped, looped}, 0, 0},
		{"beside what runs", []dispatch{free, free, mark}, running, 2},
		{"around a ring", []dispatch{mark, mark, mark, mark}, 0, 4},
	} {
		queue, err := b.agent.NewQueue(4, hsa.PriorityNormal, nil)
		require.NoError(t, err)
		q := queue.(*Queue)
		for _, d := range c.packets {
			b.dispatch(q, d)
		}
		r := th.gather(q, c.running)
		require.Equal(t, c.n, r.packets, c.name)
		require.EqualValues(t, 8*c.n, r.items, c.name)
		q.Destroy()
	}
}
