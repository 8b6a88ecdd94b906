package roc

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

// step prepares op; the caller's reference goes to the replay that replay makes of it.
func (b *bench) step(op hostqueue.Op, after int) Step {
	p, err := b.device.Prepare(op, nil)
	require.NoError(b.tb, err)
	return Step{p, after}
}

// replay is released by the test's end.
func (b *bench) replay(steps ...Step) *Replay {
	r := NewReplay(steps)
	for _, s := range steps {
		s.Do.Release()
	}
	b.tb.Cleanup(r.Release)
	return r
}

// bytesOf is a copy of words.
func bytesOf(words []uint64) (p unsafe.Pointer, size [3]uint64) {
	return unsafe.Pointer(&words[0]), [3]uint64{uint64(len(words)) * 8, 1, 1}
}

func TestStepsOfAReplayRunInOrderAsOftenAsItIsEnqueued(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		value := b.memory(2)
		const n = 400 // more than some rings have room for
		at, size := bytesOf(value[:1])
		steps := []Step{b.step(Fill{Dst: at, Size: size, Pattern: []byte{0}}, 0)}
		for i := range n {
			steps = append(steps, b.step(b.dispatch("step", 1, 1, address(value), address(value[1:]), uint64(i)), i+1))
		}
		r := b.replay(steps...)
		for _, inOrder := range []bool{true, false} {
			q := b.queue(inOrder, nil)
			b.within("replays", func() {
				var before []*hostqueue.Command
				for i := range few(20) + 3 {
					c := b.enqueue(q, r, i%2 == 0, before...)
					if !inOrder {
						before = []*hostqueue.Command{c}
					}
				}
				q.Finish()
			})
			require.EqualValues(t, n, value[0])
			require.Zero(t, value[1])
		}
	})
}

func TestStepsWithoutOrderAllRunBeforeWhatComesAfterThem(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		const n = 300
		counter, seen := b.memory(1), b.memory(1)
		var steps []Step
		for i := range n {
			steps = append(steps, b.step(b.dispatch("count", 1, 1, address(counter), uint64(i%7)*200), 0))
		}
		from, size := bytesOf(counter)
		to, _ := bytesOf(seen)
		read := CopyRect{Dst: to, Src: from, Size: size}
		for _, r := range []*Replay{b.replay(steps...), b.replay(b.step(Nothing{}, 0)), b.replay()} { // the last two are empty
			for _, inOrder := range []bool{true, false} {
				q := b.queue(inOrder, nil)
				counter[0], seen[0] = 0, 0
				b.within("replay", func() {
					c := b.enqueue(q, r, false)
					b.enqueue(q, read, true, c).Wait()
				})
				require.EqualValues(t, min(n, len(r.packets)), min(seen[0], n))
				require.Equal(t, counter[0], seen[0])
			}
		}
	})
}

func TestTrapInAReplayEndsItAndSaysWhere(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		for _, n := range []int{3, 400} {
			for _, bad := range []int{0, n / 2, n - 1} {
				var told failures
				counter, ended := b.memory(1), 0
				var steps []Step
				for i := range n {
					op := b.dispatch("count", 1, 1, address(counter), 0)
					if i == bad {
						op, _ = b.trap()
					}
					steps = append(steps, b.step(op, i))
				}
				r := b.replay(steps...)
				q := b.queue(n%2 == 0, told.add)
				other := b.queue(true, told.add)
				b.within("replay", func() {
					gate := hostqueue.NewUser()
					c := b.enqueue(q, r, true, gate)
					dependent := b.enqueue(other, b.dispatch("count", 1, 1, address(counter), 0), true, c)
					again := b.enqueue(q, b.dispatch("count", 1, 1, address(counter), 0), true, gate)
					require.NoError(t, gate.SetUserStatus(hostqueue.Complete, hostqueue.Leaves))
					require.Equal(t, hostqueue.ErrOutOfResources, c.Wait())
					require.Equal(t, hostqueue.ErrWaitList, dependent.Wait())
					if st := again.Wait(); !onGPU() || st != hostqueue.ErrOutOfResources { // else it ran beside the one that traps
						require.Equal(t, hostqueue.Complete, st)
						ended++
					}
					q.Finish()
				})
				require.GreaterOrEqual(t, counter[0], uint64(bad+ended), "steps before the one that traps, and another command")
				require.LessOrEqual(t, counter[0], uint64(bad+1))
				require.Len(t, told.list, 2-ended)
				_, text := b.trap()
				kernel, why, _ := strings.Cut(text, " failed: ")
				require.Contains(t, told.list[0], kernel+" of a command buffer failed: "+why)
			}
		}
	})
}

