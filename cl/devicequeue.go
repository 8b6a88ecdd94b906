package cl

import (
	"fmt"
	"sync"

	"aqueduct/roc"
)

const (
	// deviceQueueProperties is CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES.
	deviceQueueProperties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE

	deviceQueuePreferred = roc.DeviceQueuePreferredSize // CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE
	deviceQueueMost      = roc.DeviceQueueMaxSize       // CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE
	maxDeviceQueues      = 64                           // CL_DEVICE_MAX_ON_DEVICE_QUEUES: each costs a look at it between commands
)

// enqueues reports whether kernels of the device can enqueue kernels.
func (d *Device) enqueues() bool { return d.roc.Info().DeviceQueues }

// deviceQueues are the on-device queues of a context.
type deviceQueues struct {
	mu       sync.Mutex
	defaults map[*Device]*Queue // guarded by mu; not kept alive by it
	count    map[*Device]int    // guarded by mu; of those that were not created as default ones
}

// createDeviceQueue is CreateQueue for CL_QUEUE_ON_DEVICE.
func (ctx *Context) createDeviceQueue(d *Device, bits, size uint64, array []uint64) (*Queue, Status) {
	// CL_INVALID_QUEUE_PROPERTIES if values specified in properties are valid but are not supported by the device
	if !d.enqueues() || size > deviceQueueMost {
		return nil, CL_INVALID_QUEUE_PROPERTIES
	}
	o := &ctx.onDevice
	o.mu.Lock()
	defer o.mu.Unlock()
	// "If CL_QUEUE_ON_DEVICE_DEFAULT is specified and a default device queue already exists [it] returns the existing one", with
	// its reference count incremented
	isDefault := bits&CL_QUEUE_ON_DEVICE_DEFAULT != 0
	if old := o.defaults[d]; isDefault && old != nil && old.Retain() == CL_SUCCESS {
		return old, CL_SUCCESS
	}
	// CL_DEVICE_MAX_ON_DEVICE_QUEUES is "the maximum number of device queues that can be created for this device in a single
	// context". The Khronos CTS makes as many beside a default one, of which there is one at most.
	if !isDefault && o.count[d] == maxDeviceQueues {
		go ctx.Notify(fmt.Sprintf("clCreateCommandQueueWithProperties: there are %d on-device queues", maxDeviceQueues))
		return nil, CL_OUT_OF_RESOURCES
	}
	q := &Queue{ctx: ctx, device: d, bits: bits, array: array, size: uint32(size)}
	var err error
	if q.onDevice, err = d.roc.NewDeviceQueue(q.size); err != nil {
		go ctx.Notify("clCreateCommandQueueWithProperties: " + err.Error())
		return nil, CL_OUT_OF_RESOURCES
	}
	ctx.Use()
	q.init(KindDeviceQueue, q)
	if o.count == nil {
		o.defaults, o.count = make(map[*Device]*Queue), make(map[*Device]int)
	}
	if isDefault {
		o.defaults[d] = q
	} else {
		o.count[d]++
	}
	return q, CL_SUCCESS
}

// endOnDevice is the end of an on-device queue.
func (q *Queue) endOnDevice() {
	o := &q.ctx.onDevice
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.defaults[q.device] == q {
		delete(o.defaults, q.device)
	}
	if q.bits&CL_QUEUE_ON_DEVICE_DEFAULT == 0 {
		o.count[q.device]--
	}
	q.onDevice.Destroy()
}

// defaultQueue is the default on-device queue of d, with one more use, or nil.
func (ctx *Context) defaultQueue(d *Device) *Queue {
	o := &ctx.onDevice
	o.mu.Lock()
	defer o.mu.Unlock()
	if q := o.defaults[d]; q != nil && q.Use() {
		return q
	}
	return nil
}

// SetDefaultDeviceQueue is clSetDefaultDeviceCommandQueue. q is nil if the caller named no on-device queue.
func (ctx *Context) SetDefaultDeviceQueue(d *Device, q *Queue) Status {
	// CL_INVALID_DEVICE if device is not a valid device or is not associated with context
	if !ctx.has(d) {
		return CL_INVALID_DEVICE
	}
	// CL_INVALID_OPERATION if device does not support a replaceable default on-device queue
	if !d.enqueues() {
		return CL_INVALID_OPERATION
	}
	// CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for device
	if q == nil || q.ctx != ctx || q.device != d {
		return CL_INVALID_COMMAND_QUEUE
	}
	o := &ctx.onDevice
	o.mu.Lock()
	defer o.mu.Unlock()
	o.defaults[d] = q // which there is since q was created
	return CL_SUCCESS
}

// reach keeps the on-device queues that a launch of k can enqueue in alive until free is called, and tells the launch its
// default one. free is nil if k enqueues nothing; ok is false if a queue is gone. k's arguments are locked.
func (q *Queue) reach(op *roc.Dispatch, k *Kernel) (free func(), ok bool) {
	if !op.Kernel.Info.Enqueues {
		return nil, true
	}
	var queues []*Queue
	free = func() {
		for _, x := range queues {
			x.Unuse()
		}
	}
	for _, x := range k.args.queues {
		if !x.Use() {
			free()
			return nil, false
		}
		queues = append(queues, x)
	}
	if d := q.ctx.defaultQueue(q.device); d != nil {
		op.Queue = d.onDevice
		queues = append(queues, d)
	}
	return free, true
}
