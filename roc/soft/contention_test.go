package soft

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

// tried is a launch of n chunks, of a kernel that contends, among launches with room for four.
func tried(n uint64, threads int) (*launches, *launch) {
	ls := &launches{room: 4}
	l := &launch{kernel: &kernel{contention: contention{possible: true}}, shares: divide(n, ls.room)}
	l.trial.on.Store(true)
	l.narrow.Store(true)
	ls.list = append(ls.list, l)
	for i := range threads {
		ls.join(l, i)
	}
	ls.count()
	return ls, l
}

func TestOneThreadRunsTheFirstChunksOfATrial(t *testing.T) {
	ls, l := tried(100, 1)
	require.Zero(t, ls.open.Load())
	require.False(t, ls.judge(l, 1, 900))
	require.Zero(t, ls.open.Load())
	require.True(t, ls.judge(l, 1, 1000), "others are to join")
	require.EqualValues(t, 1, ls.open.Load())
	require.EqualValues(t, 900, l.trial.alone)
	require.False(t, ls.judge(l, 1, 1000), "once")
}

func TestChunksVoteWhetherThreadsHinderOneAnother(t *testing.T) {
	const alone = 1000
	type vote struct {
		company int
		picos   int64
	}
	slow, wide := vote{4, 4*alone + 1}, vote{4, 4 * alone}
	repeat := func(n int, v ...vote) (r []vote) {
		for range n {
			r = append(r, v...)
		}
		return r
	}
	for name, c := range map[string]struct {
		votes      []vote
		over, slow bool
	}{
		"too few":                        {repeat(3, slow, wide), false, false},
		"slow":                           {append(repeat(3, slow, wide), slow), true, true},
		"wide":                           {append(repeat(3, slow, wide), wide), true, false},
		"put aside":                      {append(repeat(3, vote{4, 1e9}), repeat(4, wide)...), true, false},
		"when others came or went":       {repeat(9, vote{2, 1e9}), false, false},
		"when the others had not come":   {repeat(9, vote{1, 1e9}), false, false},
		"nothing counts when it is over": {append(repeat(4, wide), repeat(9, slow)...), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			ls, l := tried(100, 4)
			for range trialAlone {
				ls.judge(l, 1, alone)
			}
			for _, v := range c.votes {
				require.False(t, ls.judge(l, v.company, v.picos))
			}
			require.Equal(t, !c.over, l.trial.on.Load())
			require.Equal(t, c.slow, l.narrow.Load())
			require.Equal(t, c.slow, l.kernel.contention.slow.Load())
			require.Equal(t, c.over, l.kernel.contention.rest.Load() > 0)
		})
	}
}

func TestAKernelRemembersAndIsTriedAgain(t *testing.T) {
	const room, large, small = 4, 4 * trialChunks, 4*trialChunks - 1
	for _, slow := range []bool{true, false} {
		ls, l := tried(large, 1)
		c := &l.kernel.contention
		plan := func(chunks uint64) [2]bool {
			narrow, try := c.plan(chunks, room)
			return [2]bool{narrow, try}
		}
		require.Equal(t, [2]bool{false, false}, plan(small), "nothing is known")
		require.Equal(t, [2]bool{true, true}, plan(large))
		ls.settle(l, slow)
		rest := wideRest
		if slow {
			rest = slowRest
		}
		for range rest {
			require.Equal(t, [2]bool{slow, false}, plan(small))
			require.Equal(t, [2]bool{slow, false}, plan(large))
		}
		require.Equal(t, [2]bool{true, true}, plan(large), "again")
		require.Equal(t, [2]bool{slow, false}, plan(small), "until there is a verdict")
	}
	narrow, try := (&contention{}).plan(large, room)
	require.False(t, narrow || try, "no kernel that contends")
}

func TestAfterTheVerdictOneThreadGoesOn(t *testing.T) {
	ls, l := tried(100, 0)
	l.narrow.Store(false)
	ls.count()
	anyone := &thread{agent: &Agent{units: map[int]int{}}, worker: true}
	for s := range 3 {
		got, share := ls.pick(anyone)
		require.Same(t, l, got)
		require.Equal(t, s, share)
		require.False(t, ls.crowded(l, s))
	}
	ls.settle(l, true)
	require.False(t, ls.crowded(l, 0))
	require.True(t, ls.crowded(l, 1))
	require.True(t, ls.crowded(l, 2))
	ls.leave(l, 1)
	ls.leave(l, 0) // its time is up
	require.False(t, ls.crowded(l, 2))
	require.Zero(t, ls.open.Load())
	ls.leave(l, 2)
	require.EqualValues(t, 1, ls.open.Load(), "anyone may go on")
	got, share := ls.pick(anyone)
	require.Same(t, l, got)
	require.False(t, ls.crowded(l, share))
	got, _ = ls.pick(anyone)
	require.Nil(t, got)
}

