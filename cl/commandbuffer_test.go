package cl

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

const outOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

// recorder is a command buffer that a test records to, and what it records: kernel add on m, 16 integers.
type recorder struct {
	*fixture
	b   *CommandBuffer
	k   *Kernel
	m   *Mem
	all []*MutableCommand
}

func (f *fixture) recorder(properties []uint64, queues ...*Queue) *recorder {
	f.Helper()
	b, st := CreateCommandBuffer(queues, properties)
	require.Equal(f, CL_SUCCESS, st)
	p := f.program(addSource)
	r := &recorder{fixture: f, b: b, k: f.kernel(p, "add"), m: f.buffer(64)}
	clear(f.bytes(r.m))
	require.Equal(f, CL_SUCCESS, set(r.k, 0, 8, Arg{Mem: r.m}))
	p.Release()
	f.Cleanup(func() {
		r.k.Release()
		r.m.Release()
	})
	return r
}

// record records what enqueue would enqueue, behind points, and returns its sync-point.
func (r *recorder) record(enqueue func(q *Queue, s Sync) (*Event, Status), points ...uint32) uint32 {
	r.Helper()
	return r.recordOn(nil, nil, enqueue, points...)
}

func (r *recorder) recordOn(q *Queue, properties []uint64, enqueue func(q *Queue, s Sync) (*Event, Status), points ...uint32) uint32 {
	r.Helper()
	rec, st := r.b.Record(q, properties, true, points)
	require.Equal(r, CL_SUCCESS, st)
	_, st = enqueue(rec.Queue(), rec.Sync())
	require.Equal(r, CL_SUCCESS, st)
	r.all = append(r.all, rec.Command())
	return rec.Point()
}

// add is a launch that adds v to all of m.
func (r *recorder) add(v int32) func(q *Queue, s Sync) (*Event, Status) {
	return func(q *Queue, s Sync) (*Event, Status) {
		require.Equal(r, CL_SUCCESS, set(r.k, 1, 4, intArg(v)))
		return q.NDRangeKernel(r.k, line(16, 16), s)
	}
}

// fill sets all of m to v.
func (r *recorder) fill(v uint32) func(q *Queue, s Sync) (*Event, Status) {
	return func(q *Queue, s Sync) (*Event, Status) {
		return q.FillBuffer(r.m, binary.NativeEndian.AppendUint32(nil, v), 0, 64, s)
	}
}

func (r *recorder) copyTo(m *Mem) func(q *Queue, s Sync) (*Event, Status) {
	return func(q *Queue, s Sync) (*Event, Status) { return q.CopyBuffer(r.m, m, 0, 0, 64, s) }
}

func (r *recorder) finalize() {
	r.Helper()
	require.Equal(r, CL_SUCCESS, r.b.Finalize())
}

// replay enqueues the buffer, and returns its event.
func (r *recorder) replay(s Sync) *Event {
	r.Helper()
	s.Event = true
	e, st := r.b.Enqueue(nil, s)
	require.Equal(r, CL_SUCCESS, st)
	r.Cleanup(func() { e.Release() })
	return e
}

// values are the integers in m.
func (f *fixture) values(m *Mem) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(&f.bytes(m)[0])), m.size/4)
}

func (r *recorder) requireAll(m *Mem, v int32) {
	r.Helper()
	for _, got := range r.values(m) {
		require.Equal(r, v, got)
	}
}

func TestCommandBufferCreationRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	other, st := f.foreign.CreateQueue(f.device, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer other.Release()
	for name, c := range map[string]struct {
		queues     []*Queue
		properties []uint64
		want       Status
	}{
		"plain":            {[]*Queue{f.q}, nil, CL_SUCCESS},
		"two queues":       {[]*Queue{f.q, f.q}, []uint64{0}, CL_SUCCESS},
		"all flags":        {[]*Queue{f.q}, []uint64{CL_COMMAND_BUFFER_FLAGS_KHR, 7, CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, CL_SUCCESS},
		"no queues":        {nil, nil, CL_INVALID_VALUE},
		"foreign queue":    {[]*Queue{f.q, other}, nil, CL_INVALID_CONTEXT},
		"unknown property": {[]*Queue{f.q}, []uint64{CL_QUEUE_PROPERTIES, 0, 0}, CL_INVALID_VALUE},
		"unknown flag":     {[]*Queue{f.q}, []uint64{CL_COMMAND_BUFFER_FLAGS_KHR, 8, 0}, CL_INVALID_VALUE},
		"unknown assert":   {[]*Queue{f.q}, []uint64{CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}, CL_INVALID_VALUE},
		"property twice":   {[]*Queue{f.q}, []uint64{CL_COMMAND_BUFFER_FLAGS_KHR, 1, CL_COMMAND_BUFFER_FLAGS_KHR, 1, 0}, CL_INVALID_VALUE},
	} {
		t.Run(name, func(t *testing.T) {
			b, st := CreateCommandBuffer(c.queues, c.properties)
			require.Equal(t, c.want, st)
			if st == CL_SUCCESS {
				require.Equal(t, CL_SUCCESS, b.Release())
			}
		})
	}
}

func TestRecordingRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	stranger := f.queue()
	defer stranger.Release()
	other, st := f.foreign.CreateQueue(f.device, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer other.Release()
	r := f.recorder(nil, f.q)
	defer r.b.Release()
	two, st := CreateCommandBuffer([]*Queue{f.q, stranger}, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer two.Release()
	point := r.record(r.fill(1))
	for name, c := range map[string]struct {
		b          *CommandBuffer
		queue      *Queue
		properties []uint64
		launch     bool
		points     []uint32
		want       Status
	}{
		"no queue of one":       {r.b, nil, nil, false, nil, CL_SUCCESS},
		"its queue":             {r.b, f.q, []uint64{0}, false, []uint32{point, point}, CL_SUCCESS},
		"another queue":         {r.b, stranger, nil, false, nil, CL_INVALID_COMMAND_QUEUE},
		"a foreign queue":       {r.b, other, nil, false, nil, CL_INVALID_CONTEXT},
		"no queue of two":       {two, nil, nil, false, nil, CL_INVALID_COMMAND_QUEUE},
		"one of two":            {two, stranger, nil, false, nil, CL_SUCCESS},
		"sync-point zero":       {r.b, nil, nil, false, []uint32{0}, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR},
		"sync-point to come":    {r.b, nil, nil, false, []uint32{point + 1}, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR},
		"property of launches":  {r.b, nil, []uint64{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, false, nil, CL_INVALID_VALUE},
		"property of a launch":  {r.b, nil, []uint64{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, true, nil, CL_SUCCESS},
		"property of no launch": {r.b, nil, []uint64{CL_QUEUE_PROPERTIES, 1, 0}, true, nil, CL_INVALID_VALUE},
	} {
		_, st := c.b.Record(c.queue, c.properties, c.launch, c.points)
		require.Equal(t, c.want, st, name)
	}

	// what the command itself checks is what its queue checks
	foreign, st := f.foreign.CreateBuffer(nil, 0, 64, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer foreign.Release()
	before := len(r.b.commands)
	for want, enqueue := range map[Status]func(q *Queue, s Sync) (*Event, Status){
		CL_INVALID_CONTEXT:     func(q *Queue, s Sync) (*Event, Status) { return q.FillBuffer(foreign, []byte{1}, 0, 64, s) },
		CL_INVALID_VALUE:       func(q *Queue, s Sync) (*Event, Status) { return q.FillBuffer(r.m, []byte{1}, 0, 65, s) },
		CL_MEM_COPY_OVERLAP:    func(q *Queue, s Sync) (*Event, Status) { return q.CopyBuffer(r.m, r.m, 0, 4, 8, s) },
		CL_INVALID_KERNEL_ARGS: func(q *Queue, s Sync) (*Event, Status) { return q.NDRangeKernel(r.k, line(1, 1), s) },
	} {
		rec, st := r.b.Record(nil, nil, true, nil)
		require.Equal(t, CL_SUCCESS, st)
		_, st = enqueue(rec.Queue(), rec.Sync())
		require.Equal(t, want, st)
	}
	set(r.k, 1, 4, intArg(1))
	for name, c := range map[string]struct {
		properties []uint64
		r          *Range
		want       Status
	}{
		"unknown field":       {[]uint64{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 20, 0}, line(16, 16), CL_INVALID_OPERATION},
		"unknown assert":      {[]uint64{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}, line(16, 16), CL_INVALID_VALUE},
		"twice":               {[]uint64{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, line(16, 16), CL_INVALID_VALUE},
		"assert without size": {[]uint64{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, line(16, 0), CL_INVALID_VALUE},
		"no dimensions":       {nil, &Range{}, CL_INVALID_WORK_DIMENSION},
	} {
		rec, st := r.b.Record(nil, c.properties, true, nil)
		require.Equal(t, CL_SUCCESS, st, name)
		_, st = rec.Queue().NDRangeKernel(r.k, c.r, rec.Sync())
		require.Equal(t, c.want, st, name)
	}
	require.Len(t, r.b.commands, before, "nothing of what failed was recorded")

	late, st := r.b.Record(nil, nil, false, nil)
	require.Equal(t, CL_SUCCESS, st)
	_, st = r.b.Enqueue(nil, Sync{})
	require.Equal(t, CL_INVALID_OPERATION, st, "it is recording")
	r.finalize()
	require.Equal(t, CL_INVALID_OPERATION, r.b.Finalize())
	_, st = r.b.Record(nil, nil, false, nil)
	require.Equal(t, CL_INVALID_OPERATION, st)
	_, st = r.fill(2)(late.Queue(), late.Sync())
	require.Equal(t, CL_INVALID_OPERATION, st)
	require.Equal(t, CL_INVALID_OPERATION, late.Barrier())
}

// enqueuingSource has kernel launcher(), which says that it enqueues kernels.
const enqueuingSource = `
//kernel {"Name":"launcher","Symbol":"launcher","HiddenOffset":0,"KernargSize":256,"Enqueues":true}
void launcher(const void *a, const struct context *c, uint64_t first, uint64_t last) {}
`

func TestKernelsThatEnqueueKernelsAreNotRecorded(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	r := f.recorder(nil, f.q)
	defer r.b.Release()
	p := f.program(enqueuingSource)
	defer p.Release()
	k := f.kernel(p, "launcher")
	defer k.Release()
	require.Zero(t, commandBufferCapabilities&CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR)
	rec, st := r.b.Record(nil, nil, true, nil)
	require.Equal(t, CL_SUCCESS, st)
	_, st = rec.Queue().NDRangeKernel(k, line(1, 1), rec.Sync())
	require.Equal(t, CL_INVALID_OPERATION, st)
}

func TestEnqueuingRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	r := f.recorder(nil, f.q)
	defer r.b.Release()
	r.record(r.fill(1))
	r.finalize()
	other, st := f.foreign.CreateQueue(f.device, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer other.Release()
	e := f.foreign.CreateUserEvent()
	defer e.Release()
	for name, c := range map[string]struct {
		queues []*Queue
		s      Sync
		want   Status
	}{
		"too many queues": {[]*Queue{f.q, f.q}, Sync{}, CL_INVALID_VALUE},
		"foreign queue":   {[]*Queue{other}, Sync{}, CL_INVALID_CONTEXT},
		"foreign event":   {nil, Sync{Wait: []*Event{e}}, CL_INVALID_CONTEXT},
	} {
		_, st := r.b.Enqueue(c.queues, c.s)
		require.Equal(t, c.want, st, name)
	}
	substitute := f.queue(outOfOrder | CL_QUEUE_PROFILING_ENABLE)
	defer substitute.Release()
	got, st := r.b.Enqueue([]*Queue{substitute}, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer got.Release()
	require.Zero(t, f.status(got))
	require.Equal(t, substitute, got.queue)
	r.requireAll(r.m, 1)
}

// What is recorded is the kernel as it was then, and lives as long as the buffer and its replays.
func TestReplaysOfWhatWasRecorded(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	q := f.queue()
	r := f.recorder(nil, q)
	out := f.buffer(64)
	defer out.Release()
	r.record(r.fill(0))
	for i := range int32(100) {
		r.record(r.add(i))
	}
	r.record(r.copyTo(out))
	r.finalize()
	require.Equal(t, CL_SUCCESS, set(r.k, 1, 4, intArg(1000)))
	require.Equal(t, CL_SUCCESS, q.Release())
	for range 3 {
		clear(f.bytes(out))
		e := r.replay(Sync{})
		require.Zero(t, f.status(e))
		r.requireAll(out, 99*100/2)
	}
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	e := r.replay(Sync{Wait: []*Event{gate}})
	require.Equal(t, CL_SUCCESS, r.b.Release())
	clear(f.bytes(out))
	gate.SetUserStatus(CL_COMPLETE)
	require.Zero(t, f.status(e))
	r.requireAll(out, 99*100/2)
	f.eventually(func() bool { return r.b.counts.Load() == 0 }, "the end of the command buffer")
}

func TestSyncPointsAndBarriersOrder(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	for name, record := range map[string]func(r *recorder, out *Mem){
		"sync-points": func(r *recorder, out *Mem) {
			p := r.record(r.fill(0))
			for i := range int32(50) {
				p = r.record(r.add(i), p)
			}
			r.record(r.copyTo(out), p)
		},
		"barriers": func(r *recorder, out *Mem) {
			barrier := func(points ...uint32) uint32 {
				rec, st := r.b.Record(nil, nil, false, points)
				require.Equal(t, CL_SUCCESS, st)
				require.Equal(t, CL_SUCCESS, rec.Barrier())
				require.Nil(t, rec.Command())
				return rec.Point()
			}
			p := r.record(r.fill(0))
			for i := range int32(50) {
				if i%2 == 0 {
					barrier()
				} else {
					barrier(p)
				}
				p = r.record(r.add(i))
			}
			r.record(r.copyTo(out), barrier(p))
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := f.queue(outOfOrder)
			defer q.Release()
			r := f.recorder(nil, q)
			defer r.b.Release()
			out := f.buffer(64)
			defer out.Release()
			record(r, out)
			r.finalize()
			for range 10 {
				clear(f.bytes(out))
				require.Zero(t, f.status(r.replay(Sync{})))
				r.requireAll(out, 49*50/2)
			}
		})
	}
}

func TestTrapInACommandBufferEndsItsCommandAlone(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	r := f.recorder(nil, f.q)
	defer r.b.Release()
	r.record(r.fill(5))
	require.Equal(t, CL_SUCCESS, set(r.k, 0, 8, Arg{}))
	r.record(r.add(1)) // at address 0
	require.Equal(t, CL_SUCCESS, set(r.k, 0, 8, Arg{Mem: r.m}))
	r.record(r.add(1))
	r.finalize()
	for range 3 {
		clear(f.bytes(r.m))
		require.Equal(t, hostqueue.ErrOutOfResources, f.status(r.replay(Sync{})))
		r.requireAll(r.m, 5)
	}
	e, st := r.add(2)(f.q, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Zero(t, f.status(e))
	r.requireAll(r.m, 7)
}

// Commands of all queues keep the order that each queue has, whichever it is.
func TestReplayOnSeveralQueuesIsInTheOrderOfEach(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	first, second, third := f.queue(outOfOrder), f.queue(), f.queue(outOfOrder)
	defer first.Release()
	defer second.Release()
	defer third.Release()
	r := f.recorder(nil, first, second, third)
	defer r.b.Release()
	r.recordOn(second, nil, r.add(1))
	r.recordOn(second, nil, r.add(2))
	r.finalize()
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	before, st := r.fill(10)(second, after(gate))
	require.Equal(t, CL_SUCCESS, st)
	defer before.Release()
	e := r.replay(Sync{})
	behind, st := r.add(4)(second, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer behind.Release()
	marker, st := third.EnqueueMarker(Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer marker.Release()
	require.Positive(t, e.command.Status())
	gate.SetUserStatus(CL_COMPLETE)
	require.Zero(t, f.status(marker))
	require.Zero(t, e.command.Status(), "a marker waits for what the buffer did in its queue")
	require.Zero(t, f.status(behind))
	r.requireAll(r.m, 17)
	require.EqualValues(t, CL_COMMAND_COMMAND_BUFFER_KHR, e.kind)
}

func TestRemappedCommandBufferIsItsLike(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	q := f.queue(outOfOrder)
	defer q.Release()
	r := f.recorder(nil, f.q)
	defer r.b.Release()
	p := r.record(r.fill(1))
	r.record(r.add(2), p)
	for _, c := range []struct {
		automatic bool
		queues    []*Queue
		handles   []*MutableCommand
		want      Status
	}{
		{false, nil, nil, CL_INVALID_VALUE},
		{false, []*Queue{q, q}, nil, CL_INVALID_VALUE},
		{false, []*Queue{q}, []*MutableCommand{nil}, CL_INVALID_VALUE},
		{true, []*Queue{q, q}, nil, CL_SUCCESS},
		{false, []*Queue{q}, r.all, CL_SUCCESS},
	} {
		b, copies, st := r.b.Remap(c.automatic, c.queues, c.handles)
		require.Equal(t, c.want, st)
		if st != CL_SUCCESS {
			continue
		}
		require.Len(t, copies, len(c.handles))
		for i, m := range copies {
			require.Equal(t, b, m.buffer)
			require.Equal(t, r.all[i].kind, m.kind)
		}
		_, st = b.Enqueue(nil, Sync{})
		require.Equal(t, CL_INVALID_OPERATION, st, "the copy is recording, as the original")
		require.Equal(t, CL_SUCCESS, b.Finalize())
		clear(f.bytes(r.m))
		e, st := b.Enqueue(nil, Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		require.Zero(t, f.status(e))
		e.Release()
		r.requireAll(r.m, 3)
		require.Equal(t, CL_SUCCESS, b.Release())
	}
}

func TestCommandBufferInfo(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	properties := []uint64{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0}
	r := f.recorder(properties, f.q)
	defer r.b.Release()
	f.ctx.SetHandle(0x10)
	f.q.SetHandle(0x20)
	for param, want := range map[uint32]Value{
		CL_COMMAND_BUFFER_NUM_QUEUES_KHR:       Uint(uint32(1)),
		CL_COMMAND_BUFFER_QUEUES_KHR:           Ulong(uint64(0x20)),
		CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:  Uint(uint32(1)),
		CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: Ulongs(properties...),
		CL_COMMAND_BUFFER_CONTEXT_KHR:          Ulong(uint64(0x10)),
		CL_COMMAND_BUFFER_STATE_KHR:            Uint(uint32(CL_COMMAND_BUFFER_STATE_RECORDING_KHR)),
	} {
		require.Equal(t, want, commandBufferInfo[param](r.b))
	}
	f.ctx.SetHandle(0)
	f.q.SetHandle(0)
	require.Equal(t, CL_INVALID_VALUE, r.b.Info(CL_CONTEXT_DEVICES, Out{}))
}

// A buffer of several devices is one of several parts, each behind the one before it.
func TestCommandsOfSeveralDevicesKeepTheirOrder(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	several(f)
	subs, _, st := f.device.CreateSubDevices(Partition{CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1, 1}}, 2)
	require.Equal(t, CL_SUCCESS, st)
	own := *f
	own.ctx, st = f.device.platform.CreateContext(nil, []*Device{f.device, subs[0], subs[1]}, nil)
	require.Equal(t, CL_SUCCESS, st)
	var queues []*Queue
	for i, d := range own.ctx.devices {
		q, st := own.ctx.CreateQueue(d, []uint64{CL_QUEUE_PROPERTIES, outOfOrder * uint64(i%2), 0})
		require.Equal(t, CL_SUCCESS, st)
		queues = append(queues, q)
	}
	r := own.recorder([]uint64{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0}, queues...)
	out := own.buffer(64)
	p := r.recordOn(queues[0], nil, r.fill(1))
	for i := range int32(12) {
		p = r.recordOn(queues[(i/2+1)%3], nil, r.add(i), p)
	}
	r.recordOn(queues[1], nil, r.copyTo(out), p)
	r.finalize()
	segments := r.b.makeSegments()
	require.Len(t, segments, 8)
	for _, seg := range segments {
		seg.replay.Release()
	}
	for range 5 {
		clear(own.bytes(out))
		gate := own.ctx.CreateUserEvent()
		e := r.replay(Sync{Wait: []*Event{gate}})
		behind, st := queues[2].EnqueueMarker(Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		require.Positive(t, behind.command.Status())
		gate.SetUserStatus(CL_COMPLETE)
		require.Zero(t, f.status(behind))
		require.Zero(t, e.command.Status())
		r.requireAll(out, 1+11*12/2)
		behind.Release()
		gate.Release()
	}
	bad, st := r.b.Enqueue([]*Queue{queues[0], queues[2], queues[1]}, Sync{})
	require.Equal(t, CL_INVALID_DEVICE, st)
	require.Nil(t, bad)
	require.Equal(t, CL_SUCCESS, r.b.Release())
	f.eventually(func() bool { return r.b.counts.Load() == 0 }, "the end of the command buffer")
	out.Release()
	for _, q := range queues {
		q.Release()
	}
	subs[0].Release()
	subs[1].Release()
	f.Cleanup(func() { own.ctx.Release() })
}
