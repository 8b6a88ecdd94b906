package cl

import "aqueduct/hostqueue"

// EnqueueMarker is clEnqueueMarkerWithWaitList (OpenCL API 3.0 section 5.12).
func (q *Queue) EnqueueMarker(s Sync) (*Event, Status) {
	return q.point(CL_COMMAND_MARKER, hostqueue.KindMarker, s)
}

// EnqueueBarrier is clEnqueueBarrierWithWaitList.
func (q *Queue) EnqueueBarrier(s Sync) (*Event, Status) {
	return q.point(CL_COMMAND_BARRIER, hostqueue.KindBarrier, s)
}

func (q *Queue) point(kind uint32, order hostqueue.Kind, s Sync) (*Event, Status) {
	// CL_INVALID_CONTEXT if the context associated with command_queue and events in event_wait_list are not the same
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	c, e := q.command(kind, order, nil, s)
	return q.submit(c, e, s, false)
}
