package roc

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

// everywhere runs a test with few and many workers, and with a ring that is always full.
func everywhere(t *testing.T, f func(t *testing.T, b *bench)) {
	counts := []int{1, 2, 5}
	if onGPU() {
		counts = counts[:1]
	}
	for _, workers := range counts {
		for name, l := range map[string]limits{"roomy": benchLimit, "tight": {queues: 3, size: 256, batch: 64}} {
			t.Run(fmt.Sprintf("workers %d %s", workers, name), func(t *testing.T) { f(t, newBench(t, workers, l)) })
		}
	}
}

func TestInOrderQueueRunsInOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		q := b.queue(true, nil)
		value := b.memory(2)
		r := rand.New(rand.NewSource(1))
		n := few(20_000)
		b.within("in-order queue", func() {
			for i := range n {
				c := b.enqueue(q, b.dispatch("step", 1, 1, address(value), address(value[1:]), uint64(i)), r.Intn(10) == 0)
				switch r.Intn(100) {
				case 0:
					q.Flush()
				case 1:
					q.Finish()
				case 2:
					c.Wait()
				case 3:
					time.Sleep(time.Millisecond)
				}
			}
			q.Finish()
		})
		require.EqualValues(t, n, value[0])
		require.Zero(t, value[1])
	})
}

func TestUnflushedCommandRunsSoon(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	q := b.queue(true, nil)
	counter := b.memory(1)
	c := b.enqueue(q, b.dispatch("count", 1, 1, address(counter), 0), true)
	b.within("command nobody waits for", func() {
		for c.Status() != hostqueue.Complete {
			time.Sleep(100 * time.Microsecond)
		}
	})
	require.NotZero(t, b.device.Cuts()[hostqueue.CutIdle])
}

// A thread that enqueues runs what is brief itself, once a batch is full, or flushed: no other has to be woken for it.
func TestEnqueuingThreadRunsBriefCommands(t *testing.T) {
	needsCPU(t, "GPUs are not helped")
	b := newBench(t, 2, benchLimit)
	q := b.queue(true, nil)
	value := b.memory(2)
	next := func() *hostqueue.Command {
		return b.enqueue(q, b.dispatch("step", 1, 1, address(value), address(value[1:]), value[0]), false)
	}
	for name, batch := range map[string]func() *hostqueue.Command{
		"full": func() (last *hostqueue.Command) {
			first := value[0]
			for i := range uint64(benchLimit.batch) {
				last = b.enqueue(q, b.dispatch("step", 1, 1, address(value), address(value[1:]), first+i), false)
			}
			return last
		},
		"flushed": func() *hostqueue.Command {
			c := next()
			q.Flush()
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			b.within("commands that have ended when the thread comes back", func() {
				for again := true; again; { // the ticker, or a worker still awake, may have been quicker
					c := batch()
					again = c.Status() != hostqueue.Complete
					q.Finish()
				}
			})
			require.Zero(t, value[1], "errors")
		})
	}
}

