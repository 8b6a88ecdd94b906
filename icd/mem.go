package main

import (
	"unsafe"

	"aqueduct/cl"
)

func clCreateBuffer(ctx *cl.Context, flags uint64, size uintptr, host cl.Addr) (*cl.Mem, cl.Status) {
	return ctx.CreateBuffer(nil, flags, uint64(size), host.Pointer())
}

func clCreateBufferWithProperties(ctx *cl.Context, props cl.Addr, flags uint64, size uintptr, host cl.Addr) (*cl.Mem, cl.Status) {
	return ctx.CreateBuffer(properties(props, cl.MemLists...), flags, uint64(size), host.Pointer())
}

func clCreateSubBuffer(m *cl.Mem, flags uint64, createType uint32, info cl.Addr) (*cl.Mem, cl.Status) {
	return m.CreateSubBuffer(flags, createType, (*cl.BufferRegion)(info.Pointer()))
}

func clRetainMemObject(m *cl.Mem) cl.Status  { return m.Retain() }
func clReleaseMemObject(m *cl.Mem) cl.Status { return m.Release() }

func clGetMemObjectInfo(m *cl.Mem, param uint32, out cl.Out) cl.Status {
	return m.Info(param, out)
}

func clSetMemObjectDestructorCallback(m *cl.Mem, notify, user cl.Addr) cl.Status {
	// CL_INVALID_VALUE if pfn_notify is NULL
	if notify == 0 {
		return cl.CL_INVALID_VALUE
	}
	m.OnDestroy(objectCallback(notify, m, user))
	return cl.CL_SUCCESS
}

func clEnqueueReadBuffer(q *cl.Queue, m *cl.Mem, blocking uint32, offset, size uintptr, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.ReadBuffer(m, blocking != 0, uint64(offset), uint64(size), ptr.Pointer(), s)
}

func clEnqueueWriteBuffer(q *cl.Queue, m *cl.Mem, blocking uint32, offset, size uintptr, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.WriteBuffer(m, blocking != 0, uint64(offset), uint64(size), ptr.Pointer(), s)
}

func clEnqueueCopyBuffer(q *cl.Queue, src, dst *cl.Mem, srcOffset, dstOffset, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.CopyBuffer(src, dst, uint64(srcOffset), uint64(dstOffset), uint64(size), s)
}

func clEnqueueFillBuffer(q *cl.Queue, m *cl.Mem, pattern cl.Addr, patternSize, offset, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.FillBuffer(m, patternOf(pattern, patternSize), uint64(offset), uint64(size), s)
}

// triple is a const size_t[3], nil for NULL.
func triple(at cl.Addr) *[3]uint64 { return (*[3]uint64)(at.Pointer()) }

func side(origin cl.Addr, row, slice uintptr) cl.RectSide {
	return cl.RectSide{Origin: triple(origin), RowPitch: uint64(row), SlicePitch: uint64(slice)}
}

func clEnqueueReadBufferRect(q *cl.Queue, m *cl.Mem, blocking uint32, bufferOrigin, hostOrigin, region cl.Addr,
	bufferRow, bufferSlice, hostRow, hostSlice uintptr, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.ReadBufferRect(m, blocking != 0, side(bufferOrigin, bufferRow, bufferSlice), side(hostOrigin, hostRow, hostSlice),
		triple(region), ptr.Pointer(), s)
}

func clEnqueueWriteBufferRect(q *cl.Queue, m *cl.Mem, blocking uint32, bufferOrigin, hostOrigin, region cl.Addr,
	bufferRow, bufferSlice, hostRow, hostSlice uintptr, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.WriteBufferRect(m, blocking != 0, side(bufferOrigin, bufferRow, bufferSlice), side(hostOrigin, hostRow, hostSlice),
		triple(region), ptr.Pointer(), s)
}

func clEnqueueCopyBufferRect(q *cl.Queue, src, dst *cl.Mem, srcOrigin, dstOrigin, region cl.Addr,
	srcRow, srcSlice, dstRow, dstSlice uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.CopyBufferRect(src, dst, side(srcOrigin, srcRow, srcSlice), side(dstOrigin, dstRow, dstSlice), triple(region), s)
}

func clEnqueueMapBuffer(q *cl.Queue, m *cl.Mem, blocking uint32, flags uint64, offset, size uintptr, s cl.Sync) (unsafe.Pointer, *cl.Event, cl.Status) {
	return q.MapBuffer(m, blocking != 0, flags, uint64(offset), uint64(size), s)
}

func clEnqueueUnmapMemObject(q *cl.Queue, m *cl.Mem, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.UnmapMemObject(m, ptr.Pointer(), s)
}

func clEnqueueMigrateMemObjects(q *cl.Queue, n uint32, list cl.Addr, flags uint64, s cl.Sync) (*cl.Event, cl.Status) {
	// CL_INVALID_VALUE if num_mem_objects is zero or if mem_objects is NULL
	if n == 0 || list == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	mems, ok := objects[cl.Mem](list, n, cl.KindMem)
	// CL_INVALID_MEM_OBJECT if any of the memory objects in mem_objects is not a valid memory object
	if !ok {
		return nil, cl.CL_INVALID_MEM_OBJECT
	}
	return q.MigrateMemObjects(mems, flags, s)
}
