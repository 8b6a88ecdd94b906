package cl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestBufferFlags(t *testing.T) {
	f := newFixture(t)
	host := new([64]byte)
	for name, c := range map[string]struct {
		flags uint64
		host  bool
		want  Status
	}{
		"none":                        {0, false, CL_SUCCESS},
		"read write":                  {CL_MEM_READ_WRITE, false, CL_SUCCESS},
		"read write and read only":    {CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, false, CL_INVALID_VALUE},
		"write only and read only":    {CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY, false, CL_INVALID_VALUE},
		"use and alloc":               {CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, true, CL_INVALID_VALUE},
		"use and copy":                {CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, true, CL_INVALID_VALUE},
		"alloc and copy":              {CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, true, CL_SUCCESS},
		"alloc":                       {CL_MEM_ALLOC_HOST_PTR, false, CL_SUCCESS},
		"two host accesses":           {CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, false, CL_INVALID_VALUE},
		"host no access and reading":  {CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, false, CL_INVALID_VALUE},
		"svm":                         {CL_MEM_SVM_FINE_GRAIN_BUFFER, false, CL_INVALID_VALUE},
		"kernel read and write":       {CL_MEM_KERNEL_READ_AND_WRITE, false, CL_INVALID_VALUE},
		"unknown":                     {1 << 40, false, CL_INVALID_VALUE},
		"use of nothing":              {CL_MEM_USE_HOST_PTR, false, CL_INVALID_HOST_PTR},
		"copy of nothing":             {CL_MEM_COPY_HOST_PTR, false, CL_INVALID_HOST_PTR},
		"a pointer without a flag":    {0, true, CL_INVALID_HOST_PTR},
		"a pointer with alloc":        {CL_MEM_ALLOC_HOST_PTR, true, CL_INVALID_HOST_PTR},
		"flags are looked at earlier": {1 << 40, true, CL_INVALID_VALUE},
	} {
		t.Run(name, func(t *testing.T) {
			var p unsafe.Pointer
			if c.host {
				p = unsafe.Pointer(host)
			}
			m, st := f.ctx.CreateBuffer(nil, c.flags, 64, p)
			require.Equal(t, c.want, st)
			if st == CL_SUCCESS {
				require.Equal(t, CL_SUCCESS, m.Release())
			}
		})
	}
}

func TestBufferSizeAndProperties(t *testing.T) {
	f := newFixture(t)
	_, st := f.ctx.CreateBuffer(nil, 0, 0, nil)
	require.Equal(t, CL_INVALID_BUFFER_SIZE, st)
	_, st = f.ctx.CreateBuffer(nil, 0, f.device.roc.Info().MaxAlloc+1, nil)
	require.Equal(t, CL_INVALID_BUFFER_SIZE, st)
	_, st = f.ctx.CreateBuffer([]uint64{7, 1, 0}, 0, 4, nil)
	require.Equal(t, CL_INVALID_PROPERTY, st)
	m, st := f.ctx.CreateBuffer([]uint64{0}, 0, 4, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer m.Release()
	require.Equal(t, []uint64{0}, m.properties)
}

func TestUseHostPtrIsUsedInPlaceAndCopyHostPtrIsNot(t *testing.T) {
	f := newFixture(t)
	host := []byte("the bits")
	p := unsafe.Pointer(&host[0])
	used, st := f.ctx.CreateBuffer(nil, CL_MEM_USE_HOST_PTR, 8, p)
	require.Equal(t, CL_SUCCESS, st)
	defer used.Release()
	copied, st := f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, 8, p)
	require.Equal(t, CL_SUCCESS, st)
	defer copied.Release()
	copy(host, "new")
	require.Equal(t, "new bits", string(f.read(used)))
	require.Equal(t, "the bits", string(f.read(copied)))
	require.Equal(t, p, used.hostPtr)
	require.Nil(t, copied.hostPtr)
}

