package cl

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"

	"github.com/stretchr/testify/require"
)

func TestUserEventIsSetOnce(t *testing.T) {
	f := newFixture(t)
	e := f.ctx.CreateUserEvent()
	defer e.Release()
	require.EqualValues(t, CL_SUBMITTED, e.command.Status())
	require.Equal(t, CL_INVALID_VALUE, e.SetUserStatus(CL_RUNNING))
	require.Equal(t, CL_SUCCESS, e.SetUserStatus(-5))
	require.Equal(t, CL_INVALID_OPERATION, e.SetUserStatus(CL_COMPLETE))
	require.EqualValues(t, -5, e.command.Status())

	m, st := f.q.EnqueueMarker(Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer m.Release()
	require.Equal(t, CL_INVALID_EVENT, m.SetUserStatus(CL_COMPLETE))
}

func TestFailedUserEventEndsMarkersAndBarriers(t *testing.T) {
	for _, bits := range []uint64{0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE} {
		f := newFixture(t, bits)
		other := f.queue(bits)
		defer other.Release()
		user := f.ctx.CreateUserEvent()
		defer user.Release()
		a, st := f.q.EnqueueMarker(after(user))
		require.Equal(t, CL_SUCCESS, st)
		b, st := other.EnqueueBarrier(after(a))
		require.Equal(t, CL_SUCCESS, st)
		require.Equal(t, CL_SUCCESS, user.SetUserStatus(-77))
		require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, WaitForEvents([]*Event{b}))
		require.EqualValues(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, f.status(a))
		require.EqualValues(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, f.status(b))
		a.Release()
		b.Release()
		f.within("later commands", func() {
			m, _ := f.q.EnqueueMarker(Sync{Event: true})
			require.Equal(t, CL_SUCCESS, WaitForEvents([]*Event{m}), "the queue goes on")
			m.Release()
		})
	}
}

func TestEventsOfAnotherContextAreRefused(t *testing.T) {
	f := newFixture(t)
	mine, strange := f.ctx.CreateUserEvent(), f.foreign.CreateUserEvent()
	defer mine.Release()
	defer strange.Release()
	_, st := f.q.EnqueueMarker(after(strange))
	require.Equal(t, CL_INVALID_CONTEXT, st)
	_, st = f.q.EnqueueBarrier(after(mine, strange))
	require.Equal(t, CL_INVALID_CONTEXT, st)
	require.Equal(t, CL_INVALID_CONTEXT, WaitForEvents([]*Event{mine, strange}))
	require.Equal(t, CL_INVALID_VALUE, WaitForEvents(nil))
}

func TestEventLivesUntilItsCallbackHasRun(t *testing.T) {
	f := newFixture(t)
	user := f.ctx.CreateUserEvent()
	require.Equal(t, CL_INVALID_VALUE, user.SetCallback(CL_COMPLETE, nil))
	require.Equal(t, CL_INVALID_VALUE, user.SetCallback(CL_QUEUED, func(int32) {}))
	m, _ := f.q.EnqueueMarker(after(user))
	var got, alive atomic.Int32
	got.Store(99)
	require.Equal(t, CL_SUCCESS, m.SetCallback(CL_COMPLETE, func(status int32) {
		if m.Use() {
			alive.Store(1)
			m.Unuse()
		}
		got.Store(status)
	}))
	m.Release()
	user.SetUserStatus(CL_COMPLETE)
	user.Release()
	f.eventually(func() bool { return got.Load() == CL_COMPLETE }, "the callback")
	require.EqualValues(t, 1, alive.Load())
}

func TestProfilingInfoIsThereWhenItIsTrue(t *testing.T) {
	plain, profiled := newFixture(t), newFixture(t, CL_QUEUE_PROFILING_ENABLE)
	ask := func(e *Event, param uint32) (v uint64, st Status) {
		st = e.ProfilingInfo(param, Out{Value: Addr(unsafe.Pointer(&v)), Size: 8})
		return v, st
	}
	e, _ := plain.q.EnqueueMarker(Sync{Event: true})
	defer e.Release()
	plain.status(e)
	_, st := ask(e, CL_PROFILING_COMMAND_END)
	require.Equal(t, CL_PROFILING_INFO_NOT_AVAILABLE, st, "the queue does not profile")

	user := profiled.ctx.CreateUserEvent()
	defer user.Release()
	p, _ := profiled.q.EnqueueMarker(after(user))
	defer p.Release()
	_, st = ask(p, CL_PROFILING_COMMAND_QUEUED)
	require.Equal(t, CL_PROFILING_INFO_NOT_AVAILABLE, st, "the command has not ended")
	user.SetUserStatus(CL_COMPLETE)
	_, st = ask(user, CL_PROFILING_COMMAND_END)
	require.Equal(t, CL_PROFILING_INFO_NOT_AVAILABLE, st, "user events are not profiled")
	require.EqualValues(t, CL_COMPLETE, profiled.status(p))
	last := uint64(1)
	for param := uint32(CL_PROFILING_COMMAND_QUEUED); param <= CL_PROFILING_COMMAND_COMPLETE; param++ {
		v, st := ask(p, param)
		require.Equal(t, CL_SUCCESS, st)
		require.GreaterOrEqual(t, v, last)
		last = v
	}
	require.LessOrEqual(t, last, profiled.device.Timer(), "on the host's clock")
	_, st = ask(p, CL_PROFILING_COMMAND_COMPLETE+1)
	require.Equal(t, CL_INVALID_VALUE, st)
}

