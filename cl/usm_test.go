package cl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUSMAllocRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_intel_unified_shared_memory")
	limit := f.device.roc.Info().MaxAlloc
	stranger := &Device{}
	host := func(ps []uint64, n uint64, a uint32) (Addr, Status) { return f.ctx.HostMemAlloc(ps, n, a) }
	device := func(ps []uint64, n uint64, a uint32) (Addr, Status) { return f.ctx.DeviceMemAlloc(f.device, ps, n, a) }
	shared := func(ps []uint64, n uint64, a uint32) (Addr, Status) { return f.ctx.SharedMemAlloc(f.device, ps, n, a) }
	anyone := func(ps []uint64, n uint64, a uint32) (Addr, Status) { return f.ctx.SharedMemAlloc(nil, ps, n, a) }
	flags := func(bits uint64) []uint64 { return []uint64{CL_MEM_ALLOC_FLAGS_INTEL, bits, 0} }
	const onDevice, onHost = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL
	for name, alloc := range map[string]func([]uint64, uint64, uint32) (Addr, Status){"host": host, "device": device, "shared": shared, "anyone": anyone} {
		placed := CL_INVALID_PROPERTY
		if name == "shared" || name == "anyone" {
			placed = CL_SUCCESS
		}
		for i, c := range []struct {
			properties []uint64
			size       uint64
			alignment  uint32
			want       Status
		}{
			{nil, 100, 0, CL_SUCCESS},
			{[]uint64{0}, 100, 128, CL_SUCCESS},
			{flags(CL_MEM_ALLOC_WRITE_COMBINED_INTEL), 1, 1, CL_SUCCESS},
			{flags(onDevice), 1, 1, placed},
			{flags(onHost), 1, 1, placed},
			{flags(onHost | onDevice), 1, 1, CL_INVALID_PROPERTY},
			{flags(1 << 20), 1, 1, CL_INVALID_PROPERTY},
			{[]uint64{77, 1, 0}, 1, 1, CL_INVALID_PROPERTY},
			{[]uint64{CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0}, 1, 1, CL_INVALID_PROPERTY},
			{nil, 1, 3, CL_INVALID_VALUE},
			{nil, 1, 256, CL_INVALID_VALUE},
			{nil, 0, 0, CL_INVALID_BUFFER_SIZE},
			{nil, limit + 1, 0, CL_INVALID_BUFFER_SIZE},
		} {
			p, st := alloc(c.properties, c.size, c.alignment)
			require.Equal(t, c.want, st, "%s, case %d", name, i)
			require.Equal(t, st == CL_SUCCESS, p != 0)
			require.Equal(t, CL_SUCCESS, f.ctx.MemFree(p, false))
		}
	}
	_, st := f.ctx.DeviceMemAlloc(stranger, nil, 1, 0)
	require.Equal(t, CL_INVALID_DEVICE, st)
	_, st = f.ctx.SharedMemAlloc(stranger, nil, 1, 0)
	require.Equal(t, CL_INVALID_DEVICE, st)
}

func TestUSMInfo(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_intel_unified_shared_memory")
	wide := []uint64{CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0}
	host, _ := f.ctx.HostMemAlloc(wide, 100, 0)
	device, _ := f.ctx.DeviceMemAlloc(f.device, nil, 200, 0)
	shared, _ := f.ctx.SharedMemAlloc(nil, nil, 300, 0)
	svm := f.ctx.SVMAlloc(0, 64, 0)
	for _, c := range []struct {
		p, base Addr
		kind    uint32
		size    uint64
		device  uintptr
		flags   uint64
	}{
		{host + 99, host, CL_MEM_TYPE_HOST_INTEL, 100, 0, CL_MEM_ALLOC_WRITE_COMBINED_INTEL},
		{device, device, CL_MEM_TYPE_DEVICE_INTEL, 200, f.device.Handle(), 0},
		{shared + 1, shared, CL_MEM_TYPE_SHARED_INTEL, 300, 0, 0},
		{svm, 0, CL_MEM_TYPE_UNKNOWN_INTEL, 0, 0, 0},
		{0, 0, CL_MEM_TYPE_UNKNOWN_INTEL, 0, 0, 0},
		{1 << 50, 0, CL_MEM_TYPE_UNKNOWN_INTEL, 0, 0, 0},
	} {
		get := func(param uint32) uint64 {
			v, st := answerOf(func(out Out) Status { return f.ctx.MemAllocInfo(c.p, param, out) })
			require.Equal(t, CL_SUCCESS, st)
			return v
		}
		require.EqualValues(t, c.kind, get(CL_MEM_ALLOC_TYPE_INTEL))
		require.EqualValues(t, c.base, get(CL_MEM_ALLOC_BASE_PTR_INTEL))
		require.Equal(t, c.size, get(CL_MEM_ALLOC_SIZE_INTEL))
		require.EqualValues(t, c.device, get(CL_MEM_ALLOC_DEVICE_INTEL))
		require.Equal(t, c.flags, get(CL_MEM_ALLOC_FLAGS_INTEL))
	}
	require.Equal(t, CL_INVALID_VALUE, f.ctx.MemAllocInfo(host, 77, Out{}))
	require.Equal(t, CL_INVALID_VALUE, f.ctx.MemFree(host+1, false))
	require.Equal(t, CL_INVALID_VALUE, f.ctx.MemFree(svm, false), "not for clMemFreeINTEL to free")
	f.ctx.SVMFree(host)
	for _, p := range []Addr{host, device, shared} {
		require.Equal(t, CL_SUCCESS, f.ctx.MemFree(p, false))
		require.Equal(t, CL_INVALID_VALUE, f.ctx.MemFree(p, true), "freed twice")
	}
	f.ctx.SVMFree(svm)
}