// Replays in random graphs, some of which trap, or depend on one that does: each step runs as often as it must.
func TestReplaysInRandomGraphs(t *testing.T) {
	everywhere(t, func(t *testing.T, b *bench) {
		const seed = 1
		rnd := rand.New(rand.NewSource(seed))
		var told failures
		var queues []*hostqueue.Queue
		for i := range 7 {
			queues = append(queues, b.queue(i%3 != 0, told.add))
		}
		n := few(400)
		runs := b.memory(n)
		expect := make([]uint64, n)
		want := make([]hostqueue.Status, n)
		var all []*hostqueue.Command
		b.within(fmt.Sprintf("graph of replays, seed %d", seed), func() {
			for i := range n {
				var wait []*hostqueue.Command
				for range min(rnd.Intn(3), i) {
					d := max(i-1-rnd.Intn(50), 0)
					wait = append(wait, all[d])
					if want[d] < 0 {
						want[i] = hostqueue.ErrWaitList
					}
				}
				length, trap := 1+rnd.Intn(30), -1
				if rnd.Intn(10) == 0 {
					length = 300
				}
				if rnd.Intn(20) == 0 {
					trap = rnd.Intn(length)
				}
				var steps []Step
				for s := range length {
					op := b.dispatch("count", 1, 1, address(runs[i:]), uint64(rnd.Intn(200)))
					if s == trap {
						op, _ = b.trap()
					}
					after := rnd.Intn(s + 1)
					if trap >= 0 {
						after = s // so that it is known what runs
					}
					steps = append(steps, b.step(op, after))
				}
				switch {
				case want[i] < 0:
				case trap >= 0:
					want[i], expect[i] = hostqueue.ErrOutOfResources, uint64(trap)
				default:
					expect[i] = uint64(length)
				}
				all = append(all, b.enqueue(queues[rnd.Intn(len(queues))], b.replay(steps...), true, wait...))
				if rnd.Intn(20) == 0 {
					queues[rnd.Intn(len(queues))].Flush()
				}
			}
			for _, q := range queues {
				q.Finish()
			}
		})
		for i, c := range all {
			require.Equal(t, want[i], c.Status(), "command %d, seed %d", i, seed)
			require.Equal(t, expect[i], runs[i], "steps of command %d, seed %d", i, seed)
		}
	})
}

func TestTimesOfAReplaySpanItsSteps(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	for _, inOrder := range []bool{true, false} {
		v, err := b.device.NewVirtualGPU(inOrder, true, PriorityNormal, false)
		require.NoError(t, err)
		q := hostqueue.NewQueue(v, hostqueue.Config{InOrder: inOrder, Profiling: true})
		counter := b.memory(1)
		long := b.step(b.dispatch("count", 1, 1, address(counter), uint64(few(3_000_000))), 0)
		steps := []Step{long}
		for i := range 200 {
			steps = append(steps, b.step(b.dispatch("count", 1, 1, address(counter), 0), i+1))
		}
		alone := b.enqueue(q, b.dispatch("count", 1, 1, address(counter), uint64(few(3_000_000))), true)
		all := b.enqueue(q, b.replay(steps...), true, alone)
		none := b.enqueue(q, b.replay(), true, all)
		b.within("profiling queue", q.Finish)
		before := uint64(0)
		for _, c := range []*hostqueue.Command{alone, all, none} {
			queued, submit, start, end, complete := c.Times()
			require.True(t, slices.IsSorted([]uint64{1, queued, submit, start, end, complete}), "%d %d %d %d %d", queued, submit, start, end, complete)
			require.GreaterOrEqual(t, start, before)
			before = end
		}
		_, _, start, end, _ := all.Times()
		// what comes first takes almost all of the time: a start taken from the last step would leave almost none
		require.Greater(t, end-start, uint64(100_000))
		q.Release()
	}
}

func TestWhatAReplayNamesIsGivenUpAfterTheLastUse(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	counter := b.memory(1)
	done := false
	p, err := b.device.Prepare(b.dispatch("count", 1, 1, address(counter), 0), func() { done = true })
	require.NoError(t, err)
	one, two := NewReplay([]Step{{p, 0}}), NewReplay([]Step{{p, 0}, {p, 1}})
	p.Release()
	one.Release()
	require.False(t, done)
	q := b.queue(true, nil)
	b.within("replay", func() {
		b.enqueue(q, two, false)
		q.Finish()
	})
	require.EqualValues(t, 2, counter[0])
	two.Release()
	require.True(t, done)
}

// A thousand launches of a kernel recorded once, to be compared with BenchmarkLaunches.
func BenchmarkReplay(bb *testing.B) {
	b := newBench(bb, 0, limits{queues: 4, size: 4096, batch: 64})
	q := b.queue(true, nil)
	counter := b.memory(1)
	var steps []Step
	for i := range 1000 {
		steps = append(steps, b.step(b.dispatch("count", 1, 1, address(counter), 0), i))
	}
	r := b.replay(steps...)
	start := cpuTime()
	for bb.Loop() {
		b.enqueue(q, r, false)
		q.Finish()
	}
	bb.ReportMetric(float64(cpuTime()-start)/float64(bb.N)/1000, "cpu-ns/launch")
}
