package cl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var mutable = []uint64{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0}

// setArgs is an Update.Set.
func setArgs(args map[uint32]Arg) func(k *Kernel) Status {
	return func(k *Kernel) Status {
		for i, a := range args {
			size := uint64(8)
			if a.Bytes != nil {
				size = 4
			}
			if st := set(k, i, size, a); st != CL_SUCCESS {
				return st
			}
		}
		return CL_SUCCESS
	}
}

func (r *recorder) update(us ...Update) Status {
	for i := range us {
		if us[i].Set == nil {
			us[i].Set = setArgs(nil)
		}
	}
	return r.b.Update(us)
}

func TestUpdatesChangeWhatIsEnqueuedAfterThem(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	q := f.queue(outOfOrder)
	defer q.Release()
	r := f.recorder(mutable, q)
	defer r.b.Release()
	other := f.buffer(64)
	clear(f.bytes(other))
	r.record(r.add(1))
	r.finalize()
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	before := r.replay(Sync{Wait: []*Event{gate}})
	c := r.all[0]
	require.Equal(t, CL_SUCCESS, r.update(
		Update{Command: c, Args: true, Set: setArgs(map[uint32]Arg{1: intArg(10)})},
		Update{Command: c, Args: true, Set: setArgs(map[uint32]Arg{0: {Mem: other}}), Global: &[3]uint64{8}, Local: &[3]uint64{8}},
	))
	now := r.replay(Sync{Wait: []*Event{gate}})
	gate.SetUserStatus(CL_COMPLETE)
	require.Zero(t, f.status(before))
	require.Zero(t, f.status(now))
	r.requireAll(r.m, 1)
	for i, v := range f.values(other) {
		if i < 8 {
			require.EqualValues(t, 10, v)
		} else {
			require.Zero(t, v)
		}
	}
	require.Equal(t, CL_SUCCESS, r.update(Update{Command: c, Global: &[3]uint64{16}}))
	require.Zero(t, f.status(r.replay(Sync{})))
	require.EqualValues(t, 20, f.values(other)[0])
	require.EqualValues(t, 10, f.values(other)[15])
	require.Equal(t, CL_SUCCESS, other.Release(), "the buffer keeps it")
	require.Zero(t, f.status(r.replay(Sync{})))
	require.Equal(t, CL_SUCCESS, r.update(Update{Command: c, Args: true, Set: setArgs(map[uint32]Arg{0: {Mem: r.m}})}))
	f.eventually(func() bool { return other.counts.Load() == 0 }, "the end of an argument that was replaced")
}

func TestUpdateRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	r := f.recorder(mutable, f.q)
	defer r.b.Release()
	another := f.recorder(mutable, f.q)
	defer another.b.Release()
	foreign, st := f.foreign.CreateBuffer(nil, 0, 64, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer foreign.Release()
	another.record(another.add(1))
	r.record(r.add(1))
	r.record(r.fill(0))
	for field := uint64(1); field <= CL_MUTABLE_DISPATCH_EXEC_INFO_KHR; field <<= 1 {
		r.recordOn(nil, []uint64{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, field, 0}, r.add(1))
	}
	require.Equal(t, CL_INVALID_OPERATION, r.b.CheckMutable(), "it is recording")
	r.finalize()
	require.Equal(t, CL_SUCCESS, r.b.CheckMutable())
	launch, fixed := r.all[0], r.all[2:]
	good := Update{Command: launch, Args: true, Set: setArgs(map[uint32]Arg{1: intArg(100)})}
	size := func(x uint64) *[3]uint64 { return &[3]uint64{x} }
	for name, c := range map[string]struct {
		u    Update
		want Status
	}{
		"no command":           {Update{}, CL_INVALID_MUTABLE_COMMAND_KHR},
		"of another buffer":    {Update{Command: another.all[0]}, CL_INVALID_MUTABLE_COMMAND_KHR},
		"no launch":            {Update{Command: r.all[1]}, CL_INVALID_MUTABLE_COMMAND_KHR},
		"other dimensions":     {Update{Command: launch, Dims: 2}, CL_INVALID_OPERATION},
		"offset not updatable": {Update{Command: fixed[1], Offset: size(1)}, CL_INVALID_OPERATION},
		"global not updatable": {Update{Command: fixed[2], Global: size(1)}, CL_INVALID_OPERATION},
		"local not updatable":  {Update{Command: fixed[3], Local: size(1)}, CL_INVALID_OPERATION},
		"args not updatable":   {Update{Command: fixed[4], Args: true}, CL_INVALID_OPERATION},
		"infos not updatable":  {Update{Command: fixed[0], Infos: true}, CL_INVALID_OPERATION},
		"uniformity":           {Update{Command: launch, Global: size(15)}, CL_INVALID_WORK_GROUP_SIZE},
		"group too large":      {Update{Command: launch, Global: size(1 << 40), Local: size(1 << 40)}, CL_INVALID_WORK_ITEM_SIZE},
		"argument index":       {Update{Command: launch, Args: true, Set: setArgs(map[uint32]Arg{2: intArg(0)})}, CL_INVALID_ARG_INDEX},
		"foreign argument":     {Update{Command: launch, Args: true, Set: setArgs(map[uint32]Arg{0: {Mem: foreign}})}, CL_INVALID_CONTEXT},
	} {
		require.Equal(t, c.want, r.update(good, c.u), name)
	}
	for i, field := range fixed { // each has one that is
		u := Update{Command: field}
		switch i {
		case 0:
			u.Offset = size(0)
		case 1:
			u.Global = size(16)
		case 2:
			u.Local = size(8)
		case 3:
			u.Args = true
		case 4:
			u.Infos = true
		}
		require.Equal(t, CL_SUCCESS, r.update(u))
	}
	clear(f.bytes(r.m))
	require.Zero(t, f.status(r.replay(Sync{})))
	r.requireAll(r.m, 5)
	require.Equal(t, CL_SUCCESS, r.update(good), "none of the updates above took effect")

	still := f.recorder(nil, f.q)
	defer still.b.Release()
	still.finalize()
	require.Equal(t, CL_INVALID_OPERATION, still.b.CheckMutable(), "it is not mutable")
}

