package cl

import (
	"unsafe"

	"aqueduct/roc"
)

// ImageMap is what clEnqueueMapImage answers: where the region lies and the bytes from row to row and slice to slice.
type ImageMap struct {
	Ptr        unsafe.Pointer
	Row, Slice uint64
}

// MapImage enqueues clEnqueueMapImage (OpenCL API 3.0 section 5.3.8). Nothing is copied: the agent's memory is the host's.
// hasSlice is whether the caller asks for the slice pitch, hasRow for the row pitch.
func (q *Queue) MapImage(m *Mem, blocking bool, flags uint64, b ImageBox, hasRow, hasSlice bool, s Sync) (ImageMap, *Event, Status) {
	if st := q.checkImages(s, m); st != CL_SUCCESS {
		return ImageMap{}, nil, st
	}
	// CL_INVALID_VALUE if the region being mapped is out of bounds or if values specified in map_flags are not valid
	if st := b.within(m); st != CL_SUCCESS {
		return ImageMap{}, nil, st
	}
	if !validMapFlags(flags) {
		return ImageMap{}, nil, CL_INVALID_VALUE
	}
	// CL_INVALID_VALUE if image_row_pitch is NULL, or if image is a 3D image, 1D or 2D image array object and image_slice_pitch
	// is NULL
	i := m.image
	if !hasRow || i.slice != 0 && !hasSlice {
		return ImageMap{}, nil, CL_INVALID_VALUE
	}
	// CL_INVALID_OPERATION if image has been created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_READ is
	// set, or with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION is set
	write := flags&(CL_MAP_WRITE|CL_MAP_WRITE_INVALIDATE_REGION) != 0
	if flags&CL_MAP_READ != 0 && !m.hostReadable() || write && !m.hostWritable() {
		return ImageMap{}, nil, CL_INVALID_OPERATION
	}
	start := i.offset(*b.Origin)
	ptr := m.at(start)
	// CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing
	if !m.addMapping(mapping{
		mem: m, ptr: ptr, start: m.origin + start, end: m.origin + start + i.span(*b.Region), write: write, at: *b.Origin, region: *b.Region,
	}) {
		return ImageMap{}, nil, CL_INVALID_OPERATION
	}
	ev, st := q.enqueue(CL_COMMAND_MAP_IMAGE, roc.Nothing{}, s, blocking, m)
	if st != CL_SUCCESS {
		m.removeMapping(ptr)
		return ImageMap{}, nil, st
	}
	return ImageMap{ptr, i.row, i.slice}, ev, CL_SUCCESS
}