func TestANarrowLaunchIsTakenFromTheFront(t *testing.T) {
	_, l := tried(16, 0)
	l.shares = divide(16, 2)
	for range 9 {
		next(l.shares, 0) // the last one is of the other share, whose first half is in this one now
	}
	var got []uint64
	for c, ok := l.next(1); ok; c, ok = l.next(1) {
		got = append(got, c)
	}
	require.Equal(t, []uint64{9, 10, 11, 12, 13, 14, 15}, got)

	l.shares = divide(16, 2)
	for range 9 {
		next(l.shares, 1)
	}
	c, ok := l.next(0)
	require.True(t, ok)
	require.EqualValues(t, 1, c, "in the share behind")
}

// A thread that finds nothing takes a launch out. It may have looked when another had taken half a share, and not put it into its own.
func TestALaunchWithChunksInAShareIsNotLost(t *testing.T) {
	ls, l := tried(4, 1)
	ls.remove(l)
	ls.leave(l, 0)
	require.EqualValues(t, 1, ls.open.Load())
	got, _ := ls.pick(&thread{agent: &Agent{units: map[int]int{}}, worker: true})
	require.Same(t, l, got)
}

func TestNativeKernelsContendAsTheyAreSaidTo(t *testing.T) {
	for _, contends := range []bool{false, true} {
		require.Equal(t, contends, nativeKernel(0, &codeobject.KernelInfo{Contends: contends}).contention.possible)
	}
}

// contending is a kernel each of whose groups says that it has run. It tells f how many chunks are under way.
func (b *bench) contending(ran []atomic.Int32, f func(company int32)) *kernel {
	var in atomic.Int32
	k := &kernel{name: "contending", guess: 1e6, contention: contention{possible: true}}
	k.run = func(_ unsafe.Pointer, first, last uint64) error {
		f(in.Add(1))
		for g := first; g < last; g++ {
			ran[g].Add(1)
		}
		in.Add(-1)
		return nil
	}
	b.tb.Cleanup(func() { runtime.KeepAlive(k) }) // so that it is not on a stack, which may move: packets have its address
	b.kernels[k.name] = k.object()
	return k
}

func (b *bench) launch(groups int, help bool) {
	q, s := b.queue(nil), b.signal()
	q.Doorbell(b.dispatch(q, dispatch{kernel: "contending", kernarg: b.kernarg(groups, 1), groups: groups, size: 1, signal: s}), help)
	b.waitSignal(s, help)
}

func TestEachGroupRunsOnceWhateverTheVerdict(t *testing.T) {
	const groups = 5000
	both(t, func(t *testing.T, b *bench, help bool) {
		if b.agent.workers == 1 {
			return // has all groups run at once
		}
		for turn := range 50 {
			ran := make([]atomic.Int32, groups)
			var chunks atomic.Int32
			var early, late atomic.Bool
			ls := &b.agent.launches
			k := b.contending(ran, func(company int32) {
				n := chunks.Add(1)
				if n <= trialAlone && company > 1 {
					early.Store(true)
				}
				for end := time.Now().Add(deadline); n == int32(trialAlone+1) && chunks.Load() == n; osyield() { // until another comes
					if time.Now().After(end) {
						late.Store(true)
						break
					}
				}
				if n == int32(trialAlone+2+turn%7) {
					ls.mu.Lock()
					ls.settle(ls.list[0], turn%3 > 0)
					ls.mu.Unlock()
				}
			})
			b.launch(groups, help)
			require.False(t, early.Load(), "alone at first")
			require.False(t, late.Load(), "others were not woken")
			for g := range ran {
				require.EqualValues(t, 1, ran[g].Load(), "group %d", g)
			}
			require.Greater(t, int(chunks.Load()), b.agent.workers)
			require.Equal(t, turn%3 > 0, k.contention.slow.Load())
		}
	})
}

func TestARememberedLaunchRunsOnOneThreadAtATime(t *testing.T) {
	const groups = 5000
	both(t, func(t *testing.T, b *bench, help bool) {
		ran := make([]atomic.Int32, groups)
		var most atomic.Int32
		k := b.contending(ran, func(company int32) { most.Store(max(most.Load(), company)) })
		k.contention.slow.Store(true)
		k.contention.rest.Store(100)
		for range 20 {
			b.launch(groups, help)
		}
		require.EqualValues(t, 1, most.Load())
		for g := range ran {
			require.EqualValues(t, 20, ran[g].Load())
		}
	})
}
