package cl

import (
	"unsafe"

	"aqueduct/roc"
)

// ReadBufferRect enqueues clEnqueueReadBufferRect (OpenCL API 3.0 section 5.2.2). region is bytes, rows, slices, nil if the
// caller gave none.
func (q *Queue) ReadBufferRect(m *Mem, blocking bool, buffer, host RectSide, region *Region, ptr unsafe.Pointer, s Sync) (*Event, Status) {
	b, h, st := q.checkRect(m, buffer, host, region, ptr, s)
	if st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if clEnqueueReadBufferRect is called on buffer which has been created with CL_MEM_HOST_WRITE_ONLY or
	// CL_MEM_HOST_NO_ACCESS
	if !m.hostReadable() {
		return nil, CL_INVALID_OPERATION
	}
	return q.enqueue(CL_COMMAND_READ_BUFFER_RECT, copyRect(ptr, h, m.store.Ptr, b, *region), s, blocking, m)
}

// WriteBufferRect enqueues clEnqueueWriteBufferRect (OpenCL API 3.0 section 5.2.2).
func (q *Queue) WriteBufferRect(m *Mem, blocking bool, buffer, host RectSide, region *Region, ptr unsafe.Pointer, s Sync) (*Event, Status) {
	b, h, st := q.checkRect(m, buffer, host, region, ptr, s)
	if st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if clEnqueueWriteBufferRect is called on buffer which has been created with CL_MEM_HOST_READ_ONLY or
	// CL_MEM_HOST_NO_ACCESS
	if !m.hostWritable() {
		return nil, CL_INVALID_OPERATION
	}
	return q.enqueue(CL_COMMAND_WRITE_BUFFER_RECT, copyRect(m.store.Ptr, b, ptr, h, *region), s, blocking, m)
}

func (q *Queue) checkRect(m *Mem, buffer, host RectSide, region *Region, ptr unsafe.Pointer, s Sync) (b, h box, st Status) {
	if st = q.checkBuffers(s, m); st != CL_SUCCESS {
		return
	}
	// CL_INVALID_VALUE if buffer_origin, host_origin, or region is NULL, if the region is out of bounds, if any region array
	// element is zero, if a pitch is not what section 5.2.2 allows, or if ptr is NULL
	if b, st = buffer.resolve(region); st != CL_SUCCESS {
		return
	}
	if h, st = host.resolve(region); st != CL_SUCCESS {
		return
	}
	if b.end > m.size || ptr == nil {
		return b, h, CL_INVALID_VALUE
	}
	return b, h, q.aligned(m)
}

// CopyBufferRect enqueues clEnqueueCopyBufferRect (OpenCL API 3.0 section 5.2.2).
func (q *Queue) CopyBufferRect(src, dst *Mem, from, to RectSide, region *Region, s Sync) (*Event, Status) {
	if st := q.checkBuffers(s, src, dst); st != CL_SUCCESS {
		return nil, st
	}
	for _, m := range []*Mem{src, dst} {
		if st := q.aligned(m); st != CL_SUCCESS {
			return nil, st
		}
	}
	// CL_INVALID_VALUE if src_origin, dst_origin, or region is NULL, if a region is out of bounds, if any region array element
	// is zero, or if a pitch is not what section 5.2.2 allows
	a, st := from.resolve(region)
	if st != CL_SUCCESS {
		return nil, st
	}
	b, st := to.resolve(region)
	if st != CL_SUCCESS {
		return nil, st
	}
	if a.end > src.size || b.end > dst.size {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_VALUE if src_buffer and dst_buffer are the same buffer object and src_row_pitch is not equal to dst_row_pitch
	// or src_slice_pitch is not equal to dst_slice_pitch
	if src == dst && (a.row != b.row || a.slice != b.slice) {
		return nil, CL_INVALID_VALUE
	}
	// CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and destination
	// regions overlap, or if they are different sub-buffers of the same associated buffer object and they overlap
	if src.root() == dst.root() && overlaps(a.moved(src.origin), b.moved(dst.origin), *region) {
		return nil, CL_MEM_COPY_OVERLAP
	}
	return q.enqueue(CL_COMMAND_COPY_BUFFER_RECT, copyRect(dst.store.Ptr, b, src.store.Ptr, a, *region), s, false, src, dst)
}

func copyRect(dst unsafe.Pointer, to box, src unsafe.Pointer, from box, region Region) roc.CopyRect {
	return roc.CopyRect{
		Dst: unsafe.Add(dst, to.start), Src: unsafe.Add(src, from.start), Size: region,
		DstPitch: [2]uint64{to.row, to.slice}, SrcPitch: [2]uint64{from.row, from.slice},
	}
}
