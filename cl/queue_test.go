package cl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestQueueHintRules(t *testing.T) {
	f := newFixture(t)
	const device = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
	for name, c := range map[string]struct {
		properties []uint64
		want       Status
	}{
		"high":               {[]uint64{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0}, CL_SUCCESS},
		"both":               {[]uint64{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_MED_KHR, 0}, CL_SUCCESS},
		"full throttle":      {[]uint64{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_HIGH_KHR, 0}, CL_SUCCESS},
		"no priority":        {[]uint64{CL_QUEUE_PRIORITY_KHR, 0, 0}, CL_INVALID_VALUE},
		"two priorities":     {[]uint64{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR | CL_QUEUE_PRIORITY_LOW_KHR, 0}, CL_INVALID_VALUE},
		"no throttle":        {[]uint64{CL_QUEUE_THROTTLE_KHR, 8, 0}, CL_INVALID_VALUE},
		"twice":              {[]uint64{CL_QUEUE_THROTTLE_KHR, 1, CL_QUEUE_THROTTLE_KHR, 1, 0}, CL_INVALID_VALUE},
		"of a device queue":  {[]uint64{CL_QUEUE_PROPERTIES, device, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0}, CL_INVALID_QUEUE_PROPERTIES},
		"throttled, as well": {[]uint64{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, CL_QUEUE_PROPERTIES, device, 0}, CL_INVALID_QUEUE_PROPERTIES},
	} {
		t.Run(name, func(t *testing.T) {
			q, st := f.ctx.CreateQueue(f.device, c.properties)
			require.Equal(t, c.want, st)
			if q != nil {
				require.Equal(t, c.properties, words(queueInfo[CL_QUEUE_PROPERTIES_ARRAY](q).data))
				q.Release()
			}
		})
	}
}

// TestHighPriorityOvertakes: with all workers busy and both waiting, what was enqueued last to a queue of high priority runs before
// all that was enqueued earlier to one of low priority.
func TestHighPriorityOvertakes(t *testing.T) {
	f := newFixture(t)
	f.needsNativeKernels()
	hinted := func(priority uint64) *Queue {
		q, st := f.ctx.CreateQueue(f.device, []uint64{CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PRIORITY_KHR, priority, 0})
		require.Equal(t, CL_SUCCESS, st)
		return q
	}
	low, high := hinted(CL_QUEUE_PRIORITY_LOW_KHR), hinted(CL_QUEUE_PRIORITY_HIGH_KHR)
	workers := int(f.device.roc.Info().ComputeUnits)
	busy, release := make(chan struct{}, workers), make(chan struct{})
	blocker := f.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
	for range workers {
		_, st := blocker.NativeKernel(NativeKernel{Run: func([]byte) { busy <- struct{}{}; <-release }}, Sync{})
		require.Equal(t, CL_SUCCESS, st)
	}
	blocker.Flush()
	f.within("all workers to be busy", func() {
		for range workers {
			<-busy
		}
	})
	enqueue := func(q *Queue) *Event {
		e, st := q.NativeKernel(NativeKernel{Run: func([]byte) {}}, Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		q.Flush()
		return e
	}
	var slow []*Event
	for range 20 {
		slow = append(slow, enqueue(low))
	}
	fast := enqueue(high)
	release <- struct{}{} // one worker: two may take both at once
	require.EqualValues(t, CL_COMPLETE, f.status(fast))
	_, _, first, _, _ := fast.command.Times()
	for _, e := range slow {
		require.EqualValues(t, CL_COMPLETE, f.status(e))
		_, _, start, _, _ := e.command.Times()
		require.Greater(t, start, first)
		e.Release()
	}
	close(release)
	for _, q := range []*Queue{low, high, blocker} {
		q.Release()
	}
	fast.Release()
}

// threadSource has kernel which(global int *out): each work-item stores the thread it runs on, after some work.
const threadSource = `
//kernel {"Name":"which","Symbol":"which","HiddenOffset":8,"KernargSize":264,"Cost":100000,"Args":[{"Kind":1,"Size":8}]}
int gettid(void);
void which(int **a, const struct context *c, uint64_t first, uint64_t last)
{
	ITEMS(HIDDEN(a, 8), i) {
		for (volatile int spin = 0; spin < 2000; spin++) {}
		(*a)[i] = gettid();
	}
}
`

// TestThrottledQueueUsesOneComputeUnit: of all there are, as a queue at full throttle does.
func TestThrottledQueueUsesOneComputeUnit(t *testing.T) {
	f := newFixture(t)
	f.needsCPU()
	several(f)
	const n = 1 << 14
	p := f.program(threadSource)
	defer p.Release()
	k := f.kernel(p, "which")
	defer k.Release()
	m := f.buffer(4 * n)
	defer m.Release()
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	threads := func(throttle uint64) int {
		q, st := f.ctx.CreateQueue(f.device, []uint64{CL_QUEUE_THROTTLE_KHR, throttle, 0})
		require.Equal(t, CL_SUCCESS, st)
		defer q.Release()
		e, st := q.NDRangeKernel(k, line(n, 16), Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		defer e.Release()
		require.EqualValues(t, CL_COMPLETE, f.status(e))
		seen := map[int32]bool{}
		for _, id := range unsafe.Slice((*int32)(m.store.Ptr), n) {
			seen[id] = true
		}
		return len(seen)
	}
	for range 5 {
		require.Equal(t, 1, threads(CL_QUEUE_THROTTLE_LOW_KHR))
	}
	f.eventually(func() bool { return threads(CL_QUEUE_THROTTLE_HIGH_KHR) > 1 }, "more threads at full throttle")
}

func TestTimersAgreeWithProfiling(t *testing.T) {
	f := newFixture(t, CL_QUEUE_PROFILING_ENABLE)
	f.needsNativeKernels()
	before := f.device.Timer()
	e, st := f.q.NativeKernel(NativeKernel{Run: func([]byte) {}}, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.EqualValues(t, CL_COMPLETE, f.status(e))
	after := f.device.Timer()
	queued, submit, start, end, complete := e.command.Times()
	times := []uint64{before, queued, submit, start, end, complete, after}
	require.IsNonDecreasing(t, times)
}