func TestUSMCommands(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_intel_unified_shared_memory")
	p, st := f.ctx.SharedMemAlloc(f.device, nil, 256, 0)
	require.Equal(t, CL_SUCCESS, st)
	strange := f.foreign.CreateUserEvent()
	defer strange.Release()
	foreign := Sync{Wait: []*Event{strange}}
	for name, c := range map[string]struct {
		enqueue func(s Sync) (*Event, Status)
		want    Status
		kind    uint32
	}{
		"fill":           {func(s Sync) (*Event, Status) { return f.q.MemFill(p, []byte{9}, 256, s) }, CL_SUCCESS, CL_COMMAND_MEMFILL_INTEL},
		"fill NULL":      {func(s Sync) (*Event, Status) { return f.q.MemFill(0, []byte{9}, 1, s) }, CL_INVALID_VALUE, 0},
		"copy":           {func(s Sync) (*Event, Status) { return f.q.Memcpy(true, p, p+128, 128, s) }, CL_SUCCESS, CL_COMMAND_MEMCPY_INTEL},
		"copy overlap":   {func(s Sync) (*Event, Status) { return f.q.Memcpy(true, p, p+1, 2, s) }, CL_MEM_COPY_OVERLAP, 0},
		"copy NULL":      {func(s Sync) (*Event, Status) { return f.q.Memcpy(true, p, 0, 2, s) }, CL_INVALID_VALUE, 0},
		"migrate":        {func(s Sync) (*Event, Status) { return f.q.MigrateMem(p, 0, s) }, CL_SUCCESS, CL_COMMAND_MIGRATEMEM_INTEL},
		"migrate flags":  {func(s Sync) (*Event, Status) { return f.q.MigrateMem(p, 1<<9, s) }, CL_INVALID_VALUE, 0},
		"advise":         {func(s Sync) (*Event, Status) { return f.q.MemAdvise(p, 0, s) }, CL_SUCCESS, CL_COMMAND_MEMADVISE_INTEL},
		"advise wrongly": {func(s Sync) (*Event, Status) { return f.q.MemAdvise(p, 0x4208, s) }, CL_INVALID_VALUE, 0},
		"foreign":        {func(Sync) (*Event, Status) { return f.q.MemFill(p, []byte{9}, 256, foreign) }, CL_INVALID_CONTEXT, 0},
	} {
		t.Run(name, func(t *testing.T) {
			e, st := c.enqueue(Sync{Event: true})
			require.Equal(t, c.want, st)
			if e != nil {
				require.Equal(t, c.kind, e.kind)
				require.EqualValues(t, CL_COMPLETE, f.status(e))
				e.Release()
			}
		})
	}
	_, st = f.q.MemFill(p, []byte{3}, 256, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	store := f.ctx.memory.find(p).store
	f.within("a blocking free", func() { require.Equal(t, CL_SUCCESS, f.ctx.MemFree(p, true)) })
	require.False(t, store.Use(), "it has waited for the command")
}

func TestKernelPointers(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_intel_unified_shared_memory")
	p := f.program(localSource)
	defer p.Release()
	k := f.kernel(p, "spread") // global int *, local int *, local int4 *, constant int *
	defer k.Release()
	usm, _ := f.ctx.HostMemAlloc(nil, 64, 0)
	for name, c := range map[string]struct {
		index       uint32
		p           Addr
		want, asExt Status
	}{
		"global":         {0, usm, CL_SUCCESS, CL_SUCCESS},
		"NULL":           {0, 0, CL_SUCCESS, CL_SUCCESS},
		"anything":       {0, 12345, CL_SUCCESS, CL_SUCCESS},
		"constant":       {3, usm + 8, CL_SUCCESS, CL_INVALID_ARG_INDEX},
		"local":          {1, usm, CL_INVALID_ARG_VALUE, CL_INVALID_ARG_INDEX},
		"no such number": {4, usm, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_INDEX},
	} {
		require.Equal(t, c.want, k.SetPointer(c.index, c.p), name)
		require.Equal(t, c.want, k.SetSVMPointer(c.index, c.p), name)
		require.Equal(t, c.asExt, k.SetDevicePointer(c.index, c.p), name)
	}
	// What clSetKernelExecInfo names is held while launches are in flight; the sets are apart, and a clone has them too.
	indirect, kept := f.ctx.SVMAlloc(0, 64, 0), f.ctx.SVMAlloc(0, 64, 0)
	require.Equal(t, CL_SUCCESS, k.SetExecPointers(SVMPointers, []Addr{indirect + 1, 5}))
	require.Equal(t, CL_SUCCESS, k.SetExecPointers(USMPointers, []Addr{kept}))
	require.Equal(t, CL_SUCCESS, k.SetExecPointers(USMPointers, nil))
	require.Equal(t, CL_SUCCESS, k.SetExecFlag(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_TRUE))
	c := k.Clone()
	defer c.Release()
	out := f.buffer(64)
	defer out.Release()
	require.Equal(t, CL_SUCCESS, set(c, 0, 8, Arg{Mem: out}))
	require.Equal(t, CL_SUCCESS, set(c, 1, 16, Arg{Local: 16}))
	require.Equal(t, CL_SUCCESS, set(c, 2, 16, Arg{Local: 16}))
	require.Equal(t, CL_SUCCESS, c.SetPointer(3, usm))
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	e, st := f.q.NDRangeKernel(c, line(1, 1), after(gate))
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	one, two := f.ctx.memory.find(indirect).store, f.ctx.memory.find(kept).store
	f.ctx.SVMFree(indirect)
	f.ctx.SVMFree(kept)
	require.True(t, one.Use())
	one.Release()
	require.False(t, two.Use(), "the set without it came after")
	gate.SetUserStatus(CL_COMPLETE)
	require.EqualValues(t, CL_COMPLETE, f.status(e))
	f.givenBack(one)
	require.Equal(t, CL_SUCCESS, f.ctx.MemFree(usm, false))
}

func TestBufferDeviceAddress(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_ext_buffer_device_address")
	create := func(properties ...uint64) (*Mem, Status) { return f.ctx.CreateBuffer(properties, 0, 256, nil) }
	const private = CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
	for _, bad := range [][]uint64{{77, 1, 0}, {private, 2, 0}, {private, 1, private, 1, 0}} {
		_, st := create(bad...)
		require.Equal(t, CL_INVALID_PROPERTY, st)
	}
	ask := func(m *Mem) (Addr, Status) {
		v, st := answerOf(func(out Out) Status { return m.Info(CL_MEM_DEVICE_ADDRESS_EXT, out) })
		return Addr(v), st
	}
	m, st := create(private, CL_TRUE, 0)
	require.Equal(t, CL_SUCCESS, st)
	at, st := ask(m)
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, Addr(uintptr(m.store.Ptr)), at)
	part := f.sub(m, 128, 64)
	inside, st := ask(part)
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, at+128, inside)
	require.NotNil(t, f.ctx.memory.find(at), "launches can hold it by its address")
	for _, off := range [][]uint64{{private, CL_FALSE, 0}, {0}, nil} {
		other, st := create(off...)
		require.Equal(t, CL_SUCCESS, st)
		_, st = ask(other)
		require.Equal(t, CL_INVALID_OPERATION, st)
		other.Release()
	}
	svm := f.ctx.SVMAlloc(0, 256, 0)
	over, st := f.ctx.CreateBuffer([]uint64{private, CL_TRUE, 0}, CL_MEM_USE_HOST_PTR, 256, svm.Pointer())
	require.Equal(t, CL_SUCCESS, st)
	same, _ := ask(over)
	require.Equal(t, svm, same)
	for _, m := range []*Mem{part, m, over} {
		m.Release()
	}
	f.ctx.SVMFree(svm)
	require.Empty(t, f.ctx.memory.list)
}
