package cl

import "aqueduct/hostqueue"

// Event is an event object (OpenCL API 3.0 section 5.11): a command that the application can see. Its uses are callbacks that
// have not run.
type Event struct {
	Object
	ctx     *Context
	queue   *Queue // nil for a user event
	kind    uint32 // CL_EVENT_COMMAND_TYPE
	command hostqueue.Command
}

// newEvent leaves it to the caller to make the command.
func newEvent(ctx *Context, q *Queue, kind uint32) *Event {
	e := new(Event)
	e.start(ctx, q, kind)
	return e
}

// start makes e what newEvent returns.
func (e *Event) start(ctx *Context, q *Queue, kind uint32) {
	e.ctx, e.queue, e.kind = ctx, q, kind
	ctx.Use()
	if q != nil {
		q.Use()
	}
	e.init(KindEvent, e)
}

func (e *Event) end() {
	if e.queue != nil {
		e.queue.Unuse()
	}
	e.ctx.Unuse()
}

// CreateUserEvent is clCreateUserEvent.
func (ctx *Context) CreateUserEvent() *Event {
	e := newEvent(ctx, nil, CL_COMMAND_USER)
	e.command.InitUser()
	return e
}

// SetUserStatus is clSetUserEventStatus.
func (e *Event) SetUserStatus(status int32) Status {
	// CL_INVALID_EVENT if event is not a valid user event
	if e.queue != nil {
		return CL_INVALID_EVENT
	}
	// CL_INVALID_VALUE if the execution_status is not CL_COMPLETE or a negative integer value
	if status > CL_COMPLETE {
		return CL_INVALID_VALUE
	}
	// CL_INVALID_OPERATION if the execution_status for event has already been changed by a previous call
	if e.command.SetUserStatus(status, hostqueue.Assists) != nil {
		return CL_INVALID_OPERATION
	}
	return CL_SUCCESS
}

// SetCallback is clSetEventCallback. f gets the status, or the error code of a command that failed. The event stays valid
// until it has run.
func (e *Event) SetCallback(at int32, f func(status int32)) Status {
	// CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING or
	// CL_COMPLETE
	if f == nil || at != CL_SUBMITTED && at != CL_RUNNING && at != CL_COMPLETE {
		return CL_INVALID_VALUE
	}
	e.Use()
	e.command.OnStatus(at, func(status hostqueue.Status) {
		defer e.Unuse()
		f(status)
	})
	return CL_SUCCESS
}

// WaitForEvents is clWaitForEvents.
func WaitForEvents(events []*Event) Status {
	// CL_INVALID_VALUE if num_events is zero
	if len(events) == 0 {
		return CL_INVALID_VALUE
	}
	commands := make([]*hostqueue.Command, len(events))
	for i, e := range events {
		// CL_INVALID_CONTEXT if events specified in event_list do not belong to the same context
		if e.ctx != events[0].ctx {
			return CL_INVALID_CONTEXT
		}
		commands[i] = &e.command
	}
	hostqueue.WaitAll(commands)
	for _, c := range commands {
		// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in event_list is a
		// negative integer value
		if c.Status() < hostqueue.Complete {
			return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
		}
	}
	return CL_SUCCESS
}

var eventInfo = Table[*Event]{
	CL_EVENT_COMMAND_QUEUE: func(e *Event) Value {
		if e.queue == nil {
			return NoHandle()
		}
		return HandleOf(e.queue)
	},
	CL_EVENT_CONTEXT:                  func(e *Event) Value { return HandleOf(e.ctx) },
	CL_EVENT_COMMAND_TYPE:             func(e *Event) Value { return Uint(e.kind) },
	CL_EVENT_COMMAND_EXECUTION_STATUS: func(e *Event) Value { return Uint(e.command.Observe()) },
	CL_EVENT_REFERENCE_COUNT:          func(e *Event) Value { return Uint(e.References()) },
}

// Info is clGetEventInfo.
func (e *Event) Info(param uint32, out Out) Status { return eventInfo.Get(e, param, out) }

var profilingInfo = Table[*Event]{
	CL_PROFILING_COMMAND_QUEUED: func(e *Event) Value { t, _, _, _, _ := e.command.Times(); return Ulong(t) },
	CL_PROFILING_COMMAND_SUBMIT: func(e *Event) Value { _, t, _, _, _ := e.command.Times(); return Ulong(t) },
	CL_PROFILING_COMMAND_START:  func(e *Event) Value { _, _, t, _, _ := e.command.Times(); return Ulong(t) },
	CL_PROFILING_COMMAND_END:    func(e *Event) Value { _, _, _, t, _ := e.command.Times(); return Ulong(t) },
	// "the command identified by event and any child commands [...] finish": there are no child commands
	CL_PROFILING_COMMAND_COMPLETE: func(e *Event) Value { _, _, _, _, t := e.command.Times(); return Ulong(t) },
}

// ProfilingInfo is clGetEventProfilingInfo.
func (e *Event) ProfilingInfo(param uint32, out Out) Status {
	// CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the execution
	// status of the command identified by event is not CL_COMPLETE or if event is a user event object
	if e.queue == nil || e.queue.bits&CL_QUEUE_PROFILING_ENABLE == 0 || e.command.Status() != hostqueue.Complete {
		return CL_PROFILING_INFO_NOT_AVAILABLE
	}
	return profilingInfo.Get(e, param, out)
}