// Commands on many queues of both kinds with random wait lists: each checks that what it waits for has run.
func TestRandomGraphsOverManyQueues(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		const seed = 1
		r := rand.New(rand.NewSource(seed))
		var queues []*hostqueue.Queue
		for i := range 11 {
			queues = append(queues, b.queue(i%2 == 0, nil))
		}
		n := few(4000)
		ran, wrong := b.memory(n), b.memory(1)
		var all []*hostqueue.Command
		users := make([]*hostqueue.Command, 0)
		last := make([]int, len(queues)) // command before in each queue, plus one
		b.within("graph", func() {
			for i := range n {
				at := r.Intn(len(queues))
				others := b.memory(10)
				deps := others[:0]
				var wait []*hostqueue.Command
				for range min(r.Intn(9), i) {
					d := max(i-1-r.Intn(60), 0)
					deps = append(deps, uint64(d))
					wait = append(wait, all[d])
				}
				if r.Intn(50) == 0 {
					u := hostqueue.NewUser()
					users = append(users, u)
					wait = append(wait, u)
				}
				if at%2 == 0 && last[at] != 0 {
					deps = append(deps, uint64(last[at]-1))
				}
				last[at] = i + 1
				var op hostqueue.Op = HostFunc{func() error {
					for _, d := range deps {
						if ran[d] == 0 {
							atomic.AddUint64(&wrong[0], 1)
						}
					}
					ran[i] = 1
					return nil
				}}
				if i%2 == 0 || onGPU() {
					op = b.dispatch("follow", 1, 1, address(ran), uint64(i), address(others), uint64(len(deps)), address(wrong))
				}
				all = append(all, b.enqueue(queues[at], op, true, wait...))
				if r.Intn(20) == 0 && len(users) > 0 {
					require.NoError(t, users[0].SetUserStatus(hostqueue.Complete, hostqueue.Leaves))
					users = users[1:]
				}
				if r.Intn(30) == 0 {
					queues[r.Intn(len(queues))].Flush()
				}
			}
			for _, u := range users {
				require.NoError(t, u.SetUserStatus(hostqueue.Complete, hostqueue.Leaves))
			}
			hostqueue.WaitAll(all)
			for _, q := range queues {
				q.Finish()
			}
		})
		require.Zero(t, wrong[0], "seed %d", seed)
		for i, c := range all {
			require.Equal(t, hostqueue.Complete, c.Status(), "command %d", i)
		}
	})
}

func TestTwoQueueChain(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		queues := []*hostqueue.Queue{b.queue(true, nil), b.queue(true, nil)}
		value := b.memory(2)
		n := few(4000)
		b.within("chain over two queues", func() {
			var before []*hostqueue.Command
			for i := range n {
				op := b.dispatch("step", 1, 1, address(value), address(value[1:]), uint64(i))
				before = []*hostqueue.Command{b.enqueue(queues[i%2], op, true, before...)}
			}
			require.Equal(t, hostqueue.Complete, before[0].Wait())
		})
		require.EqualValues(t, n, value[0])
		require.Zero(t, value[1])
	})
}

// failures collects what OnError is told.
type failures struct {
	mu   sync.Mutex
	list []string
}

func (f *failures) add(_ *hostqueue.Command, text string) {
	f.mu.Lock()
	f.list = append(f.list, text)
	f.mu.Unlock()
}

func TestTrapEndsItsCommandAndDependents(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		_, trapped := b.trap()
		faults := map[string]func() hostqueue.Op{trapped: func() hostqueue.Op { op, _ := b.trap(); return op }}
		if !onGPU() {
			faults["a native kernel failed: broken"] = func() hostqueue.Op { return HostFunc{func() error { return errors.New("broken") }} }
			faults["a native kernel failed: panic: oops"] = func() hostqueue.Op { return HostFunc{func() error { panic("oops") }} }
		}
		for name, op := range faults {
			var told failures
			b.within(name, func() {
				counter := b.memory(1)
				count := func() *Dispatch { return b.dispatch("count", 1, 1, address(counter), 0) }
				var queues []*hostqueue.Queue
				for i := range 7 { // more than rings
					queues = append(queues, b.queue(i%2 == 0, told.add))
				}
				var good, poisoned []*hostqueue.Command
				for range 20 {
					for _, q := range queues {
						good = append(good, b.enqueue(q, count(), false))
					}
				}
				gate := hostqueue.NewUser() // so that all of what follows is in flight together
				bad := b.enqueue(queues[0], op(), true, gate)
				for range 20 {
					for i, q := range queues {
						good = append(good, b.enqueue(q, count(), i == 3))
					}
				}
				for _, q := range queues {
					dep := bad
					for range 3 {
						dep = b.enqueue(q, count(), true, dep)
						poisoned = append(poisoned, dep)
						good = append(good, b.enqueue(q, count(), false))
					}
				}
				for _, q := range queues {
					q.Flush()
				}
				require.NoError(t, gate.SetUserStatus(hostqueue.Complete, hostqueue.Leaves))
				for _, q := range queues {
					q.Finish()
				}
				require.Equal(t, hostqueue.ErrOutOfResources, bad.Wait())
				for i, c := range poisoned {
					require.Equal(t, hostqueue.ErrWaitList, c.Wait(), "dependent %d", i)
				}
				beside := 0
				for i, c := range good {
					if onGPU() && c.Wait() == hostqueue.ErrOutOfResources {
						beside++
						continue
					}
					require.Equal(t, hostqueue.Complete, c.Wait(), "command %d", i)
				}
				require.Len(t, told.list, 1+beside)
				require.GreaterOrEqual(t, counter[0], uint64(len(good)-beside))
				require.LessOrEqual(t, counter[0], uint64(len(good)))
			})
			require.True(t, slices.ContainsFunc(told.list, func(text string) bool { return strings.Contains(text, name) }), told.list)
		}
	})
}

