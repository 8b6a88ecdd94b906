package main

import "aqueduct/cl"

func clCreateCommandQueueWithProperties(c *cl.Context, d *cl.Device, props cl.Addr) (*cl.Queue, cl.Status) {
	return c.CreateQueue(d, properties(props))
}

func clCreateCommandQueue(c *cl.Context, d *cl.Device, bits uint64) (*cl.Queue, cl.Status) {
	return c.CreateQueueBits(d, bits)
}

// anyQueue is the host queue or on-device queue with a handle, nil if there is none.
func anyQueue(h uintptr) *cl.Queue {
	if q := (*cl.Queue)(find(h, cl.KindQueue)); q != nil {
		return q
	}
	return deviceQueue(h)
}

// deviceQueue is the on-device queue with a handle, nil if there is none.
func deviceQueue(h uintptr) *cl.Queue { return (*cl.Queue)(find(h, cl.KindDeviceQueue)) }

func clRetainCommandQueue(q *cl.Queue) cl.Status  { return q.Retain() }
func clReleaseCommandQueue(q *cl.Queue) cl.Status { return q.Release() }

func clGetCommandQueueInfo(q *cl.Queue, param uint32, out cl.Out) cl.Status {
	return q.Info(param, out)
}

func clSetCommandQueueProperty(q *cl.Queue, bits uint64, enable uint32, old cl.Addr) cl.Status {
	return q.SetProperty()
}

func clFlush(q *cl.Queue) cl.Status {
	q.Flush()
	return cl.CL_SUCCESS
}

func clFinish(q *cl.Queue) cl.Status {
	q.Finish()
	return cl.CL_SUCCESS
}

func clEnqueueMarkerWithWaitList(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
	return q.EnqueueMarker(s)
}

func clEnqueueBarrierWithWaitList(q *cl.Queue, s cl.Sync) (*cl.Event, cl.Status) {
	return q.EnqueueBarrier(s)
}

// The forms of OpenCL 1.0 and 1.1 follow.

func clEnqueueMarker(q *cl.Queue, event cl.Addr) cl.Status {
	// CL_INVALID_VALUE if event is NULL
	if event == 0 {
		return cl.CL_INVALID_VALUE
	}
	e, st := q.EnqueueMarker(cl.Sync{Event: true})
	return giveEvent(e, st, uintptr(event))
}

func clEnqueueBarrier(q *cl.Queue) cl.Status {
	_, st := q.EnqueueBarrier(cl.Sync{})
	return st
}

// clEnqueueWaitForEvents holds back all later commands, as a barrier does.
func clEnqueueWaitForEvents(q *cl.Queue, n uint32, list cl.Addr) cl.Status {
	// CL_INVALID_VALUE if num_events is zero or event_list is NULL
	if n == 0 || list == 0 {
		return cl.CL_INVALID_VALUE
	}
	events, ok := objects[cl.Event](list, n, cl.KindEvent)
	// CL_INVALID_EVENT if event objects specified in event_list are not valid events
	if !ok {
		return cl.CL_INVALID_EVENT
	}
	_, st := q.EnqueueBarrier(cl.Sync{Wait: events})
	return st
}
