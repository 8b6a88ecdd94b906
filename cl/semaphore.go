package cl

import (
	"os"
	"slices"
	"sync"

	"aqueduct/hostqueue"
)

// Semaphore is a binary semaphore (cl_khr_semaphore, OpenCL API section "Semaphores"). Its uses are commands that signal it or
// wait for it.
//
// A signal and the wait that it is for share a token, which fires when the signal has completed. Whichever of them is enqueued
// first makes it and leaves it here for the other.
type Semaphore struct {
	Object
	ctx        *Context
	devices    []*Device
	properties []uint64 // as given, the terminating zero included
	exports    []uint64 // CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
	syncFD     bool     // it was made from a CL_SEMAPHORE_HANDLE_SYNC_FD_KHR
	shared     *os.File // an eventfd that is the payload, if others may have it, too; else nil

	mu       sync.Mutex           // guards what follows
	takers   []*hostqueue.Command // of a shared semaphore: what waits have to wait for, oldest first; it uses nothing of the rest
	signaled *token               // of the last signal, while no wait is enqueued for it
	awaited  []*token             // of waits no signal is enqueued for, oldest first
	waiting  *hostqueue.Command   // the last wait, and its token
	waitsFor *token
}

// token is what a signal and its wait share. The wait is for fired, a user event; that is set soon after signal has completed.
type token struct {
	fired  hostqueue.Command
	signal *hostqueue.Command // guarded by Semaphore.mu; nil before it is enqueued, and where it comes from elsewhere
}

func newToken() *token {
	t := new(token)
	t.fired.InitUser()
	return t
}

// complete reports whether the signal of t has completed. The semaphore is locked.
func (t *token) complete() bool {
	return t != nil && (t.fired.Status() == hostqueue.Complete || t.signal != nil && t.signal.Status() == hostqueue.Complete)
}

// SemaphoreLists are the properties of a semaphore whose value is a list.
var SemaphoreLists = []uint64{CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}

// What file descriptors semaphores can be made from, and can be had as.
var (
	semaphoreImports = []uint32{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR}
	semaphoreExports = []uint32{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR}
)

// CreateSemaphore is clCreateSemaphoreWithPropertiesKHR. properties is nil or a list that ends in 0.
func (ctx *Context) CreateSemaphore(properties []uint64) (*Semaphore, Status) {
	// CL_INVALID_VALUE if sema_props is NULL
	if properties == nil {
		return nil, CL_INVALID_VALUE
	}
	s := &Semaphore{ctx: ctx, devices: ctx.devices, properties: properties}
	ps, once := splitProperties(properties, SemaphoreLists...)
	// CL_INVALID_PROPERTY if the same property name is specified more than once
	if !once {
		return nil, CL_INVALID_PROPERTY
	}
	typed, listed := false, false
	var handle *property
	for i := range ps {
		p := &ps[i]
		switch p.name {
		case CL_SEMAPHORE_TYPE_KHR:
			// CL_INVALID_PROPERTY if the value specified for a supported property name is not valid
			if p.value != CL_SEMAPHORE_TYPE_BINARY_KHR {
				return nil, CL_INVALID_PROPERTY
			}
			typed = true
		case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
			// CL_INVALID_DEVICE if CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR does not identify exactly one valid device; or if a device
			// identified by it is not one of the devices within context
			d := ctx.device(p.values)
			if d == nil {
				return nil, CL_INVALID_DEVICE
			}
			s.devices, listed = []*Device{d}, true
		case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
			// CL_INVALID_VALUE if more than one semaphore handle type is specified in the CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR list
			if len(p.values) > 1 {
				return nil, CL_INVALID_VALUE
			}
			if len(p.values) == 1 && !slices.Contains(semaphoreExports, uint32(p.value)) {
				return nil, CL_INVALID_PROPERTY
			}
			s.exports = p.values
		case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR:
			// CL_INVALID_PROPERTY if sema_props includes more than one external semaphore handle
			if handle != nil {
				return nil, CL_INVALID_PROPERTY
			}
			handle = p
		default:
			// CL_INVALID_PROPERTY if a property name in sema_props is not a supported property name
			return nil, CL_INVALID_PROPERTY
		}
	}
	switch {
	// CL_INVALID_VALUE if sema_props do not specify pairs for minimum set of properties
	case !typed:
		return nil, CL_INVALID_VALUE
	// CL_INVALID_PROPERTY if context is a multiple device context and sema_props does not specify
	// CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
	case len(ctx.devices) > 1 && !listed:
		return nil, CL_INVALID_PROPERTY
	// CL_INVALID_OPERATION if sema_props specifies a cl_external_semaphore_handle_type_khr followed by a handle as well as
	// CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
	case handle != nil && s.exports != nil:
		return nil, CL_INVALID_OPERATION
	}
	if st := s.open(handle); st != CL_SUCCESS {
		return nil, st
	}
	ctx.Use()
	s.init(KindSemaphore, s)
	return s, CL_SUCCESS
}

func (s *Semaphore) end() {
	if s.shared != nil {
		s.shared.Close()
	}
	s.ctx.Unuse()
}

// payload is CL_SEMAPHORE_PAYLOAD_KHR: 1 from the completion of a signal on until a wait has taken it.
func (s *Semaphore) payload() uint64 {
	if s.shared != nil {
		return readable(s.shared)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.signaled.complete() || s.waitsFor.complete() && s.waiting.Status() > hostqueue.Complete {
		return 1
	}
	return 0
}

var semaphoreInfo = Table[*Semaphore]{
	CL_SEMAPHORE_CONTEXT_KHR:             func(s *Semaphore) Value { return HandleOf(s.ctx) },
	CL_SEMAPHORE_REFERENCE_COUNT_KHR:     func(s *Semaphore) Value { return Uint(s.References()) },
	CL_SEMAPHORE_PROPERTIES_KHR:          func(s *Semaphore) Value { return Ulongs(s.properties...) },
	CL_SEMAPHORE_PAYLOAD_KHR:             func(s *Semaphore) Value { return Ulong(s.payload()) },
	CL_SEMAPHORE_TYPE_KHR:                func(*Semaphore) Value { return Uint(uint32(CL_SEMAPHORE_TYPE_BINARY_KHR)) },
	CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:  func(s *Semaphore) Value { return Handles(s.devices) },
	CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: func(s *Semaphore) Value { return Uints(handleTypes(s.exports)...) },
	CL_SEMAPHORE_EXPORTABLE_KHR:          func(s *Semaphore) Value { return Bool(len(s.exports) > 0) },
}

// handleTypes are the values of a property as cl_external_semaphore_handle_type_khr.
func handleTypes(values []uint64) (types []uint32) {
	for _, v := range values {
		types = append(types, uint32(v))
	}
	return types
}

// Info is clGetSemaphoreInfoKHR.
func (s *Semaphore) Info(param uint32, out Out) Status { return semaphoreInfo.Get(s, param, out) }