// Traps at random places of random graphs: each command ends as it must, and what runs, runs once.
func TestTrapsInRandomGraphs(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		const seed = 1
		r := rand.New(rand.NewSource(seed))
		var told failures
		var queues []*hostqueue.Queue
		for i := range 9 {
			queues = append(queues, b.queue(i%3 != 0, told.add))
		}
		n := few(2500)
		runs := b.memory(n)
		traps, deps := make([]bool, n), make([][]int, n)
		var all []*hostqueue.Command
		b.within(fmt.Sprintf("graph with traps, seed %d", seed), func() {
			for i := range n {
				var wait []*hostqueue.Command
				for range min(r.Intn(3), i) {
					d := max(i-1-r.Intn(200), 0)
					wait = append(wait, all[d])
					deps[i] = append(deps[i], d)
				}
				op := b.dispatch("count", 1, 1, address(runs[i:]), uint64(r.Intn(200)))
				if traps[i] = r.Intn(60) == 0; traps[i] {
					op, _ = b.trap()
				}
				all = append(all, b.enqueue(queues[r.Intn(len(queues))], op, true, wait...))
				if r.Intn(30) == 0 {
					queues[r.Intn(len(queues))].Flush()
				}
			}
			for _, q := range queues {
				q.Finish()
			}
		})
		for i, c := range all {
			want, least, most := hostqueue.Complete, 1, 1
			switch {
			case slices.ContainsFunc(deps[i], func(d int) bool { return all[d].Status() < 0 }):
				want, least, most = hostqueue.ErrWaitList, 0, 0
			case traps[i]:
				want, least, most = hostqueue.ErrOutOfResources, 0, 0
			case onGPU() && c.Status() == hostqueue.ErrOutOfResources: // it ran beside one that trapped
				want, least = hostqueue.ErrOutOfResources, 0
			}
			require.Equal(t, want, c.Status(), "command %d, seed %d", i, seed)
			require.True(t, least <= int(runs[i]) && int(runs[i]) <= most, "%d runs of command %d, seed %d", runs[i], i, seed)
		}
	})
}

// Commands that are recycled as soon as they may be end once each, also those beside ones that fail.
func TestTrapsAmongRecycledCommands(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		type launch struct {
			hostqueue.Command
			op *Dispatch
		}
		pool := sync.Pool{New: func() any { return new(launch) }}
		for _, inOrder := range []bool{true, false} {
			var failed, done, told atomic.Int64
			q := b.queue(inOrder, func(*hostqueue.Command, string) { told.Add(1) })
			counter := b.memory(1)
			n, traps := few(2000), int64(0)
			b.within("recycled commands", func() {
				for i := range n {
					l := pool.Get().(*launch)
					l.op = b.dispatch("count", 1, 1, address(counter), 0)
					if i%97 == 50 {
						l.op, _ = b.trap()
						traps++
					}
					l.Init(hostqueue.KindCommand, l.op)
					l.OnDone = func(c *hostqueue.Command) {
						done.Add(1)
						if c.Status() < hostqueue.Complete {
							failed.Add(1)
						}
					}
					l.Recycle = func(*hostqueue.Command) {
						*l = launch{}
						pool.Put(l)
					}
					require.NoError(t, q.Enqueue(&l.Command, nil))
				}
				q.Finish()
			})
			require.EqualValues(t, n, done.Load())
			require.Equal(t, traps, told.Load())
			if inOrder || !onGPU() { // a GPU does not say which of those beside each other failed
				require.Equal(t, traps, failed.Load())
				require.EqualValues(t, int64(n)-traps, counter[0])
			}
		}
	})
}

