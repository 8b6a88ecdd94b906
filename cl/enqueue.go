package cl

import (
	"slices"

	"aqueduct/hostqueue"
)

// Sync is what every enqueue is given beside its own arguments: the events to wait for, and whether an event is wanted back.
type Sync struct {
	Wait  []*Event
	Event bool

	record *Recording // takes the command in place of the queue, if not nil
}

// check is what all enqueues check first.
func (q *Queue) check(s Sync, mems ...*Mem) Status {
	// CL_INVALID_CONTEXT if the context associated with command_queue and a memory object, or events in event_wait_list, are
	// not the same
	for _, m := range mems {
		if m.ctx != q.ctx {
			return CL_INVALID_CONTEXT
		}
	}
	for _, e := range s.Wait {
		if e.ctx != q.ctx {
			return CL_INVALID_CONTEXT
		}
	}
	return CL_SUCCESS
}

// checkBuffers is check for mems that must be buffers.
func (q *Queue) checkBuffers(s Sync, mems ...*Mem) Status {
	if st := q.check(s, mems...); st != CL_SUCCESS {
		return st
	}
	// CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object
	for _, m := range mems {
		if !m.isBuffer() {
			return CL_INVALID_MEM_OBJECT
		}
	}
	return CL_SUCCESS
}

// aligned is the check of sub-buffers that all transfers share.
func (q *Queue) aligned(m *Mem) Status {
	// CL_MISALIGNED_SUB_BUFFER_OFFSET if buffer is a sub-buffer object and the offset specified when the sub-buffer object was
	// created is not aligned to the CL_DEVICE_MEM_BASE_ADDR_ALIGN value for the device associated with command_queue
	if m.origin%q.device.baseAlign() != 0 {
		return CL_MISALIGNED_SUB_BUFFER_OFFSET
	}
	return CL_SUCCESS
}

// hold keeps the storage of mems until drop; false if one is gone, which another thread's clReleaseMemObject may have done
// since its handle was looked up.
func hold(mems []*Mem) bool {
	for i, m := range mems {
		if !m.Use() {
			drop(mems[:i])
			return false
		}
	}
	return true
}

func drop(mems []*Mem) {
	for _, m := range mems {
		m.Unuse()
	}
}

// enqueue puts a command of the type clGetEventInfo names on q. mems are held until it ends. A blocking one has ended, well,
// when this returns CL_SUCCESS.
func (q *Queue) enqueue(kind uint32, op hostqueue.Op, s Sync, blocking bool, mems ...*Mem) (*Event, Status) {
	if !hold(mems) {
		return nil, CL_INVALID_MEM_OBJECT
	}
	if s.record != nil {
		held := slices.Clone(mems)
		return nil, s.record.enqueue(kind, op, func() { drop(held) })
	}
	c, e := q.command(kind, hostqueue.KindCommand, op, s)
	if len(mems) == 1 {
		c.OnDone = mems[0].done // made once
	} else {
		held := slices.Clone(mems)
		c.OnDone = func(*hostqueue.Command) { drop(held) }
	}
	return q.submit(c, e, s, blocking)
}