func TestUniformityOfWorkGroupsStays(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	r := f.recorder(mutable, f.q)
	defer r.b.Release()
	p := f.program(addSource, "-cl-std=CL3.0")
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: r.m}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(1)))
	r.record(func(q *Queue, s Sync) (*Event, Status) { return q.NDRangeKernel(k, line(15, 4), s) })
	r.finalize()
	c := r.all[0]
	require.Equal(t, CL_INVALID_OPERATION, r.update(Update{Command: c, Global: &[3]uint64{12}}))
	require.Equal(t, CL_INVALID_OPERATION, r.update(Update{Command: c, Local: &[3]uint64{5}}))
	require.Equal(t, CL_SUCCESS, r.update(Update{Command: c, Global: &[3]uint64{13}}))
}

func TestArgumentsMayComeWithAnUpdate(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	launch := func(q *Queue, s Sync) (*Event, Status) { return q.NDRangeKernel(k, line(16, 16), s) }
	later := []uint64{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0}

	fixed := f.recorder(nil, f.q)
	defer fixed.b.Release()
	rec, st := fixed.b.Record(nil, later, true, nil)
	require.Equal(t, CL_SUCCESS, st)
	_, st = launch(rec.Queue(), rec.Sync())
	require.Equal(t, CL_INVALID_KERNEL_ARGS, st, "there will be no update")

	r := f.recorder(mutable, f.q)
	defer r.b.Release()
	r.recordOn(nil, later, launch)
	r.finalize()
	require.EqualValues(t, CL_COMMAND_BUFFER_STATE_FINALIZED_KHR, r.b.state())
	_, st = r.b.Enqueue(nil, Sync{})
	require.Equal(t, CL_INVALID_OPERATION, st)
	give := func(args map[uint32]Arg) {
		require.Equal(t, CL_SUCCESS, r.update(Update{Command: r.all[0], Args: true, Set: setArgs(args)}))
	}
	give(map[uint32]Arg{1: intArg(3)})
	require.EqualValues(t, CL_COMMAND_BUFFER_STATE_FINALIZED_KHR, r.b.state())
	give(map[uint32]Arg{0: {Mem: r.m}})
	require.EqualValues(t, CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, r.b.state())
	require.Zero(t, f.status(r.replay(Sync{})))
	r.requireAll(r.m, 3)
}

func TestMutableCommandInfo(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_command_buffer")
	r := f.recorder(mutable, f.q)
	defer r.b.Release()
	r.b.SetHandle(0x10)
	r.k.SetHandle(0x20)
	f.q.SetHandle(0x30)
	defer func() {
		for _, o := range []*Object{&r.b.Object, &r.k.Object, &f.q.Object} {
			o.SetHandle(0)
		}
	}()
	properties := []uint64{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}
	r.recordOn(nil, properties, r.add(1))
	r.record(r.fill(0))
	r.finalize()
	require.Equal(t, CL_SUCCESS, r.update(Update{Command: r.all[0], Offset: &[3]uint64{3}, Global: &[3]uint64{8}, Local: &[3]uint64{4}}))
	for param, want := range map[uint32][2]Value{
		CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:       {Ulong(uint64(0x30)), Ulong(uint64(0x30))},
		CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:      {Ulong(uint64(0x10)), Ulong(uint64(0x10))},
		CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:        {Uint(uint32(CL_COMMAND_NDRANGE_KERNEL)), Uint(uint32(CL_COMMAND_FILL_BUFFER))},
		CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:    {Ulongs(properties...), Ulongs[uint64]()},
		CL_MUTABLE_DISPATCH_KERNEL_KHR:             {Ulong(uint64(0x20)), Bytes(nil)},
		CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:         {Uint(uint32(1)), Bytes(nil)},
		CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR: {Ulongs(uint64(3)), Bytes(nil)},
		CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:   {Ulongs(uint64(8)), Bytes(nil)},
		CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:    {Ulongs(uint64(4)), Bytes(nil)},
	} {
		require.Equal(t, want[0], mutableCommandInfo[param](r.all[0]), "%#x", param)
		require.Equal(t, want[1], mutableCommandInfo[param](r.all[1]), "%#x", param)
	}
	require.Equal(t, CL_INVALID_VALUE, r.all[0].Info(CL_CONTEXT_DEVICES, Out{}))
}
