package soft

import (
	"errors"
	"fmt"
	"math/rand"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// both runs a test where the caller helps and where workers do it all.
func both(t *testing.T, f func(t *testing.T, b *bench, help bool)) {
	for _, workers := range []int{1, 2, 5} {
		for _, help := range []bool{true, false} {
			t.Run(fmt.Sprintf("workers %d help %v", workers, help), func(t *testing.T) { f(t, newBench(t, workers), help) })
		}
	}
}

func TestKernelRunsOverAllWorkGroups(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		q := b.queue(nil)
		for _, groups := range []int{1, 2, 3, 100, 4096, 100_003} {
			for range 3 { // the agent learns how long the kernel takes, and shares differently
				marks := b.memory(groups)
				s := b.signal()
				at := b.dispatch(q, dispatch{kernel: "mark", kernarg: b.kernarg(groups, 64, address(marks)), groups: groups, size: 64, signal: s})
				q.Doorbell(at, help)
				b.waitSignal(s, help)
				for g, n := range marks {
					require.EqualValues(t, 1, n, "group %d of %d", g, groups)
				}
				start, end := b.agent.Times(s)
				require.NotZero(t, start)
				require.LessOrEqual(t, start, end)
			}
		}
	})
}

func TestBarrierBitOrdersPackets(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		q := b.queue(nil)
		value := b.memory(2)
		const n = 5000
		s := b.signal()
		for i := range uint64(n) {
			d := dispatch{kernel: "step", kernarg: b.kernarg(1, 1, address(value), address(value[1:]), i), groups: 1, size: 1, barrier: true}
			if i == n-1 {
				d.signal = s
			}
			at := b.dispatch(q, d)
			if i%37 == 0 || i == n-1 {
				q.Doorbell(at, help)
			}
		}
		b.waitSignal(s, help)
		require.EqualValues(t, n, value[0])
		require.Zero(t, value[1])
	})
}

func TestPacketsWithoutBarrierBitOverlap(t *testing.T) {
	b := newBench(t, 2)
	q := b.queue(nil)
	gate := make(chan struct{})
	var arrived atomic.Int32
	b.serve(func(arg uint64) error { // each call waits for the other
		if arrived.Add(1) == 2 {
			close(gate)
		}
		select {
		case <-gate:
			return nil
		case <-time.After(deadline):
			return errors.New("ran alone")
		}
	})
	signals := []hsa.Signal{b.signal(), b.signal()}
	var last uint64
	for _, s := range signals {
		last = b.reserve(q)
		p := (*hsa.AgentDispatchPacket)(q.Packet(last))
		p.Args, p.Completion = [4]uint64{7}, s
		q.Publish(last, hsa.Header(hsa.PacketAgentDispatch, false, hsa.ScopeSystem, hsa.ScopeSystem), 0)
	}
	q.Doorbell(last, false)
	for _, s := range signals {
		b.waitSignal(s, false)
	}
}

func TestBarrierPacketsWaitForSignals(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		for _, c := range []struct {
			name string
			kind hsa.PacketType
			or   bool
		}{{"and", hsa.PacketBarrierAnd, false}, {"or", hsa.PacketBarrierOr, true}} {
			q := b.queue(nil)
			x, y, done := b.signal(), b.signal(), b.signal()
			at := b.barrier(q, c.kind, false, done, x, 0, y)
			q.Doorbell(at, help)
			time.Sleep(2 * time.Millisecond)
			for b.help() {
			}
			require.EqualValues(t, 1, done.Load(), c.name)
			b.agent.Complete(y)
			if !c.or {
				time.Sleep(2 * time.Millisecond)
				for b.help() {
				}
				require.EqualValues(t, 1, done.Load(), c.name)
				b.agent.Complete(x)
			}
			b.waitSignal(done, help)
		}
	})
}

