package cl

import (
	"slices"
	"sync"
	"unsafe"
)

// Context is a context object (OpenCL API 3.0 section 4.4). Its uses are the objects made in it.
type Context struct {
	Object
	platform   *Platform
	devices    []*Device
	properties []uint64 // as given, the terminating zero included; nil for NULL
	notify     func(text string)

	memory allocations

	mu          sync.Mutex // guards what follows
	destructors []func()   // in the order registered
	queues      map[*Queue]struct{}

	onDevice deviceQueues
}

// CreateContext is clCreateContext. properties is nil or a list that ends in 0; notify may be nil.
func (p *Platform) CreateContext(properties []uint64, devices []*Device, notify func(text string)) (*Context, Status) {
	if st := p.checkContext(properties); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if num_devices is equal to zero
	if len(devices) == 0 {
		return nil, CL_INVALID_VALUE
	}
	ctx := &Context{platform: p, properties: properties, notify: notify, queues: map[*Queue]struct{}{}}
	// "Duplicate devices specified in devices are ignored."
	for _, d := range devices {
		if slices.Contains(ctx.devices, d) {
			continue
		}
		// CL_INVALID_DEVICE if devices contains an invalid device: one whose last reference another thread has just released
		if !d.Use() {
			ctx.leaveDevices()
			return nil, CL_INVALID_DEVICE
		}
		ctx.devices = append(ctx.devices, d)
	}
	ctx.init(KindContext, ctx)
	return ctx, CL_SUCCESS
}

// CreateContextFromType is clCreateContextFromType.
func (p *Platform) CreateContextFromType(properties []uint64, kind uint64, notify func(text string)) (*Context, Status) {
	if st := p.checkContext(properties); st != CL_SUCCESS {
		return nil, st
	}
	devices, st := p.DeviceIDs(kind)
	if st != CL_SUCCESS {
		return nil, st
	}
	return p.CreateContext(properties, devices, notify)
}

// checkContext checks the properties of a context.
func (p *Platform) checkContext(properties []uint64) Status {
	var seen []uint64
	for i := 0; i+1 < len(properties); i += 2 {
		name, value := properties[i], properties[i+1]
		// CL_INVALID_PROPERTY if context property name in properties is not a supported property name, if the value specified
		// for a supported property name is not valid, or if the same property name is specified more than once
		if slices.Contains(seen, name) {
			return CL_INVALID_PROPERTY
		}
		seen = append(seen, name)
		switch name {
		case CL_CONTEXT_PLATFORM:
			// CL_INVALID_PLATFORM if platform value specified in properties is not a valid platform
			if uintptr(value) != p.Handle() {
				return CL_INVALID_PLATFORM
			}
		case CL_CONTEXT_INTEROP_USER_SYNC:
			if value != CL_TRUE && value != CL_FALSE {
				return CL_INVALID_PROPERTY
			}
		default:
			return CL_INVALID_PROPERTY
		}
	}
	return CL_SUCCESS
}

// end is the context's destruction: "callbacks are called in the reverse order in which they were registered".
func (ctx *Context) end() {
	ctx.mu.Lock()
	callbacks := ctx.destructors
	ctx.mu.Unlock()
	for _, f := range slices.Backward(callbacks) {
		f()
	}
	ctx.leaveDevices()
}

func (ctx *Context) leaveDevices() {
	for _, d := range ctx.devices {
		d.Unuse()
	}
}

func (ctx *Context) calls() bool {
	ctx.mu.Lock()
	defer ctx.mu.Unlock()
	return len(ctx.destructors) > 0
}

// SetDestructorCallback is clSetContextDestructorCallback.
func (ctx *Context) SetDestructorCallback(f func()) {
	ctx.mu.Lock()
	defer ctx.mu.Unlock()
	ctx.destructors = append(ctx.destructors, f)
}

// Notify tells the application of an error that no return code can carry. No lock may be held.
func (ctx *Context) Notify(text string) {
	if ctx.notify != nil {
		ctx.notify(text)
	}
}

// NotifyError is Notify on the context of o, if it has one.
func NotifyError(o *Object, text string) {
	p := unsafe.Pointer(o) // the Object comes first in each of these
	var ctx *Context
	switch o.kind {
	case KindContext:
		ctx = (*Context)(p)
	case KindQueue, KindDeviceQueue:
		ctx = (*Queue)(p).ctx
	case KindMem:
		ctx = (*Mem)(p).ctx
	case KindProgram:
		ctx = (*Program)(p).ctx
	case KindKernel:
		ctx = (*Kernel)(p).program.ctx
	case KindEvent:
		ctx = (*Event)(p).ctx
	case KindCommandBuffer:
		ctx = (*CommandBuffer)(p).ctx
	case KindMutableCommand:
		ctx = (*MutableCommand)(p).buffer.ctx
	case KindSemaphore:
		ctx = (*Semaphore)(p).ctx
	default:
		return
	}
	ctx.Notify(text)
}

// has reports whether d is one of the context's devices.
func (ctx *Context) has(d *Device) bool { return slices.Contains(ctx.devices, d) }

// maxAlloc is the largest CL_DEVICE_MAX_MEM_ALLOC_SIZE of its devices, bytes.
func (ctx *Context) maxAlloc() uint64 {
	most := uint64(0)
	for _, d := range ctx.devices {
		most = max(most, d.roc.Info().MaxAlloc)
	}
	return most
}

// leastMaxAlloc is the smallest CL_DEVICE_MAX_MEM_ALLOC_SIZE of its devices, bytes.
func (ctx *Context) leastMaxAlloc() uint64 {
	least := ctx.maxAlloc()
	for _, d := range ctx.devices {
		least = min(least, d.roc.Info().MaxAlloc)
	}
	return least
}

// anyAligned reports whether origin is aligned as some device of the context asks.
func (ctx *Context) anyAligned(origin uint64) bool {
	return slices.ContainsFunc(ctx.devices, func(d *Device) bool { return origin%d.baseAlign() == 0 })
}

var contextInfo = Table[*Context]{
	CL_CONTEXT_REFERENCE_COUNT: func(c *Context) Value { return Uint(c.References()) },
	CL_CONTEXT_NUM_DEVICES:     func(c *Context) Value { return Uint(uint32(len(c.devices))) },
	CL_CONTEXT_DEVICES:         func(c *Context) Value { return Handles(c.devices) },
	CL_CONTEXT_PROPERTIES:      func(c *Context) Value { return Ulongs(c.properties...) },
}

// Info is clGetContextInfo.
func (ctx *Context) Info(param uint32, out Out) Status { return contextInfo.Get(ctx, param, out) }
