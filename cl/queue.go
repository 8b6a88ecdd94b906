package cl

import (
	"slices"

	"aqueduct/hostqueue"
	"aqueduct/roc"
	"aqueduct/roc/trace"
)

// hostQueueProperties is CL_DEVICE_QUEUE_ON_HOST_PROPERTIES.
const hostQueueProperties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE

// Queue is a command-queue object (OpenCL API 3.0 section 5.1). Its uses are the events of its commands.
type Queue struct {
	Object
	ctx      *Context
	device   *Device
	bits     uint64           // CL_QUEUE_PROPERTIES
	array    []uint64         // CL_QUEUE_PROPERTIES_ARRAY: as given, the terminating zero included; nil for NULL
	host     *hostqueue.Queue // nil of an on-device queue
	onDevice roc.DeviceQueue  // nil of a host queue
	size     uint32           // CL_QUEUE_SIZE of an on-device queue
	number   uint32           // in a recording; 0: nothing is recorded
	unwatch  func()           // ends what watch began
}

// CreateQueue is clCreateCommandQueueWithProperties. properties is nil or a list that ends in 0.
func (ctx *Context) CreateQueue(d *Device, properties []uint64) (*Queue, Status) {
	o := queueOptions{priority: roc.PriorityNormal, size: deviceQueuePreferred, array: properties}
	sized, hinted := false, false
	var seen []uint64
	for i := 0; i+1 < len(properties); i += 2 {
		name, value := properties[i], properties[i+1]
		// CL_INVALID_VALUE if values specified in properties are not valid
		if slices.Contains(seen, name) {
			return nil, CL_INVALID_VALUE
		}
		seen = append(seen, name)
		switch name {
		case CL_QUEUE_PROPERTIES:
			o.bits = value
		case CL_QUEUE_SIZE:
			o.size, sized = value, true
		case CL_QUEUE_PRIORITY_KHR:
			p, ok := priorities[value]
			if !ok {
				return nil, CL_INVALID_VALUE
			}
			o.priority, hinted = p, true
		case CL_QUEUE_THROTTLE_KHR:
			if value != CL_QUEUE_THROTTLE_HIGH_KHR && value != CL_QUEUE_THROTTLE_MED_KHR && value != CL_QUEUE_THROTTLE_LOW_KHR {
				return nil, CL_INVALID_VALUE
			}
			o.throttled, hinted = value == CL_QUEUE_THROTTLE_LOW_KHR, true
		default:
			return nil, CL_INVALID_VALUE
		}
	}
	if sized && o.bits&CL_QUEUE_ON_DEVICE == 0 {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_QUEUE_PROPERTIES if the CL_QUEUE_PRIORITY_KHR or CL_QUEUE_THROTTLE_KHR property is specified, and the queue is a
	// CL_QUEUE_ON_DEVICE
	if hinted && o.bits&CL_QUEUE_ON_DEVICE != 0 {
		return nil, CL_INVALID_QUEUE_PROPERTIES
	}
	return ctx.createQueue(d, o)
}

// queueOptions are the properties of a queue.
type queueOptions struct {
	bits      uint64
	priority  roc.Priority
	throttled bool
	size      uint64   // of an on-device queue, bytes
	array     []uint64 // as given
}

// priorities of cl_khr_priority_hints. Of what is ready, the agent takes that of a higher priority first.
var priorities = map[uint64]roc.Priority{
	CL_QUEUE_PRIORITY_HIGH_KHR: roc.PriorityHigh, CL_QUEUE_PRIORITY_MED_KHR: roc.PriorityNormal, CL_QUEUE_PRIORITY_LOW_KHR: roc.PriorityLow,
}

// CreateQueueBits is clCreateCommandQueue, of OpenCL 1.x.
func (ctx *Context) CreateQueueBits(d *Device, bits uint64) (*Queue, Status) {
	// CL_INVALID_VALUE if values specified in properties are not valid
	if bits&^hostQueueProperties != 0 {
		return nil, CL_INVALID_VALUE
	}
	return ctx.createQueue(d, queueOptions{bits: bits, priority: roc.PriorityNormal})
}

func (ctx *Context) createQueue(d *Device, o queueOptions) (*Queue, Status) {
	bits := o.bits
	// CL_INVALID_DEVICE if device is not associated with context
	if !ctx.has(d) {
		return nil, CL_INVALID_DEVICE
	}
	const onDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT
	// CL_INVALID_VALUE if values specified in properties are not valid: an on-device queue is out of order, and only it can be
	// the default one
	switch {
	case bits&^(hostQueueProperties|onDevice) != 0,
		bits&CL_QUEUE_ON_DEVICE != 0 && bits&CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0,
		bits&onDevice == CL_QUEUE_ON_DEVICE_DEFAULT:
		return nil, CL_INVALID_VALUE
	}
	if bits&onDevice != 0 {
		return ctx.createDeviceQueue(d, bits, o.size, o.array)
	}
	inOrder, profiling := bits&CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0, bits&CL_QUEUE_PROFILING_ENABLE != 0
	gpu, err := d.roc.NewVirtualGPU(inOrder, profiling, o.priority, o.throttled)
	if err != nil {
		ctx.Notify("clCreateCommandQueueWithProperties: " + err.Error())
		return nil, CL_OUT_OF_RESOURCES
	}
	report := func(text string) { go ctx.Notify(text) } // the application's function may block
	gpu.OnError = func(_ *hostqueue.Command, text string) { report(text) }
	q := &Queue{ctx: ctx, device: d, bits: bits, array: o.array}
	cfg := hostqueue.Config{InOrder: inOrder, Profiling: profiling, Report: report}
	if trace.On() {
		q.observe(&cfg)
	}
	q.host = hostqueue.NewQueue(gpu, cfg)
	if q.number != 0 {
		q.unwatch = q.watch()
	}
	ctx.Use()
	q.init(KindQueue, q)
	ctx.mu.Lock()
	ctx.queues[q] = struct{}{}
	ctx.mu.Unlock()
	return q, CL_SUCCESS
}

func (q *Queue) end() {
	q.ctx.mu.Lock()
	delete(q.ctx.queues, q)
	q.ctx.mu.Unlock()
	if q.unwatch != nil {
		q.unwatch()
	}
	if q.host != nil {
		q.host.Release()
	} else {
		q.endOnDevice()
	}
	q.ctx.Unuse()
}

// Release is clReleaseCommandQueue: "performs an implicit flush".
func (q *Queue) Release() Status {
	if q.host != nil {
		q.host.Flush()
	}
	return q.Object.Release()
}

// Flush is clFlush.
func (q *Queue) Flush() { q.host.Flush() }

// finish returns when all commands in all queues of the context have ended.
func (ctx *Context) finish() {
	var qs []*Queue
	ctx.mu.Lock()
	for q := range ctx.queues {
		if q.Use() {
			qs = append(qs, q)
		}
	}
	ctx.mu.Unlock()
	for _, q := range qs {
		q.Finish()
		q.Unuse()
	}
}

// Finish is clFinish.
func (q *Queue) Finish() { q.host.Finish() }

// SetProperty is clSetCommandQueueProperty, which OpenCL 1.0 had and 1.1 deprecated.
func (q *Queue) SetProperty() Status {
	// "CL_INVALID_OPERATION if any device in context is not an OpenCL 1.0 device"
	return CL_INVALID_OPERATION
}

// command makes a command, and the event it is part of if s asks for one. kind is what clGetEventInfo calls it.
func (q *Queue) command(kind uint32, order hostqueue.Kind, op hostqueue.Op, s Sync) (*hostqueue.Command, *Event) {
	if !s.Event {
		c := hostqueue.NewCommand(order, op)
		c.Tag = kind
		return c, nil
	}
	e := newEvent(q.ctx, q, kind)
	e.command.Init(order, op)
	e.command.Visible, e.command.Tag = true, kind
	return &e.command, e
}

// submit enqueues c, and e its event if there is one. A blocking command has ended when submit returns; if it failed, its
// status is the answer and there is no event.
func (q *Queue) submit(c *hostqueue.Command, e *Event, s Sync, blocking bool) (*Event, Status) {
	var few [8]*hostqueue.Command
	return q.submitBehind(c, e, s.commands(few[:0]), blocking)
}

// commands are the events of s, put behind those in list.
func (s Sync) commands(list []*hostqueue.Command) []*hostqueue.Command {
	for _, e := range s.Wait {
		list = append(list, &e.command)
	}
	return list
}

// submitBehind is submit behind commands.
func (q *Queue) submitBehind(c *hostqueue.Command, e *Event, wait []*hostqueue.Command, blocking bool) (*Event, Status) {
	st := CL_SUCCESS
	c.Awaited = blocking
	if err := q.host.Enqueue(c, wait); err != nil {
		if c.OnDone != nil {
			c.OnDone(c)
		}
		st = CL_OUT_OF_RESOURCES
	} else if blocking {
		st = Status(c.Wait())
	}
	if st != CL_SUCCESS && e != nil {
		e.Release()
		e = nil
	}
	return e, st
}

var queueInfo = Table[*Queue]{
	CL_QUEUE_CONTEXT:          func(q *Queue) Value { return HandleOf(q.ctx) },
	CL_QUEUE_DEVICE:           func(q *Queue) Value { return HandleOf(q.device) },
	CL_QUEUE_REFERENCE_COUNT:  func(q *Queue) Value { return Uint(q.References()) },
	CL_QUEUE_PROPERTIES:       func(q *Queue) Value { return Ulong(q.bits) },
	CL_QUEUE_PROPERTIES_ARRAY: func(q *Queue) Value { return Ulongs(q.array...) },
	// CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for param_name: only device queues have a size
	CL_QUEUE_SIZE: func(q *Queue) Value {
		if q.host != nil {
			return Fail(CL_INVALID_COMMAND_QUEUE)
		}
		return Uint(q.size)
	},
	// "CL_QUEUE_DEVICE_DEFAULT: Return the current default command queue for the underlying device."
	CL_QUEUE_DEVICE_DEFAULT: func(q *Queue) Value {
		if d := q.ctx.defaultQueue(q.device); d != nil {
			defer d.Unuse()
			return HandleOf(d)
		}
		return NoHandle()
	},
}

// Info is clGetCommandQueueInfo.
func (q *Queue) Info(param uint32, out Out) Status { return queueInfo.Get(q, param, out) }

// Dump says in words what state the queue is in: for hangs.
func (q *Queue) Dump() string {
	if q.host == nil {
		return "on-device queue\n"
	}
	return q.host.Dump()
}

// Progress returns how many commands have ended, and whether others have not: see hostqueue.
func (q *Queue) Progress() (ended uint64, waiting bool) {
	if q.host == nil {
		return 0, false
	}
	return q.host.Progress()
}
