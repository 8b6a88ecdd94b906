package cl

import (
	"maps"
	"slices"
	"sync"
	"unsafe"

	"aqueduct/roc"
	"aqueduct/roc/compiler/codeobject"
)

// Arg is a value for clSetKernelArg, decoded. Which field counts is the kind of the argument.
type Arg struct {
	Mem     *Mem     // ArgGlobal, ArgConstant, ArgImage, ArgPipe: nil for NULL
	Sampler *Sampler // ArgSampler
	Queue   *Queue   // ArgQueue
	Bytes   []byte   // ArgValue; the callee copies them
	Local   uint64   // ArgLocal: bytes
}

// kernelArgs are the values of a kernel's arguments. A launch copies values and locals, and holds held.
type kernelArgs struct {
	info *codeobject.KernelInfo

	mu       sync.Mutex                 // guards all below
	values   []byte                     // the explicit part of the kernarg segment
	locals   []uint32                   // bytes of each ArgLocal, in order
	mems     []*Mem                     // for each argument the buffer it points to, or nil
	stores   []*roc.Memory              // for each argument the allocation it points to, if it was set by address, or nil
	indirect [pointerSets][]*roc.Memory // of clSetKernelExecInfo
	set      []bool                     // for each argument whether it has a value
	unset    int                        // how many have none
	queues   map[uint32]*Queue          // arguments of kind ArgQueue
	held     *heldArgs                  // of mems and stores as they are now; nil when no launch has used them yet

	suggested suggestion // of the last launch that left the work-group size open
}

func (a *kernelArgs) init(info *codeobject.KernelInfo) {
	a.info = info
	a.values = make([]byte, info.HiddenOffset)
	a.mems = make([]*Mem, len(info.Args))
	a.stores = make([]*roc.Memory, len(info.Args))
	a.set = make([]bool, len(info.Args))
	a.unset = len(info.Args)
	for _, arg := range info.Args {
		if arg.Kind == codeobject.ArgLocal {
			a.locals = append(a.locals, 0)
		}
	}
}

// copyTo makes c what a is.
func (a *kernelArgs) copyTo(c *kernelArgs) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.info, c.unset = a.info, a.unset
	c.values, c.locals = slices.Clone(a.values), slices.Clone(a.locals)
	c.mems, c.set = slices.Clone(a.mems), slices.Clone(a.set)
	c.stores, c.indirect = slices.Clone(a.stores), a.indirect
	c.queues = maps.Clone(a.queues)
}

// ArgKind says how argument index travels, so that the caller can decode its value (OpenCL API 3.0 section 5.9.2). size is
// arg_size; given is whether arg_value is not NULL.
func (k *Kernel) ArgKind(index uint32, size uint64, given bool) (codeobject.ArgKind, Status) {
	// CL_INVALID_ARG_INDEX if arg_index is not a valid argument index
	if uint64(index) >= uint64(len(k.info.Args)) {
		return 0, CL_INVALID_ARG_INDEX
	}
	arg := &k.info.Args[index]
	switch arg.Kind {
	case codeobject.ArgLocal:
		// "If the kernel argument being set is a pointer to the local address space, then arg_value must be NULL"
		if given {
			return arg.Kind, CL_INVALID_ARG_VALUE
		}
		// CL_INVALID_ARG_SIZE if the kernel argument is a pointer to the local address space and arg_size is zero
		if size == 0 {
			return arg.Kind, CL_INVALID_ARG_SIZE
		}
	case codeobject.ArgValue:
		if !given {
			return arg.Kind, CL_INVALID_ARG_VALUE
		}
		// CL_INVALID_ARG_SIZE if arg_size does not match the size of the data type for the argument
		if size != uint64(arg.Size) {
			return arg.Kind, CL_INVALID_ARG_SIZE
		}
	default:
		// CL_INVALID_ARG_SIZE if arg_value points to a memory object, a sampler object or a device queue object and arg_size is
		// not equal to the size of its handle
		if size != uint64(unsafe.Sizeof(uintptr(0))) {
			return arg.Kind, CL_INVALID_ARG_SIZE
		}
	}
	return arg.Kind, CL_SUCCESS
}