func TestSubBufferRules(t *testing.T) {
	f := newFixture(t)
	region := &BufferRegion{128, 64}
	for name, c := range map[string]struct {
		parent, flags uint64
		kind          uint32
		region        *BufferRegion
		want          Status
	}{
		"inherits":                  {0, 0, CL_BUFFER_CREATE_TYPE_REGION, region, CL_SUCCESS},
		"narrows":                   {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, region, CL_SUCCESS},
		"widens write only":         {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"turns write only":          {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"widens read only":          {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"host write only is read":   {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"host read only is written": {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"no access is accessed":     {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"access is taken":           {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_BUFFER_CREATE_TYPE_REGION, region, CL_SUCCESS},
		"host pointer":              {0, CL_MEM_ALLOC_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, region, CL_INVALID_VALUE},
		"unknown type":              {0, 0, CL_BUFFER_CREATE_TYPE_REGION + 1, region, CL_INVALID_VALUE},
		"no region":                 {0, 0, CL_BUFFER_CREATE_TYPE_REGION, nil, CL_INVALID_VALUE},
		"past the end":              {0, 0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{128, 1 << 12}, CL_INVALID_VALUE},
		"beyond":                    {0, 0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{^uint64(0) - 127, 256}, CL_INVALID_VALUE},
		"empty":                     {0, 0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{128, 0}, CL_INVALID_BUFFER_SIZE},
		"misaligned":                {0, 0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{4, 64}, CL_MISALIGNED_SUB_BUFFER_OFFSET},
	} {
		t.Run(name, func(t *testing.T) {
			m, st := f.ctx.CreateBuffer(nil, c.parent, 1024, nil)
			require.Equal(t, CL_SUCCESS, st)
			defer m.Release()
			s, st := m.CreateSubBuffer(c.flags, c.kind, c.region)
			require.Equal(t, c.want, st)
			if st != CL_SUCCESS {
				return
			}
			defer s.Release()
			require.Equal(t, m.at(128), s.store.Ptr)
			_, st = s.CreateSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{0, 32})
			require.Equal(t, CL_INVALID_MEM_OBJECT, st, "a sub-buffer of a sub-buffer")
		})
	}
}

func TestSubBufferInheritsFlagsAndHostPointer(t *testing.T) {
	f := newFixture(t)
	host := make([]byte, 1024)
	m, st := f.ctx.CreateBuffer(nil, CL_MEM_USE_HOST_PTR|CL_MEM_READ_ONLY|CL_MEM_HOST_WRITE_ONLY, 1024, unsafe.Pointer(&host[0]))
	require.Equal(t, CL_SUCCESS, st)
	defer m.Release()
	s := f.sub(m, 256, 128)
	defer s.Release()
	require.Equal(t, uint64(CL_MEM_USE_HOST_PTR|CL_MEM_READ_ONLY|CL_MEM_HOST_WRITE_ONLY), s.flags)
	require.Equal(t, unsafe.Pointer(&host[256]), s.hostPtr)
}

func TestDestructorsRunNewestFirstAfterTheLastUse(t *testing.T) {
	f := newFixture(t)
	m := f.buffer(1024)
	s := f.sub(m, 0, 128)
	calls := make(chan string, 3)
	m.OnDestroy(func() { calls <- "first" })
	m.OnDestroy(func() { calls <- "second" })
	s.OnDestroy(func() { calls <- "sub-buffer" })

	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	_, st := f.q.FillBuffer(s, []byte{1}, 0, 128, Sync{Wait: []*Event{gate}})
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, CL_SUCCESS, m.Release())
	require.Equal(t, CL_SUCCESS, s.Release())
	require.Empty(t, calls, "a command in flight uses the sub-buffer, which uses the buffer")

	gate.SetUserStatus(CL_COMPLETE)
	f.within("destruction", func() {
		for _, want := range []string{"sub-buffer", "second", "first"} {
			require.Equal(t, want, <-calls)
		}
	})
}
