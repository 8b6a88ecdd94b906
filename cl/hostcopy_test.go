package cl

import (
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestHostMemoryThatIsNotThereIsAnError(t *testing.T) {
	f := newFixture(t)
	const size = 1 << 16
	pages, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	defer syscall.Munmap(pages)
	host := unsafe.Pointer(unsafe.SliceData(pages))
	require.NoError(t, syscall.Mprotect(pages[:size/2], syscall.PROT_READ|syscall.PROT_WRITE)) // half of it is

	_, st := f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, size, host)
	require.Equal(t, CL_INVALID_HOST_PTR, st)
	m, st := f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, size/2, host)
	require.Equal(t, CL_SUCCESS, st)
	m.Release()

	if !f.has("__opencl_c_images") {
		return
	}
	format := ImageFormat{Order: CL_RGBA, Type: CL_UNSIGNED_INT8}
	for rows, want := range map[uint64]Status{128: CL_SUCCESS, 256: CL_INVALID_HOST_PTR} {
		m, st := f.ctx.CreateImage(nil, CL_MEM_COPY_HOST_PTR, &format, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 64, Height: rows}, host)
		require.Equal(t, want, st, "%d rows", rows)
		if st == CL_SUCCESS {
			m.Release()
		}
	}
}
