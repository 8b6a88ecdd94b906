package cl

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestEverythingMayBeReleasedBeforeItsCommandsEnd releases the objects a launch needs in each order while it waits.
func TestEverythingMayBeReleasedBeforeItsCommandsEnd(t *testing.T) {
	f := newFixture(t)
	const n = 64
	order := []int{0, 1, 2, 3, 4}
	var permute func(k int)
	permute = func(k int) {
		if k == len(order) {
			releaseInOrder(f, order, n)
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			permute(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	permute(0)
}

func releaseInOrder(f *fixture, order []int, n uint64) {
	f.Helper()
	ctx, st := ThePlatform().CreateContext(nil, []*Device{f.device}, nil)
	require.Equal(f, CL_SUCCESS, st)
	own := *f
	own.ctx = ctx
	q := own.queue()
	p := own.program(addSource)
	k := own.kernel(p, "add")
	host := make([]int32, n)
	m, st := ctx.CreateBuffer(nil, CL_MEM_USE_HOST_PTR, 4*n, unsafe.Pointer(&host[0]))
	require.Equal(f, CL_SUCCESS, st)
	ended, gone := make(chan struct{}), make(chan struct{})
	m.OnDestroy(func() { close(ended) })
	ctx.SetDestructorCallback(func() { close(gone) })
	require.Equal(f, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	require.Equal(f, CL_SUCCESS, set(k, 1, 4, intArg(5)))
	gate := ctx.CreateUserEvent()
	for range 3 {
		_, st = q.NDRangeKernel(k, line(n, 16), Sync{Wait: []*Event{gate}})
		require.Equal(f, CL_SUCCESS, st)
	}
	release := []func() Status{q.Release, p.Release, k.Release, m.Release, ctx.Release}
	for _, i := range order {
		require.Equal(f, CL_SUCCESS, release[i]())
	}
	require.Empty(f, ended)
	gate.SetUserStatus(CL_COMPLETE)
	gate.Release()
	f.within("the end of buffer and context", func() { <-ended; <-gone })
	for _, got := range host {
		require.EqualValues(f, 15, got)
	}
}

// TestManyThreads creates, builds, runs and releases at once, and uses one kernel under a lock.
func TestManyThreads(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	shared, total := f.kernel(p, "add"), f.buffer(4*128)
	defer shared.Release()
	defer total.Release()
	clear(f.bytes(total))
	inOrder := f.queue()
	defer inOrder.Release()
	var mu sync.Mutex // makes setting the arguments of shared and its launch one step
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			own := *f
			for range 20 {
				q := own.queue([]uint64{0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}[i%2])
				mine := own.program(addSource)
				m := own.buffer(4 * 128)
				clear(own.bytes(m))
				ks := []*Kernel{own.kernel(mine, "add"), own.kernel(p, "add")}
				var last *Event
				for j, k := range ks {
					assertSet(t, k, m, int32(j+1))
					s := Sync{Event: true}
					if last != nil {
						s.Wait = []*Event{last}
					}
					e, st := q.NDRangeKernel(k, line(128, 32), s)
					require.Equal(t, CL_SUCCESS, st)
					if last != nil {
						last.Release()
					}
					last = e
					k.Release()
				}
				mine.Release()
				mu.Lock()
				assertSet(t, shared, total, int32(i))
				_, st := inOrder.NDRangeKernel(shared, line(128, 32), Sync{})
				mu.Unlock()
				require.Equal(t, CL_SUCCESS, st)
				got := make([]int32, 128)
				_, st = q.ReadBuffer(m, true, 0, 512, unsafe.Pointer(&got[0]), Sync{Wait: []*Event{last}})
				require.Equal(t, CL_SUCCESS, st)
				last.Release()
				m.Release()
				q.Release()
				for _, v := range got {
					require.EqualValues(t, 3, v)
				}
			}
		})
	}
	f.within("16 threads", wg.Wait)
	f.within("the shared queue", inOrder.Finish)
	for _, v := range unsafe.Slice((*int32)(total.store.Ptr), 128) {
		require.EqualValues(t, 20*15*16/2, v, "each launch had its own thread's argument")
	}
}

func assertSet(t *testing.T, k *Kernel, m *Mem, v int32) {
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(v)))
}
