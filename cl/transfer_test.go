package cl

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestTransferRules(t *testing.T) {
	f := newFixture(t)
	host := make([]byte, 1024)
	p := unsafe.Pointer(&host[0])
	m, other := f.buffer(1024), f.buffer(1024)
	defer m.Release()
	defer other.Release()
	low, high, across := f.sub(m, 0, 512), f.sub(m, 512, 512), f.sub(m, 384, 512)
	for _, s := range []*Mem{low, high, across} {
		defer s.Release()
	}
	foreign, st := f.foreign.CreateBuffer(nil, 0, 1024, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer foreign.Release()
	flagged := func(flags uint64) *Mem {
		b, st := f.ctx.CreateBuffer(nil, flags, 1024, nil)
		require.Equal(t, CL_SUCCESS, st)
		t.Cleanup(func() { b.Release() })
		return b
	}
	writeOnly, readOnly, none := flagged(CL_MEM_HOST_WRITE_ONLY), flagged(CL_MEM_HOST_READ_ONLY), flagged(CL_MEM_HOST_NO_ACCESS)

	read := func(m *Mem, off, size uint64, p unsafe.Pointer) func() (*Event, Status) {
		return func() (*Event, Status) { return f.q.ReadBuffer(m, true, off, size, p, Sync{}) }
	}
	write := func(m *Mem, off, size uint64, p unsafe.Pointer) func() (*Event, Status) {
		return func() (*Event, Status) { return f.q.WriteBuffer(m, true, off, size, p, Sync{}) }
	}
	copying := func(src, dst *Mem, a, b, size uint64) func() (*Event, Status) {
		return func() (*Event, Status) { return f.q.CopyBuffer(src, dst, a, b, size, Sync{}) }
	}
	fill := func(n int, off, size uint64) func() (*Event, Status) {
		return func() (*Event, Status) { return f.q.FillBuffer(m, make([]byte, n), off, size, Sync{}) }
	}
	at := func(x, y, z uint64) RectSide { return RectSide{&[3]uint64{x, y, z}, 32, 256} }
	rect := func(m *Mem, s RectSide, r Region) func() (*Event, Status) {
		return func() (*Event, Status) {
			return f.q.ReadBufferRect(m, true, s, RectSide{Origin: &[3]uint64{}}, &r, p, Sync{})
		}
	}
	copyRect := func(src, dst *Mem, a, b RectSide, r Region) func() (*Event, Status) {
		return func() (*Event, Status) { return f.q.CopyBufferRect(src, dst, a, b, &r, Sync{}) }
	}
	for name, c := range map[string]struct {
		do   func() (*Event, Status)
		want Status
	}{
		"read":                            {read(m, 1000, 24, p), CL_SUCCESS},
		"read of nothing":                 {read(m, 1024, 0, p), CL_SUCCESS},
		"read past the end":               {read(m, 1000, 25, p), CL_INVALID_VALUE},
		"read from beyond":                {read(m, math.MaxUint64, 2, p), CL_INVALID_VALUE},
		"read to NULL":                    {read(m, 0, 1, nil), CL_INVALID_VALUE},
		"read foreign":                    {read(foreign, 0, 1, p), CL_INVALID_CONTEXT},
		"read what is write only":         {read(writeOnly, 0, 1, p), CL_INVALID_OPERATION},
		"read what the host may not":      {read(none, 0, 1, p), CL_INVALID_OPERATION},
		"read what is read only":          {read(readOnly, 0, 1, p), CL_SUCCESS},
		"bounds before access":            {read(none, 0, 2000, p), CL_INVALID_VALUE},
		"write":                           {write(m, 0, 1024, p), CL_SUCCESS},
		"write what is read only":         {write(readOnly, 0, 1, p), CL_INVALID_OPERATION},
		"write what the host may not":     {write(none, 0, 1, p), CL_INVALID_OPERATION},
		"write what is write only":        {write(writeOnly, 0, 1, p), CL_SUCCESS},
		"write past a sub-buffer's end":   {write(low, 500, 13, p), CL_INVALID_VALUE},
		"copy":                            {copying(m, other, 0, 24, 1000), CL_SUCCESS},
		"copy what the host may not":      {copying(none, readOnly, 0, 0, 8), CL_SUCCESS},
		"copy past the source":            {copying(m, other, 1, 0, 1024), CL_INVALID_VALUE},
		"copy past the destination":       {copying(m, other, 0, 1, 1024), CL_INVALID_VALUE},
		"copy to foreign":                 {copying(m, foreign, 0, 0, 1), CL_INVALID_CONTEXT},
		"copy within":                     {copying(m, m, 0, 512, 512), CL_SUCCESS},
		"copy onto itself":                {copying(m, m, 0, 511, 512), CL_MEM_COPY_OVERLAP},
		"copy between halves":             {copying(low, high, 0, 0, 512), CL_SUCCESS},
		"copy between what overlaps":      {copying(across, high, 0, 0, 512), CL_MEM_COPY_OVERLAP},
		"copy between parts that do not":  {copying(across, high, 0, 0, 128), CL_SUCCESS},
		"copy of a buffer to its part":    {copying(m, low, 50, 0, 100), CL_MEM_COPY_OVERLAP},
		"fill":                            {fill(16, 16, 64), CL_SUCCESS},
		"fill of nothing":                 {fill(16, 16, 0), CL_SUCCESS},
		"fill with nothing":               {fill(0, 0, 64), CL_INVALID_VALUE},
		"fill by three":                   {fill(3, 0, 63), CL_INVALID_VALUE},
		"fill by 256":                     {fill(256, 0, 256), CL_INVALID_VALUE},
		"fill from an odd offset":         {fill(4, 2, 4), CL_INVALID_VALUE},
		"fill of an odd size":             {fill(4, 4, 6), CL_INVALID_VALUE},
		"fill past the end":               {fill(4, 1020, 8), CL_INVALID_VALUE},
		"rect":                            {rect(m, at(4, 2, 1), Region{28, 6, 3}), CL_SUCCESS},
		"rect past the end":               {rect(m, at(4, 2, 1), Region{29, 6, 3}), CL_INVALID_VALUE},
		"rect of no rows":                 {rect(m, at(0, 0, 0), Region{8, 0, 1}), CL_INVALID_VALUE},
		"rect of what is write only":      {rect(writeOnly, at(0, 0, 0), Region{8, 1, 1}), CL_INVALID_OPERATION},
		"rect of foreign":                 {rect(foreign, at(0, 0, 0), Region{8, 1, 1}), CL_INVALID_CONTEXT},
		"rect copy beside":                {copyRect(m, m, at(0, 0, 0), at(16, 0, 0), Region{16, 8, 4}), CL_SUCCESS},
		"rect copy below":                 {copyRect(m, m, at(0, 0, 0), at(0, 4, 0), Region{32, 4, 4}), CL_SUCCESS},
		"rect copy onto itself":           {copyRect(m, m, at(0, 0, 0), at(15, 0, 0), Region{16, 8, 4}), CL_MEM_COPY_OVERLAP},
		"rect copy of unlike pitches":     {copyRect(m, m, at(0, 0, 0), RectSide{&[3]uint64{0, 0, 2}, 16, 256}, Region{8, 2, 1}), CL_INVALID_VALUE},
		"rect copy between parts":         {copyRect(low, high, at(0, 0, 0), at(0, 0, 0), Region{8, 2, 1}), CL_SUCCESS},
		"rect copy between what overlaps": {copyRect(across, high, at(0, 4, 0), at(0, 0, 0), Region{8, 2, 1}), CL_MEM_COPY_OVERLAP},
	} {
		t.Run(name, func(t *testing.T) {
			_, st := c.do()
			require.Equal(t, c.want, st)
		})
	}
}

func TestRectTransfersMoveWhatTheyShould(t *testing.T) {
	f := newFixture(t)
	const row, slice = 7, 42
	m, n := f.buffer(slice*4), f.buffer(slice*4)
	defer m.Release()
	defer n.Release()
	for i := range f.bytes(m) {
		f.bytes(m)[i] = byte(i)
	}
	clear(f.bytes(n))
	region := Region{3, 4, 2}
	from, to := RectSide{&[3]uint64{2, 1, 1}, row, slice}, RectSide{&[3]uint64{1, 0, 2}, row, slice}
	_, st := f.q.CopyBufferRect(m, n, from, to, &region, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	host := make([]byte, 3*4*2)
	_, st = f.q.ReadBufferRect(n, true, to, RectSide{Origin: &[3]uint64{}}, &region, unsafe.Pointer(&host[0]), Sync{})
	require.Equal(t, CL_SUCCESS, st)
	i := 0
	for z := range uint64(2) {
		for y := range uint64(4) {
			for x := range uint64(3) {
				require.Equal(t, byte((z+1)*slice+(y+1)*row+x+2), host[i])
				i++
			}
		}
	}
	_, st = f.q.WriteBufferRect(m, true, from, RectSide{Origin: &[3]uint64{}}, &region, unsafe.Pointer(unsafe.SliceData(make([]byte, 24))), Sync{})
	require.Equal(t, CL_SUCCESS, st)
	zeros := 0
	for i, b := range f.bytes(m) {
		if b == 0 {
			zeros++
		} else {
			require.Equal(t, byte(i), b)
		}
	}
	require.Equal(t, 24+1, zeros, "the region and the byte that was zero before")
}

func TestBlockingTransferReportsAFailedDependency(t *testing.T) {
	f := newFixture(t)
	m := f.buffer(64)
	defer m.Release()
	host := make([]byte, 64)
	failed := f.ctx.CreateUserEvent()
	defer failed.Release()
	failed.SetUserStatus(-99)
	s := after(failed)
	e, st := f.q.ReadBuffer(m, true, 0, 64, unsafe.Pointer(&host[0]), s)
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, st)
	require.Nil(t, e)
	_, e, st = f.q.MapBuffer(m, true, CL_MAP_READ, 0, 64, s)
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, st)
	require.Nil(t, e)
	require.Zero(t, m.mapCount())
	e, st = f.q.ReadBuffer(m, false, 0, 64, unsafe.Pointer(&host[0]), s)
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, Status(f.status(e)))
	_, st = f.q.ReadBuffer(m, true, 0, 64, unsafe.Pointer(&host[0]), Sync{})
	require.Equal(t, CL_SUCCESS, st, "the next command runs")
}

func TestMigrationRules(t *testing.T) {
	f := newFixture(t)
	m := f.buffer(64)
	defer m.Release()
	_, st := f.q.MigrateMemObjects(nil, 0, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st)
	_, st = f.q.MigrateMemObjects([]*Mem{m}, 4, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st)
	e, st := f.q.MigrateMemObjects([]*Mem{m}, CL_MIGRATE_MEM_OBJECT_HOST, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Zero(t, f.status(e))
}

func TestNativeKernelGetsItsMemoryObjects(t *testing.T) {
	f := newFixture(t)
	f.needsNativeKernels()
	m := f.buffer(64)
	defer m.Release()
	f.bytes(m)[0] = 0
	run := func(args []byte) { **(**byte)(unsafe.Pointer(&args[8])) = args[0] }
	args := make([]byte, 16)
	args[0] = 7
	_, st := f.q.NativeKernel(NativeKernel{Run: run, Args: args, Mems: []*Mem{m}, At: []uint64{9}}, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st, "the handle lies out of the arguments")
	e, st := f.q.NativeKernel(NativeKernel{Run: run, Args: args, Mems: []*Mem{m}, At: []uint64{8}}, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Zero(t, f.status(e))
	require.Equal(t, byte(7), f.bytes(m)[0])
}
