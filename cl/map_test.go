package cl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestMapRules(t *testing.T) {
	f := newFixture(t)
	for name, c := range map[string]struct {
		mem, flags, off, size uint64
		want                  Status
	}{
		"read":                        {0, CL_MAP_READ, 0, 64, CL_SUCCESS},
		"read and write":              {0, CL_MAP_READ | CL_MAP_WRITE, 32, 32, CL_SUCCESS},
		"invalidate":                  {0, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, CL_SUCCESS},
		"invalidate and read":         {0, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, 0, 64, CL_INVALID_VALUE},
		"unknown flag":                {0, 8, 0, 64, CL_INVALID_VALUE},
		"past the end":                {0, CL_MAP_READ, 32, 33, CL_INVALID_VALUE},
		"nothing":                     {0, CL_MAP_READ, 0, 0, CL_INVALID_VALUE},
		"read of write only":          {CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ, 0, 64, CL_INVALID_OPERATION},
		"write of read only":          {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE, 0, 64, CL_INVALID_OPERATION},
		"invalidate of read only":     {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, CL_INVALID_OPERATION},
		"read of what the host canot": {CL_MEM_HOST_NO_ACCESS, CL_MAP_READ, 0, 64, CL_INVALID_OPERATION},
	} {
		t.Run(name, func(t *testing.T) {
			m, st := f.ctx.CreateBuffer(nil, c.mem, 64, nil)
			require.Equal(t, CL_SUCCESS, st)
			defer m.Release()
			p, _, st := f.q.MapBuffer(m, true, c.flags, c.off, c.size, Sync{})
			require.Equal(t, c.want, st)
			if st == CL_SUCCESS {
				if m.store.Host != nil {
					require.Equal(t, m.at(c.off), p)
				}
				_, st = f.q.UnmapMemObject(m, p, Sync{})
				require.Equal(t, CL_SUCCESS, st)
			}
			require.Zero(t, m.mapCount())
		})
	}
}

func TestMapsAreCountedAndUnmappedOnce(t *testing.T) {
	f := newFixture(t)
	m := f.buffer(1024)
	defer m.Release()
	s := f.sub(m, 512, 512)
	defer s.Release()
	mapped := func(m *Mem, flags, off, size uint64) unsafe.Pointer {
		p, _, st := f.q.MapBuffer(m, false, flags, off, size, Sync{})
		require.Equal(t, CL_SUCCESS, st)
		return p
	}
	whole := mapped(m, CL_MAP_READ, 0, 1024)
	again := mapped(m, CL_MAP_READ, 0, 16)
	write := mapped(m, CL_MAP_WRITE, 0, 512)
	part := mapped(s, CL_MAP_WRITE, 0, 512)
	require.Equal(t, whole, again)
	require.Equal(t, unsafe.Add(whole, 512), part)
	require.Equal(t, uint32(3), m.mapCount())
	require.Equal(t, uint32(1), s.mapCount())

	_, _, st := f.q.MapBuffer(m, false, CL_MAP_WRITE, 500, 20, Sync{})
	require.Equal(t, CL_INVALID_OPERATION, st, "mapped for writing in part, and by a sub-buffer")
	_, st = f.q.UnmapMemObject(m, part, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st, "the sub-buffer was mapped, not the buffer")
	_, st = f.q.UnmapMemObject(m, unsafe.Add(whole, 1), Sync{})
	require.Equal(t, CL_INVALID_VALUE, st, "never mapped")
	for _, p := range []unsafe.Pointer{whole, again, write} {
		_, st = f.q.UnmapMemObject(m, p, Sync{})
		require.Equal(t, CL_SUCCESS, st)
	}
	_, st = f.q.UnmapMemObject(m, whole, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st, "unmapped as often as mapped")
	_, st = f.q.UnmapMemObject(s, part, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	require.Zero(t, m.mapCount()+s.mapCount())
}

func TestMappedMemoryIsTheBuffersOwn(t *testing.T) {
	f := newFixture(t)
	m := f.buffer(64)
	defer m.Release()
	p, _, st := f.q.MapBuffer(m, true, CL_MAP_WRITE_INVALIDATE_REGION, 8, 8, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	copy(unsafe.Slice((*byte)(p), 8), "the bits")
	_, st = f.q.UnmapMemObject(m, p, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	got := make([]byte, 8)
	_, st = f.q.ReadBuffer(m, true, 8, 8, unsafe.Pointer(&got[0]), Sync{})
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, "the bits", string(got))
}
