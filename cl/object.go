package cl

import "sync/atomic"

// Kind tells the handles of one type from those of another.
type Kind uint32

const (
	KindNone Kind = iota // a block no object owns
	KindPlatform
	KindDevice
	KindContext
	KindQueue
	KindDeviceQueue // a Queue, too
	KindMem
	KindProgram
	KindKernel
	KindEvent
	KindSampler
	KindCommandBuffer
	KindMutableCommand
	KindSemaphore
	KindCount
)

// Invalid is the error of an entry point that was given, in place of an object of this kind, something else.
func (k Kind) Invalid() Status { return invalid[k] }

var invalid = [KindCount]Status{
	KindNone:           CL_INVALID_VALUE,
	KindPlatform:       CL_INVALID_PLATFORM,
	KindDevice:         CL_INVALID_DEVICE,
	KindContext:        CL_INVALID_CONTEXT,
	KindQueue:          CL_INVALID_COMMAND_QUEUE,
	KindDeviceQueue:    CL_INVALID_COMMAND_QUEUE,
	KindMem:            CL_INVALID_MEM_OBJECT,
	KindProgram:        CL_INVALID_PROGRAM,
	KindKernel:         CL_INVALID_KERNEL,
	KindEvent:          CL_INVALID_EVENT,
	KindSampler:        CL_INVALID_SAMPLER,
	KindCommandBuffer:  CL_INVALID_COMMAND_BUFFER_KHR,
	KindMutableCommand: CL_INVALID_MUTABLE_COMMAND_KHR,
	KindSemaphore:      CL_INVALID_SEMAPHORE_KHR,
}

// Object is the part all OpenCL objects share, embedded first in each: its kind, its handle, and how long it lives.
//
// Two counts keep an object alive. References are the application's: clRetain*, clRelease* and CL_*_REFERENCE_COUNT.
// Uses are the driver's own: a queue uses its context, a pending callback its event. The handle stays valid while either is
// above zero, so that a context released by the application is still what CL_QUEUE_CONTEXT answers.
type Object struct {
	kind    Kind
	eternal bool // root devices and the platform are not counted
	counts  atomic.Uint64
	handle  uintptr // written once, before the handle is given out
	owner   ender   // the object this is part of, nil if there is nothing to end
}

// ender is what an object has to do at its end, once.
type ender interface{ end() }

// caller is an ender that calls functions of the application, if calls says so. It must not keep a thread that commands need.
type caller interface {
	ender
	calls() bool
}

const (
	oneReference = 1
	oneUse       = 1 << 32
)

// HandleFreed is called with the handle of an object whose last reference and use are gone, before the object is destroyed.
// The owner of the handles sets it once, before the first object exists.
var HandleFreed = func(handle uintptr) {}

// init makes o, part of owner, a live object with one reference.
func (o *Object) init(kind Kind, owner ender) {
	o.kind, o.owner = kind, owner
	o.counts.Store(oneReference)
}

// initEternal makes o an object that retain and release leave alone.
func (o *Object) initEternal(kind Kind) {
	o.kind, o.eternal = kind, true
	o.counts.Store(oneReference)
}

// Kind of the object; the handle table checks it.
func (o *Object) Kind() Kind { return o.kind }

// Handle is what the application knows the object by, 0 before SetHandle.
func (o *Object) Handle() uintptr { return o.handle }

// SetHandle gives the object its handle, before anyone else can see it.
func (o *Object) SetHandle(h uintptr) { o.handle = h }

// References is the application's count (CL_*_REFERENCE_COUNT).
func (o *Object) References() uint32 { return uint32(o.counts.Load()) }

// Retain is clRetain*.
func (o *Object) Retain() Status {
	if o.eternal {
		return CL_SUCCESS
	}
	if !o.add(oneReference) {
		return o.kind.Invalid()
	}
	return CL_SUCCESS
}

// Release is clRelease*. An object that only the driver still uses is no longer the application's to release.
func (o *Object) Release() Status {
	if o.eternal {
		return CL_SUCCESS
	}
	for {
		n := o.counts.Load()
		if uint32(n) == 0 {
			return o.kind.Invalid()
		}
		if o.counts.CompareAndSwap(n, n-oneReference) {
			if n == oneReference {
				o.invalidate()
				o.finish()
			}
			return CL_SUCCESS
		}
	}
}

// Use keeps the object alive for the driver; false if it was already gone. Each Use is matched by one Unuse.
func (o *Object) Use() bool { return o.eternal || o.add(oneUse) }

// Unuse ends a Use.
func (o *Object) Unuse() {
	if o.eternal || o.counts.Add(^uint64(oneUse-1)) != 0 {
		return
	}
	o.invalidate()
	if c, ok := o.owner.(caller); ok && c.calls() {
		go o.finish() // this may be the thread that ends commands
	} else {
		o.finish()
	}
}

// add raises the counts unless both are zero: nothing comes back from the dead.
func (o *Object) add(n uint64) bool {
	for {
		old := o.counts.Load()
		if old == 0 {
			return false
		}
		if o.counts.CompareAndSwap(old, old+n) {
			return true
		}
	}
}

func (o *Object) invalidate() {
	if o.handle != 0 {
		HandleFreed(o.handle)
	}
}

func (o *Object) finish() {
	if o.owner != nil {
		o.owner.end()
	}
}