// SetArg gives argument index, which ArgKind has approved, its value.
func (k *Kernel) SetArg(index uint32, v Arg) Status {
	a := &k.args
	arg := &k.info.Args[index]
	var address uint64
	switch arg.Kind {
	case codeobject.ArgGlobal, codeobject.ArgConstant:
		// CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by arg_value are not the same
		if v.Mem != nil && v.Mem.ctx != k.program.ctx {
			return CL_INVALID_CONTEXT
		}
		// CL_INVALID_MEM_OBJECT if arg_value points to a memory object that is not valid for the argument
		if v.Mem != nil && !v.Mem.isBuffer() {
			return CL_INVALID_MEM_OBJECT
		}
		if v.Mem != nil {
			address = uint64(uintptr(v.Mem.store.Ptr))
		}
	case codeobject.ArgImage:
		if st := takesImage(arg, v.Mem); st != CL_SUCCESS {
			return st
		}
		if v.Mem.ctx != k.program.ctx {
			return CL_INVALID_CONTEXT
		}
		var err error
		if address, err = v.Mem.imageDescriptor(); err != nil {
			k.program.ctx.Notify("clSetKernelArg: " + err.Error())
			return CL_OUT_OF_RESOURCES
		}
	case codeobject.ArgPipe:
		// CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the specified arg_value is not a valid one
		if v.Mem == nil || v.Mem.pipe == nil {
			return CL_INVALID_MEM_OBJECT
		}
		if v.Mem.ctx != k.program.ctx {
			return CL_INVALID_CONTEXT
		}
		address = uint64(uintptr(v.Mem.store.Ptr))
	case codeobject.ArgSampler:
		if v.Sampler.ctx != k.program.ctx {
			return CL_INVALID_CONTEXT
		}
		address = v.Sampler.bits()
	case codeobject.ArgQueue:
		if v.Queue.ctx != k.program.ctx {
			return CL_INVALID_CONTEXT
		}
		address = v.Queue.onDevice.Address()
	case codeobject.ArgLocal:
		if v.Local > 1<<32-1 {
			return CL_MAX_SIZE_RESTRICTION_EXCEEDED
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if v.Queue != nil {
		if a.queues == nil {
			a.queues = make(map[uint32]*Queue)
		}
		a.queues[index] = v.Queue
	}
	switch arg.Kind {
	case codeobject.ArgValue:
		copy(a.values[arg.Offset:], v.Bytes)
	case codeobject.ArgLocal:
		a.locals[a.localIndex(index)] = uint32(v.Local)
	default:
		a.put(index, address, v.Mem, nil)
	}
	a.hasValue(index)
	return CL_SUCCESS
}

// hasValue notes that argument index has one. a is locked.
func (a *kernelArgs) hasValue(index uint32) {
	if !a.set[index] {
		a.set[index] = true
		a.unset--
	}
}

// localIndex is how many ArgLocal come before argument index.
func (a *kernelArgs) localIndex(index uint32) (n int) {
	for _, arg := range a.info.Args[:index] {
		if arg.Kind == codeobject.ArgLocal {
			n++
		}
	}
	return n
}

// localAlign is what roc aligns each local-memory argument to at least, bytes.
const localAlign = 16

// localSize is the local memory of one work-group in bytes: the kernel's own variables, then each argument, aligned. a is
// locked.
func (a *kernelArgs) localSize() uint64 {
	size, n := uint64(a.info.GroupSegmentSize), 0
	if len(a.locals) == 0 {
		return size
	}
	for _, arg := range a.info.Args {
		if arg.Kind == codeobject.ArgLocal {
			align := max(uint64(arg.PointeeAlign), localAlign)
			size = (size+align-1)/align*align + uint64(a.locals[n])
			n++
		}
	}
	return size
}
