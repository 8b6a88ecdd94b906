package cl

import (
	"syscall"
	"testing"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

func (f *fixture) semaphore(ctx *Context, more ...uint64) *Semaphore {
	f.Helper()
	properties := append([]uint64{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR}, more...)
	s, st := ctx.CreateSemaphore(append(properties, 0))
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { s.Release() })
	return s
}

func (f *fixture) signal(q *Queue, s *Semaphore, wait ...*Event) *Event {
	f.Helper()
	e, st := q.SignalSemaphores([]*Semaphore{s}, after(wait...))
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { e.Release() })
	return e
}

func (f *fixture) wait(q *Queue, s *Semaphore, wait ...*Event) *Event {
	f.Helper()
	e, st := q.WaitSemaphores([]*Semaphore{s}, after(wait...))
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { e.Release() })
	return e
}

// queueOf is a queue of another context than the fixture's.
func (f *fixture) queueOf(ctx *Context) *Queue {
	f.Helper()
	q, st := ctx.CreateQueue(f.device, nil)
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { q.Release() })
	return q
}

func TestSemaphoreCreationRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_semaphore")
	f.device.SetHandle(0x40)
	defer f.device.SetHandle(0)
	const kind, binary = CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR
	const devices, exports = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
	const opaque, sync = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR
	const minusOne = 1<<64 - 1
	for name, c := range map[string]struct {
		properties []uint64
		want       Status
	}{
		"plain":                 {[]uint64{kind, binary, 0}, CL_SUCCESS},
		"a device":              {[]uint64{devices, 0x40, 0, kind, binary, 0}, CL_SUCCESS},
		"exportable":            {[]uint64{kind, binary, exports, opaque, 0, 0}, CL_SUCCESS},
		"exportable as nothing": {[]uint64{kind, binary, exports, 0, 0}, CL_SUCCESS},
		"complete sync fd":      {[]uint64{kind, binary, sync, minusOne, 0}, CL_SUCCESS},
		"NULL":                  {nil, CL_INVALID_VALUE},
		"no type":               {[]uint64{0}, CL_INVALID_VALUE},
		"no type, a device":     {[]uint64{devices, 0x40, 0, 0}, CL_INVALID_VALUE},
		"another type":          {[]uint64{kind, 7, 0}, CL_INVALID_PROPERTY},
		"type twice":            {[]uint64{kind, binary, kind, binary, 0}, CL_INVALID_PROPERTY},
		"unknown property":      {[]uint64{kind, binary, CL_CONTEXT_PLATFORM, 1, 0}, CL_INVALID_PROPERTY},
		"no devices":            {[]uint64{kind, binary, devices, 0, 0}, CL_INVALID_DEVICE},
		"two devices":           {[]uint64{kind, binary, devices, 0x40, 0x40, 0, 0}, CL_INVALID_DEVICE},
		"no device":             {[]uint64{kind, binary, devices, 0x41, 0, 0}, CL_INVALID_DEVICE},
		"two export types":      {[]uint64{kind, binary, exports, opaque, opaque, 0, 0}, CL_INVALID_VALUE},
		"other export type":     {[]uint64{kind, binary, exports, sync, 0, 0}, CL_INVALID_PROPERTY},
		"import and export":     {[]uint64{kind, binary, sync, minusOne, exports, opaque, 0, 0}, CL_INVALID_OPERATION},
		"two imports":           {[]uint64{kind, binary, sync, minusOne, opaque, 0, 0}, CL_INVALID_PROPERTY},
		"opaque fd that is not": {[]uint64{kind, binary, opaque, 0, 0}, CL_INVALID_PROPERTY},
		"closed sync fd":        {[]uint64{kind, binary, sync, 1 << 20, 0}, CL_INVALID_PROPERTY},
	} {
		s, st := f.ctx.CreateSemaphore(c.properties)
		require.Equal(t, c.want, st, name)
		if st == CL_SUCCESS {
			require.Equal(t, Ulongs(c.properties...), semaphoreInfo[CL_SEMAPHORE_PROPERTIES_KHR](s))
			require.Equal(t, CL_SUCCESS, s.Release())
		}
	}
}

func TestSemaphoreRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_semaphore")
	s, foreign := f.semaphore(f.ctx), f.semaphore(f.foreign)
	elsewhere := f.semaphore(f.ctx)
	elsewhere.devices = nil // as if it were another device's alone
	stranger := f.foreign.CreateUserEvent()
	defer stranger.Release()
	failed := f.ctx.CreateUserEvent()
	defer failed.Release()
	failed.SetUserStatus(-1)
	for name, c := range map[string]struct {
		ss   []*Semaphore
		s    Sync
		want Status
	}{
		"none":              {nil, Sync{}, CL_INVALID_VALUE},
		"foreign":           {[]*Semaphore{s, foreign}, Sync{}, CL_INVALID_CONTEXT},
		"of another device": {[]*Semaphore{elsewhere}, Sync{}, CL_INVALID_COMMAND_QUEUE},
		"foreign event":     {[]*Semaphore{s}, Sync{Wait: []*Event{stranger}}, CL_INVALID_CONTEXT},
		"failed event":      {[]*Semaphore{s}, Sync{Wait: []*Event{failed}}, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST},
	} {
		_, st := f.q.WaitSemaphores(c.ss, c.s)
		require.Equal(t, c.want, st, name)
		_, st = f.q.SignalSemaphores(c.ss, c.s)
		require.Equal(t, c.want, st, name)
	}
	require.Zero(t, s.payload())
	require.Equal(t, uint32(1), s.References())
	require.Equal(t, CL_INVALID_VALUE, s.Info(CL_CONTEXT_DEVICES, Out{}))
}