func TestProfilingTimesAreOrdered(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	v, err := b.device.NewVirtualGPU(true, true, PriorityHigh, false)
	require.NoError(t, err)
	q := hostqueue.NewQueue(v, hostqueue.Config{InOrder: true, Profiling: true})
	counter := b.memory(1)
	var all []*hostqueue.Command
	for i := range few(100) + 10 {
		all = append(all, b.enqueue(q, b.dispatch("count", 1+i*10, 1, address(counter), 100), true))
	}
	b.within("profiling queue", q.Finish)
	before := uint64(0)
	for i, c := range all {
		queued, submit, start, end, complete := c.Times()
		require.True(t, slices.IsSorted([]uint64{1, queued, submit, start, end, complete}), "command %d: %d %d %d %d %d", i, queued, submit, start, end, complete)
		require.GreaterOrEqual(t, start, before, "command %d started before the one before it ended", i)
		before = end
	}
}

func TestARunningCommandIsSeenToRun(t *testing.T) {
	needsCPU(t, "of a GPU it is not known when it notes that a dispatch has started")
	b := newBench(t, 2, benchLimit)
	for _, inOrder := range []bool{true, false} {
		q := b.queue(inOrder, nil)
		start, end := make(chan struct{}), make(chan struct{})
		first := b.enqueue(q, HostFunc{func() error { <-start; return nil }}, true)
		c := b.enqueue(q, HostFunc{func() error { <-end; return nil }}, true, first)
		q.Flush()
		require.NotEqual(t, hostqueue.Running, c.Observe(), "it waits for the first")
		close(start)
		require.Eventually(t, func() bool { return c.Observe() == hostqueue.Running }, deadline, time.Millisecond)
		close(end)
		require.Equal(t, hostqueue.Complete, c.Wait())
		require.Equal(t, hostqueue.Complete, c.Observe())
	}
}

func TestAnOperationOfUnknownTypeEndsWithAnError(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	var told string
	q := b.queue(true, func(_ *hostqueue.Command, text string) { told = text })
	c := b.enqueue(q, struct{ what string }{"?"}, true)
	require.Equal(t, hostqueue.ErrOutOfResources, c.Wait())
	require.Contains(t, told, "struct { what string }")
	require.Equal(t, hostqueue.Complete, b.enqueue(q, Nothing{}, true).Wait(), "the next command runs")
}

func TestAGPUCallsNoFunctionsOfTheHost(t *testing.T) {
	if !onGPU() {
		t.Skip("the device is a CPU")
	}
	b := newBench(t, 0, benchLimit)
	var told failures
	q := b.queue(true, told.add)
	require.Equal(t, hostqueue.ErrOutOfResources, b.enqueue(q, HostFunc{func() error { return nil }}, true).Wait())
	require.Contains(t, told.list[0], "a GPU calls no functions of the host")
}

func TestQueuesShareRings(t *testing.T) {
	b := makeBench(t, 2, limits{queues: 3, size: 1024, batch: 16})
	var queues []*hostqueue.Queue
	for range 999 {
		queues = append(queues, b.queue(true, nil))
	}
	require.Len(t, b.device.rings[PriorityNormal], 1, "queues without commands need no more")
	for _, q := range queues {
		b.enqueue(q, Nothing{}, false)
	}
	require.Len(t, b.device.rings[PriorityNormal], 3)
	for _, r := range b.device.rings[PriorityNormal] {
		require.Equal(t, 333, r.users)
	}
}

func TestReleasedQueueLeavesItsRing(t *testing.T) {
	b := makeBench(t, 2, limits{queues: 2, size: 1024, batch: 16})
	q := b.queue(true, nil)
	r := b.device.rings[PriorityNormal][0]
	require.Zero(t, r.users)
	counter := b.memory(1)
	c := b.enqueue(q, b.dispatch("count", 1, 1, address(counter), 0), true)
	require.Equal(t, 1, r.users)
	q.Release()
	b.within("release", func() { c.Wait() })
	b.within("close", func() {
		for users := 1; users != 0; {
			b.device.mu.Lock()
			users = r.users
			b.device.mu.Unlock()
		}
	})
}

