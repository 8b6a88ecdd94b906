package cl

import (
	"math/bits"
	"slices"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// ReadBuffer enqueues clEnqueueReadBuffer (OpenCL API 3.0 section 5.2.2).
func (q *Queue) ReadBuffer(m *Mem, blocking bool, offset, size uint64, ptr unsafe.Pointer, s Sync) (*Event, Status) {
	if st := q.checkTransfer(m, offset, size, ptr, s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if clEnqueueReadBuffer is called on buffer which has been created with CL_MEM_HOST_WRITE_ONLY or
	// CL_MEM_HOST_NO_ACCESS
	if !m.hostReadable() {
		return nil, CL_INVALID_OPERATION
	}
	return q.enqueue(CL_COMMAND_READ_BUFFER, linear(ptr, m.at(offset), size), s, blocking, m)
}

// WriteBuffer enqueues clEnqueueWriteBuffer (OpenCL API 3.0 section 5.2.2).
func (q *Queue) WriteBuffer(m *Mem, blocking bool, offset, size uint64, ptr unsafe.Pointer, s Sync) (*Event, Status) {
	if st := q.checkTransfer(m, offset, size, ptr, s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if clEnqueueWriteBuffer is called on buffer which has been created with CL_MEM_HOST_READ_ONLY or
	// CL_MEM_HOST_NO_ACCESS
	if !m.hostWritable() {
		return nil, CL_INVALID_OPERATION
	}
	return q.enqueue(CL_COMMAND_WRITE_BUFFER, linear(m.at(offset), ptr, size), s, blocking, m)
}

func (q *Queue) checkTransfer(m *Mem, offset, size uint64, ptr unsafe.Pointer, s Sync) Status {
	if st := q.checkBuffers(s, m); st != CL_SUCCESS {
		return st
	}
	// CL_INVALID_VALUE if the region being read or written specified by offset and size is out of bounds or if ptr is NULL
	if !span(offset, size, m.size) || ptr == nil {
		return CL_INVALID_VALUE
	}
	return q.aligned(m)
}

// linear is a copy of size bytes, which may be none.
func linear(dst, src unsafe.Pointer, size uint64) hostqueue.Op {
	if size == 0 {
		return roc.Nothing{}
	}
	return roc.CopyRect{Dst: dst, Src: src, Size: [3]uint64{size, 1, 1}}
}

// CopyBuffer enqueues clEnqueueCopyBuffer (OpenCL API 3.0 section 5.2.2).
func (q *Queue) CopyBuffer(src, dst *Mem, srcOffset, dstOffset, size uint64, s Sync) (*Event, Status) {
	if st := q.checkBuffers(s, src, dst); st != CL_SUCCESS {
		return nil, st
	}
	for _, m := range []*Mem{src, dst} {
		if st := q.aligned(m); st != CL_SUCCESS {
			return nil, st
		}
	}
	// CL_INVALID_VALUE if the region specified by src_offset and size is out of bounds of src_buffer, or that by dst_offset
	// and size of dst_buffer
	if !span(srcOffset, size, src.size) || !span(dstOffset, size, dst.size) {
		return nil, CL_INVALID_VALUE
	}
	// CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and destination
	// regions overlap, or if they are different sub-buffers of the same associated buffer object and they overlap
	a, b := src.origin+srcOffset, dst.origin+dstOffset
	if src.root() == dst.root() && a < b+size && b < a+size {
		return nil, CL_MEM_COPY_OVERLAP
	}
	return q.enqueue(CL_COMMAND_COPY_BUFFER, linear(dst.at(dstOffset), src.at(srcOffset), size), s, false, src, dst)
}

// FillBuffer enqueues clEnqueueFillBuffer (OpenCL API 3.0 section 5.2.3). pattern is nil if the caller gave none.
func (q *Queue) FillBuffer(m *Mem, pattern []byte, offset, size uint64, s Sync) (*Event, Status) {
	if st := q.checkBuffers(s, m); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if the region being filled is out of bounds, if pattern is NULL, if pattern_size is zero, not a power of
	// two or greater than 128, or if offset or size is not a multiple of pattern_size
	n := uint64(len(pattern))
	if !span(offset, size, m.size) || bits.OnesCount64(n) != 1 || n > MaxPattern || offset%n != 0 || size%n != 0 {
		return nil, CL_INVALID_VALUE
	}
	if st := q.aligned(m); st != CL_SUCCESS {
		return nil, st
	}
	var op hostqueue.Op = roc.Nothing{}
	if size > 0 {
		op = roc.Fill{Dst: m.at(offset), Size: [3]uint64{size, 1, 1}, Pattern: slices.Clone(pattern)}
	}
	return q.enqueue(CL_COMMAND_FILL_BUFFER, op, s, false, m)
}

// MigrateMemObjects enqueues clEnqueueMigrateMemObjects (OpenCL API 3.0 section 5.6.4). The devices of a context share one
// copy of a buffer, so all that is left of it is its place in the order.
func (q *Queue) MigrateMemObjects(mems []*Mem, flags uint64, s Sync) (*Event, Status) {
	if st := q.check(s, mems...); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if num_mem_objects is zero or if mem_objects is NULL, or if flags is not 0 or is not any of the values
	// described in the table
	if len(mems) == 0 || !validMigration(flags) {
		return nil, CL_INVALID_VALUE
	}
	return q.enqueue(CL_COMMAND_MIGRATE_MEM_OBJECTS, roc.Nothing{}, s, false, mems...)
}

// MaxPattern is the size in bytes of the largest OpenCL C type, and so of the largest pattern of a fill.
const MaxPattern = 128