// A graph of packets over many queues: each waits for some packets before it, in its own queue by the barrier bit and in
// others by barrier packets, and checks that they have run.
func TestRandomGraphsOverManyQueues(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		const seed = 1
		r := rand.New(rand.NewSource(seed))
		const nodes = 3000
		type node struct {
			deps []int
			ran  atomic.Bool
		}
		graph := make([]node, nodes)
		var wrong atomic.Int32
		b.serve(func(arg uint64) error {
			for _, d := range graph[arg].deps {
				if !graph[d].ran.Load() {
					wrong.Add(1)
				}
			}
			graph[arg].ran.Store(true)
			return nil
		})
		queues := make([]*Queue, 7)
		for i := range queues {
			queues[i] = b.queue(nil)
		}
		signals := make([]hsa.Signal, nodes)
		for i := range graph {
			q := queues[r.Intn(len(queues))]
			var foreign []hsa.Signal
			for range min(r.Intn(6), i) {
				d := max(i-1-r.Intn(40), 0)
				graph[i].deps = append(graph[i].deps, d)
				foreign = append(foreign, signals[d])
			}
			if len(foreign) > 0 {
				b.barrier(q, hsa.PacketBarrierAnd, r.Intn(4) == 0, 0, foreign...)
			}
			signals[i] = b.signal()
			at := b.reserve(q)
			p := (*hsa.AgentDispatchPacket)(q.Packet(at))
			p.Args, p.Completion = [4]uint64{uint64(i)}, signals[i]
			q.Publish(at, hsa.Header(hsa.PacketAgentDispatch, r.Intn(3) == 0, hsa.ScopeSystem, hsa.ScopeSystem), 0)
			q.Doorbell(at, help)
		}
		for _, s := range signals {
			b.waitSignal(s, help)
		}
		require.Zero(t, wrong.Load(), "seed %d", seed)
	})
}

func TestWatchCallsHandlerOnce(t *testing.T) {
	b := newBench(t, 2)
	q := b.queue(nil)
	var calls atomic.Int32
	before, after := b.signal(), b.signal()
	b.watch(before, func() { calls.Add(1) })
	b.barrier(q, hsa.PacketBarrierAnd, false, before)
	q.Doorbell(b.barrier(q, hsa.PacketBarrierAnd, false, after), false)
	b.waitSignal(after, false)
	b.watch(after, func() { calls.Add(1) }) // has come down already
	b.wait("handlers", false, func() bool { return calls.Load() == 2 })
}

func TestMillionDispatchesInFlatMemory(t *testing.T) {
	b := newBench(t, 2)
	q := b.queue(nil)
	counter := b.memory(1)
	kernarg := b.kernarg(1, 1, address(counter), 0)
	n := 1_000_000
	if testing.Short() || raceEnabled {
		n = 50_000
	}
	s := b.signal()
	used := b.agent.memory.inUse
	for i := range n {
		d := dispatch{kernel: "count", kernarg: kernarg, groups: 1, size: 1, barrier: true}
		if i%100 == 99 {
			d.signal = s
		}
		at := b.dispatch(q, d)
		if i%100 == 99 {
			q.Doorbell(at, i%200 == 99)
			b.waitSignal(s, i%200 == 99)
			s.Reset(1)
		}
	}
	require.EqualValues(t, n, counter[0])
	require.Equal(t, used, b.agent.memory.inUse)
}

// Who sees that the last packet has ended may destroy the queue before the thread that ran it has turned away.
func TestAQueueStaysWhileAThreadLooksAtIt(t *testing.T) {
	b := newAgent(t)
	q := b.queue(nil)
	require.True(t, q.tryLock())
	destroyed := make(chan struct{})
	go func() {
		q.Destroy()
		close(destroyed)
	}()
	over := func() bool {
		select {
		case <-destroyed:
			return true
		default:
			return false
		}
	}
	b.wait("nobody finds it", false, func() bool { return len(*b.agent.queues.Load()) == 0 })
	time.Sleep(2 * time.Millisecond)
	require.False(t, over())
	require.True(t, q.unlock())
	b.wait("it is destroyed", false, over)
}

func TestPriorityGoesFirst(t *testing.T) {
	b := newAgent(t) // the caller will help, so no worker wakes
	var order []hsa.Priority
	for _, p := range []hsa.Priority{hsa.PriorityLow, hsa.PriorityNormal, hsa.PriorityHigh} {
		queue, err := b.agent.NewQueue(64, p, nil)
		require.NoError(t, err)
		q := queue.(*Queue)
		defer q.Destroy()
		s := b.signal()
		b.watch(s, func() { order = append(order, p) })
		q.Doorbell(b.barrier(q, hsa.PacketBarrierAnd, true, s), true)
	}
	for b.help() {
	}
	require.Equal(t, []hsa.Priority{hsa.PriorityHigh, hsa.PriorityNormal, hsa.PriorityLow}, order)
}