func TestLaunchesRecycleTheirMemory(t *testing.T) {
	b := makeBench(t, 2, limits{queues: 1, size: 1024, batch: 16})
	q := b.queue(true, nil)
	counter := b.memory(1)
	free := func() (n int) {
		for i := range b.device.kernargs.free {
			n += b.device.kernargs.free[i].len()
		}
		return n
	}
	const at = 500 // launches in flight at most
	n := few(20_000)
	for i := range n {
		b.enqueue(q, b.dispatch("count", 1, 1, address(counter), 0), i%7 == 0)
		b.enqueue(q, Nothing{}, false)
		if i%at == 0 {
			b.within("launches", q.Finish)
		}
	}
	b.within("launches", q.Finish)
	require.EqualValues(t, n, counter[0])
	require.LessOrEqual(t, free(), at+blockSlab>>minBlockLog)
	require.LessOrEqual(t, len(*b.device.batches.all.Load()), 2*at)
}

func BenchmarkLaunchAndFinish(bb *testing.B) {
	b := newBench(bb, 0, limits{queues: 4, size: 4096, batch: 64})
	q := b.queue(true, nil)
	counter := b.memory(1)
	k := b.kernel("count")
	explicit := b.explicit(address(counter), 0)
	one := [3]uint64{1, 1, 1}
	bb.ReportAllocs()
	defer reportCPU(bb, cpuTime())
	for bb.Loop() {
		args, _ := b.device.NewKernarg(k, explicit, nil)
		q.Enqueue(hostqueue.NewCommand(hostqueue.KindCommand, &Dispatch{Kernel: k, Args: args, Dims: 1, Global: one, Local: one}), nil)
		q.Finish()
	}
}

func BenchmarkLaunches(bb *testing.B) {
	for _, inOrder := range []bool{true, false} {
		bb.Run(fmt.Sprintf("in order %v", inOrder), func(bb *testing.B) {
			b := newBench(bb, 0, limits{queues: 4, size: 4096, batch: 64})
			q := b.queue(inOrder, nil)
			counter := b.memory(1)
			k := b.kernel("count")
			explicit := b.explicit(address(counter), 0)
			one := [3]uint64{1, 1, 1}
			bb.ReportAllocs()
			defer reportCPU(bb, cpuTime())
			for bb.Loop() {
				args, _ := b.device.NewKernarg(k, explicit, nil)
				q.Enqueue(hostqueue.NewCommand(hostqueue.KindCommand, &Dispatch{Kernel: k, Args: args, Dims: 1, Global: one, Local: one}), nil)
			}
			q.Finish()
		})
	}
}

// Hops of a chain over two queues, 1000 at a time: flushed one by one, and let go all at once.
func BenchmarkTwoQueueChain(bb *testing.B) {
	for _, gated := range []bool{false, true} {
		bb.Run(fmt.Sprintf("gated %v", gated), func(bb *testing.B) {
			b := newBench(bb, 0, limits{queues: 4, size: 4096, batch: 64})
			queues := []*hostqueue.Queue{b.queue(true, nil), b.queue(true, nil)}
			counter := b.memory(1)
			k := b.kernel("count")
			explicit := b.explicit(address(counter), 0)
			one := [3]uint64{1, 1, 1}
			defer reportCPU(bb, cpuTime())
			for i := 0; i < bb.N; {
				var wait []*hostqueue.Command
				gate := hostqueue.NewUser()
				if gated {
					wait = []*hostqueue.Command{gate}
				}
				for end := min(i+1000, bb.N); i < end; i++ {
					args, _ := b.device.NewKernarg(k, explicit, nil)
					c := hostqueue.NewCommand(hostqueue.KindCommand, &Dispatch{Kernel: k, Args: args, Dims: 1, Global: one, Local: one})
					c.Visible = true
					queues[i%2].Enqueue(c, wait)
					queues[i%2].Flush()
					wait = []*hostqueue.Command{c}
				}
				gate.SetUserStatus(hostqueue.Complete, hostqueue.Leaves)
				wait[0].Wait()
			}
		})
	}
}
