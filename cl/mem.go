package cl

import (
	"slices"
	"sync"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

const (
	memAccess     = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY
	memHostPtr    = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR
	memHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS
)

// Mem is a buffer, a sub-buffer (OpenCL API 3.0 section 5.2), an image (section 5.3) or a pipe (section 5.4). Its uses are the commands in flight
// that read or write it, and its sub-buffers and the images made from it.
type Mem struct {
	Object
	ctx        *Context
	flags      uint64
	size       uint64         // bytes
	hostPtr    unsafe.Pointer // of CL_MEM_USE_HOST_PTR, else nil
	svm        bool           // and that is in memory of clSVMAlloc
	addressed  bool           // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
	external   bool           // made from an external memory handle
	properties []uint64       // as given, the terminating zero included
	parent     *Mem           // whose memory a sub-buffer, or an image made from another object, shares; else nil
	origin     uint64         // bytes from the start of root()
	image      *image         // nil for all but images
	pipe       *pipe          // nil for all but pipes
	store      *roc.Memory
	done       func(*hostqueue.Command) // ends the use of a command

	mu          sync.Mutex // guards destructors and maps
	destructors []func()   // in the order registered
	maps        []mapping  // of the whole buffer, kept by the one that is no sub-buffer
}

// CreateBuffer makes a buffer of size bytes (OpenCL API 3.0 section 5.2.1). properties is empty or a list that ends in 0.
func (ctx *Context) CreateBuffer(properties []uint64, flags, size uint64, host unsafe.Pointer) (*Mem, Status) {
	ps, st := ctx.memProperties(properties, true)
	if st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if values specified in flags are not valid as defined in the Memory Flags table
	if !ValidMemFlags(flags) {
		return nil, CL_INVALID_VALUE
	}
	if st := ps.checkExternal(flags, host != nil); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_BUFFER_SIZE if size is zero, or is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in context
	if size == 0 || size > ctx.maxAlloc() {
		return nil, CL_INVALID_BUFFER_SIZE
	}
	// CL_INVALID_HOST_PTR if host_ptr is NULL, and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags, or if
	// host_ptr is not NULL but neither is set in flags
	if (host != nil) != (flags&(CL_MEM_USE_HOST_PTR|CL_MEM_COPY_HOST_PTR) != 0) {
		return nil, CL_INVALID_HOST_PTR
	}
	// CL_INVALID_BUFFER_SIZE if CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR is set in flags, and host_ptr is a pointer returned by
	// clSVMAlloc, and size is greater than the size passed to clSVMAlloc
	svm := ctx.memory.find(Addr(uintptr(host)))
	if svm != nil && svm.kind != svmMemory {
		svm = nil
	}
	if svm != nil && !span(uint64(Addr(uintptr(host))-svm.base), size, svm.size) {
		return nil, CL_INVALID_BUFFER_SIZE
	}
	m := &Mem{ctx: ctx, flags: flags, size: size, properties: properties, addressed: ps.addressed}
	if flags&memAccess == 0 {
		m.flags |= CL_MEM_READ_WRITE
	}
	var err error
	if ps.handle != nil {
		if st := ps.open(m); st != CL_SUCCESS {
			return nil, st
		}
	} else if flags&CL_MEM_USE_HOST_PTR != 0 {
		m.hostPtr, m.svm = host, svm != nil
		m.store, err = ctx.wrap(host, size)
	} else {
		m.store, err = ctx.alloc(size, flags&CL_MEM_ALLOC_HOST_PTR != 0)
	}
	// CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the buffer object
	if err != nil {
		return nil, CL_MEM_OBJECT_ALLOCATION_FAILURE
	}
	if flags&CL_MEM_COPY_HOST_PTR != 0 && !m.fill(host) {
		m.store.Release()
		return nil, CL_INVALID_HOST_PTR
	}
	m.start()
	if ps.addressed && m.hostPtr == nil { // memory of the application's may be that of several buffers
		ctx.memory.add(&allocation{kind: bufferMemory, base: m.address(), size: size, store: m.store})
	}
	return m, CL_SUCCESS
}

// ValidMemFlags reports whether f is a combination of flags that section 5.2.1 allows.
func ValidMemFlags(f uint64) bool {
	if f&^(memAccess|memHostPtr|memHostAccess) != 0 {
		return false
	}
	for _, exclusive := range []uint64{
		memAccess, memHostAccess,
		CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
	} {
		if set := f & exclusive; set&(set-1) != 0 {
			return false
		}
	}
	return true
}

// BufferRegion is cl_buffer_region, in bytes.
type BufferRegion struct{ Origin, Size uint64 }

// CreateSubBuffer makes a buffer of a part of m (OpenCL API 3.0 section 5.2.1). region is nil if the caller gave none.
func (m *Mem) CreateSubBuffer(flags uint64, createType uint32, region *BufferRegion) (*Mem, Status) {
	// CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object or is a sub-buffer object
	if !m.isBuffer() || m.parent != nil {
		return nil, CL_INVALID_MEM_OBJECT
	}
	// CL_INVALID_VALUE if flags specifies CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR, or if buffer
	// was created with narrower access, by kernels or by the host, than flags specifies
	if !ValidMemFlags(flags) || !m.narrows(flags) {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_VALUE if the value specified in buffer_create_type is not valid, if buffer_create_info is NULL, or if the
	// region is out of bounds in buffer
	if createType != CL_BUFFER_CREATE_TYPE_REGION || region == nil || !span(region.Origin, region.Size, m.size) {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_BUFFER_SIZE if the size field of the cl_buffer_region structure is zero
	if region.Size == 0 {
		return nil, CL_INVALID_BUFFER_SIZE
	}
	// CL_MISALIGNED_SUB_BUFFER_OFFSET if there are no devices in context associated with buffer for which the origin field
	// is aligned to the CL_DEVICE_MEM_BASE_ADDR_ALIGN value
	if !m.ctx.anyAligned(region.Origin) {
		return nil, CL_MISALIGNED_SUB_BUFFER_OFFSET
	}
	s := &Mem{
		ctx: m.ctx, flags: flags, size: region.Size,
		parent: m, origin: region.Origin, store: m.store.Sub(region.Origin, region.Size), svm: m.svm, addressed: m.addressed,
	}
	s.inherit(m)
	if m.hostPtr != nil {
		s.hostPtr = unsafe.Add(m.hostPtr, region.Origin)
	}
	m.Use()
	s.start()
	return s, CL_SUCCESS
}

// narrows reports whether an object that shares the memory of m may have flags.
func (m *Mem) narrows(flags uint64) bool {
	return flags&memHostPtr == 0 &&
		(m.flags&CL_MEM_WRITE_ONLY == 0 || flags&(CL_MEM_READ_WRITE|CL_MEM_READ_ONLY) == 0) &&
		(m.flags&CL_MEM_READ_ONLY == 0 || flags&(CL_MEM_READ_WRITE|CL_MEM_WRITE_ONLY) == 0) &&
		(m.flags&CL_MEM_HOST_WRITE_ONLY == 0 || flags&CL_MEM_HOST_READ_ONLY == 0) &&
		(m.flags&CL_MEM_HOST_READ_ONLY == 0 || flags&CL_MEM_HOST_WRITE_ONLY == 0) &&
		(m.flags&CL_MEM_HOST_NO_ACCESS == 0 || flags&(CL_MEM_HOST_READ_ONLY|CL_MEM_HOST_WRITE_ONLY) == 0)
}

// inherit gives m the flags of its parent, as far as it was created without its own.
func (m *Mem) inherit(parent *Mem) {
	for _, group := range []uint64{memAccess, memHostAccess} {
		if m.flags&group == 0 {
			m.flags |= parent.flags & group
		}
	}
	m.flags |= parent.flags & memHostPtr
}

// start brings m to life.
func (m *Mem) start() {
	m.ctx.Use()
	m.done = func(*hostqueue.Command) { m.Unuse() }
	m.init(KindMem, m)
}

// isBuffer tells buffers and sub-buffers from other memory objects.
func (m *Mem) isBuffer() bool { return m.image == nil && m.pipe == nil }

// root is the object whose storage m is part of.
func (m *Mem) root() *Mem {
	for m.parent != nil {
		m = m.parent
	}
	return m
}

// at is the address of byte off, for devices.
func (m *Mem) at(off uint64) unsafe.Pointer { return unsafe.Add(m.store.Ptr, off) }

// address is where m is, for the host and for its devices.
func (m *Mem) address() Addr { return Addr(uintptr(m.store.Ptr)) }

func (m *Mem) calls() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.destructors) > 0
}

// end is what clReleaseMemObject promises: "After the memobj reference count becomes zero and commands queued for execution
// on a command-queue(s) that use memobj have finished, the memory object is deleted."
func (m *Mem) end() {
	m.mu.Lock()
	callbacks := m.destructors
	m.mu.Unlock()
	for _, f := range slices.Backward(callbacks) {
		f()
	}
	for i := range m.maps { // that nobody undid
		m.maps[i].release()
	}
	if m.image != nil && m.image.descriptor != nil {
		m.image.descriptor.Release()
	}
	if m.addressed && m.parent == nil {
		m.ctx.memory.remove(m.address(), bufferMemory)
	}
	m.store.Release()
	if m.parent != nil {
		m.parent.Unuse()
	}
	m.ctx.Unuse()
}

// OnDestroy registers f to be called before m's storage is freed, the last registered first
// (clSetMemObjectDestructorCallback, OpenCL API 3.0 section 5.6.1).
func (m *Mem) OnDestroy(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.destructors = append(m.destructors, f)
}

func (m *Mem) hostReadable() bool { return m.flags&(CL_MEM_HOST_WRITE_ONLY|CL_MEM_HOST_NO_ACCESS) == 0 }
func (m *Mem) hostWritable() bool { return m.flags&(CL_MEM_HOST_READ_ONLY|CL_MEM_HOST_NO_ACCESS) == 0 }