// A worker that is taken for attentive but is not delays others by a few milliseconds at most.
func TestKernelThatTakesLongerThanEverHoldsNothingUp(t *testing.T) {
	b := newBench(t, 2)
	gate := b.memory(1)
	gate[0] = 1
	hold := dispatch{kernel: "hold", kernarg: b.kernarg(1, 1, address(gate)), groups: 1, size: 1}
	q, other := b.queue(nil), b.queue(nil)
	for range 2000 { // the kernel is known to take no time
		hold.signal = b.signal()
		q.Doorbell(b.dispatch(q, hold), true)
		b.waitSignal(hold.signal, true)
		b.agent.FreeSignal(hold.signal)
	}
	atomic.StoreUint64(&gate[0], 0)
	hold.signal = b.signal()
	q.Doorbell(b.dispatch(q, hold), false)
	b.wait("start", false, func() bool { return q.ReadIndex() == 2001 })
	quick := b.signal()
	count := dispatch{kernel: "count", kernarg: b.kernarg(1, 1, address(b.memory(1)), 0), groups: 1, size: 1, signal: quick}
	other.Doorbell(b.dispatch(other, count), false)
	b.waitSignal(quick, false)
	require.EqualValues(t, 1, hold.signal.Load(), "it is held until now")
	atomic.StoreUint64(&gate[0], 1)
	b.waitSignal(hold.signal, false)
}

func BenchmarkDispatchAndWait(b *testing.B) {
	bn := newBench(b, 0)
	q := bn.queue(nil)
	counter := bn.memory(1)
	kernarg := bn.kernarg(1, 1, address(counter), 0)
	s := bn.signal()
	for b.Loop() {
		s.Reset(1)
		at := bn.dispatch(q, dispatch{kernel: "count", kernarg: kernarg, groups: 1, size: 1, barrier: true, signal: s})
		q.Doorbell(at, true)
		for s.Load() > 0 {
			bn.help()
		}
	}
}

func BenchmarkChainOf100(b *testing.B) {
	bn := newBench(b, 0)
	q := bn.queue(nil)
	counter := bn.memory(1)
	kernarg := bn.kernarg(1, 1, address(counter), 0)
	s := bn.signal()
	for b.Loop() {
		s.Reset(1)
		for i := range 100 {
			d := dispatch{kernel: "count", kernarg: kernarg, groups: 1, size: 1, barrier: true}
			if i == 99 {
				d.signal = s
			}
			q.Doorbell(bn.dispatch(q, d), true)
		}
		for s.Load() > 0 {
			bn.help()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/kernel")
}

func BenchmarkCopy(b *testing.B) {
	bn := newBench(b, 0)
	for _, size := range []uint64{4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20} {
		dst, err := bn.agent.Alloc(size)
		require.NoError(b, err)
		src, err := bn.agent.Alloc(size)
		require.NoError(b, err)
		clear(bytesAt(dst, size))
		clear(bytesAt(src, size))
		b.Run(fmt.Sprintf("go %d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				copy(bytesAt(dst, size), bytesAt(src, size))
			}
		})
		b.Run(fmt.Sprintf("agent %d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			q := bn.queue(nil)
			defer q.Destroy()
			s := bn.signal()
			p := unsafe.Pointer(bn.kernarg(1, 1, make([]uint64, 9)...))
			*(*hsa.CopyArgs)(p) = hsa.CopyArgs{Dst: uint64(uintptr(dst)), Src: uint64(uintptr(src)), Size: [3]uint64{size, 1, 1}}
			bn.kernels["copy"] = bn.agent.Blit(hsa.BlitCopy)
			for b.Loop() {
				s.Reset(1)
				at := bn.dispatch(q, dispatch{kernel: "copy", kernarg: p, groups: int(hsa.BlitGroups(size)), size: 1, signal: s})
				q.Doorbell(at, true)
				for s.Load() > 0 {
					bn.help()
				}
			}
		})
	}
}
