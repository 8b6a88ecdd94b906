package main

import "aqueduct/cl"

// recorded are the last parameters of every clCommand* function, and the two behind its command buffer.
type recorded struct {
	buffer *cl.CommandBuffer
	queue  uintptr
	props  cl.Addr

	n                   uint32
	list, point, handle cl.Addr
}

// record has enqueue, given a queue and what makes it record, record its command.
func (r recorded) record(launch bool, enqueue func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status)) cl.Status {
	rec, st := r.begin(launch)
	if st != cl.CL_SUCCESS {
		return st
	}
	if _, st = enqueue(rec.Queue(), rec.Sync()); st != cl.CL_SUCCESS {
		return st
	}
	if r.handle != 0 {
		c := rec.Command()
		if !newHandle(&c.Object) {
			return cl.CL_OUT_OF_HOST_MEMORY
		}
		*(*uintptr)(r.handle.Pointer()) = c.Handle()
	}
	r.give(rec)
	return cl.CL_SUCCESS
}

func (r recorded) give(rec *cl.Recording) {
	if r.point != 0 {
		r.point.PutUint(rec.Point())
	}
}

func (r recorded) begin(launch bool) (*cl.Recording, cl.Status) {
	q := (*cl.Queue)(find(r.queue, cl.KindQueue))
	// CL_INVALID_COMMAND_QUEUE if command_queue is not NULL and not a command-queue listed on command_buffer creation
	if r.queue != 0 && q == nil {
		return nil, cl.CL_INVALID_COMMAND_QUEUE
	}
	// CL_INVALID_VALUE if mutable_handle is not NULL, unless the command is a launch
	if r.handle != 0 && !launch {
		return nil, cl.CL_INVALID_VALUE
	}
	// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if sync_point_wait_list is NULL and num_sync_points_in_wait_list is > 0, or
	// sync_point_wait_list is not NULL and num_sync_points_in_wait_list is 0
	if (r.n == 0) != (r.list == 0) {
		return nil, cl.CL_INVALID_SYNC_POINT_WAIT_LIST_KHR
	}
	var points []uint32
	if r.n > 0 {
		points = array[uint32](uintptr(r.list), r.n)
	}
	return r.buffer.Record(q, knownProperties(r.props, cl.CommandProperties(launch)), launch, points)
}

func clCommandBarrierWithWaitListKHR(r recorded) cl.Status {
	rec, st := r.begin(false)
	if st == cl.CL_SUCCESS {
		st = rec.Barrier()
	}
	if st == cl.CL_SUCCESS {
		r.give(rec)
	}
	return st
}

func clCommandCopyBufferKHR(r recorded, src, dst *cl.Mem, srcOffset, dstOffset, size uintptr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueCopyBuffer(q, src, dst, srcOffset, dstOffset, size, s)
	})
}

func clCommandCopyBufferRectKHR(r recorded, src, dst *cl.Mem, srcOrigin, dstOrigin, region cl.Addr,
	srcRow, srcSlice, dstRow, dstSlice uintptr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueCopyBufferRect(q, src, dst, srcOrigin, dstOrigin, region, srcRow, srcSlice, dstRow, dstSlice, s)
	})
}

func clCommandCopyBufferToImageKHR(r recorded, src, dst *cl.Mem, offset uintptr, origin, region cl.Addr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueCopyBufferToImage(q, src, dst, offset, origin, region, s)
	})
}

func clCommandCopyImageKHR(r recorded, src, dst *cl.Mem, srcOrigin, dstOrigin, region cl.Addr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueCopyImage(q, src, dst, srcOrigin, dstOrigin, region, s)
	})
}

func clCommandCopyImageToBufferKHR(r recorded, src, dst *cl.Mem, origin, region cl.Addr, offset uintptr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueCopyImageToBuffer(q, src, dst, origin, region, offset, s)
	})
}

func clCommandFillBufferKHR(r recorded, m *cl.Mem, pattern cl.Addr, patternSize, offset, size uintptr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueFillBuffer(q, m, pattern, patternSize, offset, size, s)
	})
}

func clCommandFillImageKHR(r recorded, m *cl.Mem, color, origin, region cl.Addr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueFillImage(q, m, color, origin, region, s)
	})
}

func clCommandNDRangeKernelKHR(r recorded, k *cl.Kernel, dims uint32, offset, global, local cl.Addr) cl.Status {
	return r.record(true, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueNDRangeKernel(q, k, dims, offset, global, local, s)
	})
}

func clCommandSVMMemcpyKHR(r recorded, dst, src cl.Addr, size uintptr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueSVMMemcpy(q, 0, dst, src, size, s)
	})
}

func clCommandSVMMemFillKHR(r recorded, p, pattern cl.Addr, patternSize, size uintptr) cl.Status {
	return r.record(false, func(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
		return clEnqueueSVMMemFill(q, p, pattern, patternSize, size, s)
	})
}