func TestReleasedQueueStillRuns(t *testing.T) {
	f := newFixture(t)
	user := f.ctx.CreateUserEvent()
	defer user.Release()
	q := f.queue()
	m, _ := q.EnqueueMarker(after(user))
	require.Equal(t, CL_SUCCESS, q.Release())
	require.Equal(t, CL_INVALID_COMMAND_QUEUE, q.Object.Release())
	user.SetUserStatus(CL_COMPLETE)
	require.EqualValues(t, hostqueue.Complete, f.status(m))
	require.Equal(t, HandleOf(q), eventInfo[CL_EVENT_COMMAND_QUEUE](m), "its event still knows it")
	m.Release()
	f.eventually(func() bool { // who waits may see the end before the thread that ends the command lets go of its queue
		used := q.Use()
		if used {
			q.Unuse()
		}
		return !used
	}, "nothing is left of the queue")
}

func TestQueueProperties(t *testing.T) {
	f := newFixture(t)
	there, unmade := CL_SUCCESS, CL_INVALID_COMMAND_QUEUE
	if !f.has("__opencl_c_device_enqueue") {
		there, unmade = CL_INVALID_QUEUE_PROPERTIES, CL_INVALID_OPERATION
	}
	for name, c := range map[string]struct {
		properties []uint64
		want       Status
	}{
		"none":                 {nil, CL_SUCCESS},
		"empty":                {[]uint64{0}, CL_SUCCESS},
		"both":                 {[]uint64{CL_QUEUE_PROPERTIES, hostQueueProperties, 0}, CL_SUCCESS},
		"unknown bit":          {[]uint64{CL_QUEUE_PROPERTIES, 1 << 20, 0}, CL_INVALID_VALUE},
		"unknown name":         {[]uint64{0x7777, 0, 0}, CL_INVALID_VALUE},
		"twice":                {[]uint64{CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}, CL_INVALID_VALUE},
		"size of a host queue": {[]uint64{CL_QUEUE_SIZE, 4096, 0}, CL_INVALID_VALUE},
		"in order on device":   {[]uint64{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, CL_INVALID_VALUE},
		"default on host":      {[]uint64{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0}, CL_INVALID_VALUE},
		"on device":            {[]uint64{CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, 4096, 0}, there},
		"too large on device":  {[]uint64{CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, 1 << 30, 0}, CL_INVALID_QUEUE_PROPERTIES},
	} {
		q, st := f.ctx.CreateQueue(f.device, c.properties)
		require.Equal(t, c.want, st, name)
		if st == CL_SUCCESS {
			require.Equal(t, c.properties, q.array, name)
			q.Release()
		}
	}
	_, st := f.ctx.CreateQueueBits(f.device, onDevice)
	require.Equal(t, CL_INVALID_VALUE, st)
	require.Equal(t, unmade, f.ctx.SetDefaultDeviceQueue(f.device, nil))
	require.Equal(t, CL_INVALID_OPERATION, f.q.SetProperty())
}

// TestFailedCommandTellsItsContext: what a status cannot say is a line for the notify callback.
func TestFailedCommandTellsItsContext(t *testing.T) {
	needsNativeKernels(t, ThePlatform().Devices()[0])
	said := make(chan string, 1)
	ctx, st := ThePlatform().CreateContext(nil, ThePlatform().Devices(), func(text string) { said <- text })
	require.Equal(t, CL_SUCCESS, st)
	defer ctx.Release()
	q, st := ctx.CreateQueue(ctx.devices[0], nil)
	require.Equal(t, CL_SUCCESS, st)
	defer q.Release()
	op := roc.HostFunc{Run: func() error { return errors.New("the reason why") }}
	c, e := q.command(CL_COMMAND_NATIVE_KERNEL, hostqueue.KindCommand, op, Sync{Event: true})
	_, st = q.submit(c, e, Sync{}, false)
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, WaitForEvents([]*Event{e}))
	require.EqualValues(t, CL_OUT_OF_RESOURCES, e.command.Status())
	select {
	case text := <-said:
		require.Contains(t, text, "the reason why")
	case <-time.After(deadline):
		t.Fatal("nothing was said")
	}
}
