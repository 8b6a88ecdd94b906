package cl

import (
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// sharedMemory is a file descriptor of size bytes of memory, for the driver to take, and a mapping of the same memory.
func (f *fixture) sharedMemory(t *testing.T, size int) (fd int, mapped []byte) {
	t.Helper()
	fd, err := syscall.Open(filepath.Join(t.TempDir(), "memory"), syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	require.NoError(t, err)
	require.NoError(t, syscall.Ftruncate(fd, int64(size)))
	mapped, err = syscall.Mmap(fd, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	require.NoError(t, err)
	t.Cleanup(func() { syscall.Munmap(mapped) })
	return fd, mapped
}

func isOpen(fd int) bool {
	var s syscall.Stat_t
	return syscall.Fstat(fd, &s) == nil
}

func TestExternalMemoryIsShared(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_external_memory")
	fd, mapped := f.sharedMemory(t, 8192)
	m, st := f.ctx.CreateBuffer([]uint64{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, uint64(fd), 0}, 0, 8000, nil)
	require.Equal(t, CL_SUCCESS, st)
	require.False(t, isOpen(fd), "it is the driver's, which needs it no more")
	copy(mapped, "from outside")
	got := make([]byte, 12)
	acquire, st := f.q.AcquireExternal([]*Mem{m}, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	_, st = f.q.ReadBuffer(m, true, 0, 12, unsafe.Pointer(&got[0]), after(acquire))
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, "from outside", string(got))
	_, st = f.q.FillBuffer(m, []byte{7}, 4000, 4000, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	release, st := f.q.ReleaseExternal([]*Mem{m}, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	require.Zero(t, f.status(release))
	require.EqualValues(t, 7, mapped[7999])
	require.Zero(t, mapped[8000])
	require.EqualValues(t, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, acquire.kind)
	require.EqualValues(t, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, release.kind)
	acquire.Release()
	release.Release()
	require.Equal(t, CL_SUCCESS, m.Release())
	require.EqualValues(t, 7, mapped[7999], "the memory outlives the buffer")
}

func TestImageOfExternalMemoryHasItsPitch(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_external_memory")
	fd, mapped := f.sharedMemory(t, 4096)
	m, st := f.ctx.CreateImage([]uint64{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, uint64(fd), 0}, 0, &ImageFormat{Order: CL_R, Type: CL_UNSIGNED_INT8},
		&ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 8, Height: 4, RowPitch: 100}, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer m.Release()
	e, st := f.q.FillImage(m, &[4]uint32{9}, ImageBox{&[3]uint64{1, 1, 0}, &[3]uint64{2, 2, 1}}, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Zero(t, f.status(e))
	for i, v := range mapped {
		want := byte(0)
		if row, column := i/100, i%100; row >= 1 && row < 3 && column >= 1 && column < 3 {
			want = 9
		}
		require.Equal(t, want, v, "byte %d", i)
	}
}

func TestExternalMemoryRules(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_external_memory")
	f.device.SetHandle(0x40)
	defer f.device.SetHandle(0)
	fd, _ := f.sharedMemory(t, 4096)
	var pipe [2]int
	require.NoError(t, syscall.Pipe(pipe[:]))
	defer syscall.Close(pipe[0])
	defer syscall.Close(pipe[1])
	host := make([]byte, 64)
	const opaque, devices = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_MEM_DEVICE_HANDLE_LIST_KHR
	handle := uint64(fd)
	for name, c := range map[string]struct {
		properties  []uint64
		flags, size uint64
		host        unsafe.Pointer
		want        Status
	}{
		"host pointer flag":  {[]uint64{opaque, handle, 0}, CL_MEM_COPY_HOST_PTR, 64, unsafe.Pointer(&host[0]), CL_INVALID_VALUE},
		"alloc flag":         {[]uint64{opaque, handle, 0}, CL_MEM_ALLOC_HOST_PTR, 64, nil, CL_INVALID_VALUE},
		"host pointer":       {[]uint64{opaque, handle, 0}, 0, 64, unsafe.Pointer(&host[0]), CL_INVALID_HOST_PTR},
		"too large":          {[]uint64{opaque, handle, 0}, 0, 4097, nil, CL_INVALID_BUFFER_SIZE},
		"empty":              {[]uint64{opaque, handle, 0}, 0, 0, nil, CL_INVALID_BUFFER_SIZE},
		"two handles":        {[]uint64{opaque, handle, opaque, handle, 0}, 0, 64, nil, CL_INVALID_PROPERTY},
		"no file":            {[]uint64{opaque, 1 << 20, 0}, 0, 64, nil, CL_INVALID_PROPERTY},
		"no memory":          {[]uint64{opaque, uint64(pipe[0]), 0}, 0, 64, nil, CL_INVALID_PROPERTY},
		"another handle":     {[]uint64{0x2067, handle, 0}, 0, 64, nil, CL_INVALID_PROPERTY},
		"unknown device":     {[]uint64{devices, 0x41, 0, opaque, handle, 0}, 0, 64, nil, CL_INVALID_DEVICE},
		"devices, no handle": {[]uint64{devices, 0x40, 0, 0}, 0, 64, nil, CL_INVALID_PROPERTY},
	} {
		_, st := f.ctx.CreateBuffer(c.properties, c.flags, c.size, c.host)
		require.Equal(t, c.want, st, name)
		require.True(t, isOpen(fd), "what fails takes nothing")
	}
	_, st := f.ctx.CreateImage([]uint64{opaque, handle, 0}, 0, &ImageFormat{Order: CL_R, Type: CL_UNSIGNED_INT8},
		&ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 1000, Height: 1000}, nil)
	require.Equal(t, CL_INVALID_IMAGE_SIZE, st)
	m, st := f.ctx.CreateBuffer([]uint64{devices, 0x40, 0, opaque, handle, 0}, 0, 64, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer m.Release()

	own := f.buffer(64)
	defer own.Release()
	foreign := f.queueOf(f.foreign)
	failed := f.ctx.CreateUserEvent()
	defer failed.Release()
	failed.SetUserStatus(-1)
	for _, enqueue := range []func(q *Queue, mems []*Mem, s Sync) (*Event, Status){(*Queue).AcquireExternal, (*Queue).ReleaseExternal} {
		for name, c := range map[string]struct {
			q    *Queue
			mems []*Mem
			s    Sync
			want Status
		}{
			"nothing":        {f.q, nil, Sync{}, CL_SUCCESS},
			"not external":   {f.q, []*Mem{m, own}, Sync{}, CL_INVALID_MEM_OBJECT},
			"another's":      {foreign, []*Mem{m}, Sync{}, CL_INVALID_COMMAND_QUEUE},
			"a failed event": {f.q, []*Mem{m}, after(failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST},
		} {
			_, st := enqueue(c.q, c.mems, c.s)
			require.Equal(t, c.want, st, name)
		}
	}
}