// A wait ends when the signal it is for has, whichever was enqueued first; the payload tells what is between them.
func TestWaitsAreForSignals(t *testing.T) {
	for name, make := range map[string]func(f *fixture) *Semaphore{
		"own": func(f *fixture) *Semaphore { return f.semaphore(f.ctx) },
		"shared": func(f *fixture) *Semaphore {
			return f.semaphore(f.ctx, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0)
		},
	} {
		for _, bits := range []uint64{0, outOfOrder} {
			t.Run(name, func(t *testing.T) {
				f := newFixture(t)
				f.needs("cl_khr_semaphore")
				other := f.queue(bits)
				defer other.Release()
				s := make(f)
				for range 3 { // and again
					gate, hold := f.ctx.CreateUserEvent(), f.ctx.CreateUserEvent()
					signal := f.signal(f.q, s, gate)
					require.Zero(t, s.payload())
					gate.SetUserStatus(CL_COMPLETE)
					require.Zero(t, f.status(signal))
					require.EqualValues(t, 1, s.payload())
					wait := f.wait(other, s)
					require.Zero(t, f.status(wait))
					require.Zero(t, s.payload())

					early := f.wait(other, s)
					behind, st := other.EnqueueMarker(after(early))
					require.Equal(t, CL_SUCCESS, st)
					require.Positive(t, early.command.Status())
					f.signal(f.q, s, hold)
					require.Positive(t, early.command.Status())
					hold.SetUserStatus(CL_COMPLETE)
					require.Zero(t, f.status(behind))
					require.Zero(t, f.status(early))
					require.Zero(t, s.payload())
					behind.Release()
					gate.Release()
					hold.Release()
				}
				f.eventually(func() bool { return s.counts.Load() == oneReference }, "the end of its uses")
			})
		}
	}
}

func TestFailedSignalFailsItsWait(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_semaphore")
	s := f.semaphore(f.ctx)
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	q := f.queue()
	defer q.Release()
	signal, wait := f.signal(f.q, s, gate), f.wait(q, s)
	gate.SetUserStatus(-7)
	require.Equal(t, hostqueue.ErrWaitList, f.status(signal))
	require.Equal(t, hostqueue.ErrWaitList, f.status(wait))
	require.Zero(t, s.payload())
}

func TestOpaqueFDsShareThePayload(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_semaphore")
	s := f.semaphore(f.ctx, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0)
	require.Equal(t, CL_INVALID_VALUE, s.Exports(f.device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR))
	require.Equal(t, CL_INVALID_DEVICE, s.Exports(nil, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR))
	require.Equal(t, CL_INVALID_VALUE, f.semaphore(f.ctx).Exports(f.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR))
	require.Equal(t, CL_SUCCESS, s.Exports(f.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR))
	fd, st := s.Export()
	require.Equal(t, CL_SUCCESS, st)
	twin := f.semaphore(f.foreign, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, uint64(fd))
	there := f.queueOf(f.foreign)
	require.Equal(t, Bool(true), semaphoreInfo[CL_SEMAPHORE_EXPORTABLE_KHR](s))
	require.Equal(t, Bool(false), semaphoreInfo[CL_SEMAPHORE_EXPORTABLE_KHR](twin))
	for range 3 {
		require.Zero(t, f.status(f.signal(f.q, s)))
		require.EqualValues(t, 1, twin.payload())
		require.Zero(t, f.status(f.wait(there, twin)))
		require.Zero(t, s.payload())
		wait := f.wait(f.q, s)
		f.signal(there, twin)
		require.Zero(t, f.status(wait))
	}
	for range 20 { // waits get signals in the order they were enqueued
		q := f.queue(outOfOrder)
		first := f.wait(q, s)
		second, third := f.wait(q, s), f.wait(q, s)
		f.signal(there, twin)
		require.Zero(t, f.status(first))
		require.Positive(t, second.command.Status())
		require.Positive(t, third.command.Status())
		f.signal(there, twin)
		require.Zero(t, f.status(second))
		require.Positive(t, third.command.Status())
		f.signal(there, twin)
		require.Zero(t, f.status(third))
		q.Release()
	}
}

// A pipe stands for a sync file: it, too, becomes readable.
func TestSyncFDsSignalWhenTheyAreComplete(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_semaphore")
	pipe := func() (read, write int) {
		var fds [2]int
		require.NoError(t, syscall.Pipe(fds[:]))
		return fds[0], fds[1]
	}
	read, write := pipe()
	s := f.semaphore(f.ctx, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, uint64(read))
	wait := f.wait(f.q, s)
	require.Positive(t, wait.command.Status())
	_, err := syscall.Write(write, []byte{1})
	require.NoError(t, err)
	require.Zero(t, f.status(wait))
	syscall.Close(write)

	require.Equal(t, CL_SUCCESS, s.ReimportSync(-1))
	require.EqualValues(t, 1, s.payload())
	require.Zero(t, f.status(f.wait(f.q, s)))
	require.Zero(t, s.payload())
	f.signal(f.q, s)
	require.Zero(t, f.status(f.wait(f.q, s)), "it is a semaphore like any other then")
	require.Equal(t, CL_INVALID_VALUE, s.ReimportSync(1<<20))
	require.Equal(t, CL_INVALID_SEMAPHORE_KHR, f.semaphore(f.ctx).ReimportSync(-1))
}
