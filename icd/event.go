package main

// #include "icd.h"
import "C"

import "aqueduct/cl"

func clCreateUserEvent(c *cl.Context) (*cl.Event, cl.Status) {
	return c.CreateUserEvent(), cl.CL_SUCCESS
}

func clSetUserEventStatus(e *cl.Event, status int32) cl.Status { return e.SetUserStatus(status) }

func clRetainEvent(e *cl.Event) cl.Status  { return e.Retain() }
func clReleaseEvent(e *cl.Event) cl.Status { return e.Release() }

func clGetEventInfo(e *cl.Event, param uint32, out cl.Out) cl.Status { return e.Info(param, out) }

func clGetEventProfilingInfo(e *cl.Event, param uint32, out cl.Out) cl.Status {
	return e.ProfilingInfo(param, out)
}

func clWaitForEvents(n uint32, list cl.Addr) cl.Status {
	// CL_INVALID_VALUE if num_events is zero or event_list is NULL
	if n == 0 || list == 0 {
		return cl.CL_INVALID_VALUE
	}
	events, ok := objects[cl.Event](list, n, cl.KindEvent)
	// CL_INVALID_EVENT if event objects specified in event_list are not valid events
	if !ok {
		return cl.CL_INVALID_EVENT
	}
	return cl.WaitForEvents(events)
}

func clSetEventCallback(e *cl.Event, at int32, fn, user cl.Addr) cl.Status {
	if fn == 0 {
		return e.SetCallback(at, nil)
	}
	return e.SetCallback(at, func(status int32) {
		C.aq_call_event(C.uintptr_t(fn), C.uintptr_t(e.Handle()), C.int32_t(status), C.uintptr_t(user))
	})
}
