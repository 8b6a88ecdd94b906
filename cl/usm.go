package cl

import (
	"slices"

	"aqueduct/roc"
)

// Unified shared memory (cl_intel_unified_shared_memory 1.2.0). On an agent that is the CPU the kinds of allocations differ in
// what clGetMemAllocInfoINTEL says of them, and in nothing else.

// usm is CL_DEVICE_*_MEM_CAPABILITIES_INTEL, for every kind.
func (d *Device) usm() uint64 {
	if d.roc.Info().CPU {
		return CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
			CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL
	}
	return 0
}

func (ctx *Context) usm() bool {
	return slices.ContainsFunc(ctx.devices, func(d *Device) bool { return d.usm() != 0 })
}

// HostMemAlloc is clHostMemAllocINTEL. properties is nil or a list that ends in 0.
func (ctx *Context) HostMemAlloc(properties []uint64, size uint64, alignment uint32) (Addr, Status) {
	return ctx.usmAlloc(allocation{kind: hostMemory}, properties, size, alignment)
}

// DeviceMemAlloc is clDeviceMemAllocINTEL.
func (ctx *Context) DeviceMemAlloc(d *Device, properties []uint64, size uint64, alignment uint32) (Addr, Status) {
	return ctx.usmAlloc(allocation{kind: deviceMemory, device: d}, properties, size, alignment)
}

// SharedMemAlloc is clSharedMemAllocINTEL. d is nil if the caller named no device.
func (ctx *Context) SharedMemAlloc(d *Device, properties []uint64, size uint64, alignment uint32) (Addr, Status) {
	return ctx.usmAlloc(allocation{kind: sharedMemory, device: d}, properties, size, alignment)
}

func (ctx *Context) usmAlloc(a allocation, properties []uint64, size uint64, alignment uint32) (Addr, Status) {
	// CL_INVALID_DEVICE if device is not associated with context
	if a.device != nil && !ctx.has(a.device) {
		return 0, CL_INVALID_DEVICE
	}
	// CL_INVALID_OPERATION if the capabilities are zero for device, or for all devices in context
	most := ctx.leastMaxAlloc()
	if a.device != nil {
		most = a.device.roc.Info().MaxAlloc
	}
	if a.device != nil && a.device.usm() == 0 || !ctx.usm() {
		return 0, CL_INVALID_OPERATION
	}
	// CL_INVALID_VALUE if alignment is not zero or a power of two, or is greater than the size of the largest data type
	if !alignable(alignment) {
		return 0, CL_INVALID_VALUE
	}
	var st Status
	if a.flags, st = usmFlags(properties, a.kind == sharedMemory); st != CL_SUCCESS {
		return 0, st
	}
	// CL_INVALID_BUFFER_SIZE if size is zero or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE
	if size == 0 || size > most {
		return 0, CL_INVALID_BUFFER_SIZE
	}
	p, err := ctx.allocate(a, size)
	if err != nil {
		ctx.Notify("unified shared memory: " + err.Error())
		return 0, CL_OUT_OF_RESOURCES
	}
	return p, CL_SUCCESS
}

// usmFlags reads CL_MEM_ALLOC_FLAGS_INTEL from properties.
func usmFlags(properties []uint64, shared bool) (flags uint64, st Status) {
	const placement = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL
	for i := 0; i+1 < len(properties); i += 2 {
		// CL_INVALID_PROPERTY if a memory property name in properties is not a supported property name, or if the same property
		// name is specified more than once
		if properties[i] != CL_MEM_ALLOC_FLAGS_INTEL || i > 0 {
			return 0, CL_INVALID_PROPERTY
		}
		flags = properties[i+1]
	}
	// CL_INVALID_PROPERTY if the value specified for a supported property name is not valid: an initial placement is for shared
	// allocations, and one place
	if flags&^(CL_MEM_ALLOC_WRITE_COMBINED_INTEL|placement) != 0 || !shared && flags&placement != 0 || flags&placement == placement {
		return 0, CL_INVALID_PROPERTY
	}
	return flags, CL_SUCCESS
}

// MemFree is clMemFreeINTEL, and with blocking set clMemBlockingFreeINTEL, which waits for all commands of the context: any of
// them may use the memory indirectly.
func (ctx *Context) MemFree(p Addr, blocking bool) Status {
	if p == 0 {
		return CL_SUCCESS
	}
	if blocking {
		ctx.finish()
	}
	// CL_INVALID_VALUE if ptr is not a value returned by clHostMemAllocINTEL, clDeviceMemAllocINTEL, clSharedMemAllocINTEL, or a
	// NULL pointer
	if !ctx.free(p, hostMemory, deviceMemory, sharedMemory) {
		return CL_INVALID_VALUE
	}
	return CL_SUCCESS
}

// MemAllocInfo is clGetMemAllocInfoINTEL of the allocation that p points into.
func (ctx *Context) MemAllocInfo(p Addr, param uint32, out Out) Status {
	a := ctx.memory.find(p)
	if a == nil || usmType[a.kind] == 0 {
		a = &allocation{kind: bufferMemory}
	}
	return memAllocInfo.Get(a, param, out)
}

// usmType are the kinds as the queries know them.
var usmType = map[allocationKind]uint32{
	hostMemory: CL_MEM_TYPE_HOST_INTEL, deviceMemory: CL_MEM_TYPE_DEVICE_INTEL, sharedMemory: CL_MEM_TYPE_SHARED_INTEL,
}

var memAllocInfo = Table[*allocation]{
	CL_MEM_ALLOC_TYPE_INTEL: func(a *allocation) Value {
		if t := usmType[a.kind]; t != 0 {
			return Uint(t)
		}
		return Uint(uint32(CL_MEM_TYPE_UNKNOWN_INTEL))
	},
	CL_MEM_ALLOC_BASE_PTR_INTEL: func(a *allocation) Value { return Ulong(a.base) },
	CL_MEM_ALLOC_SIZE_INTEL:     func(a *allocation) Value { return Size(a.size) },
	CL_MEM_ALLOC_DEVICE_INTEL: func(a *allocation) Value {
		if a.device == nil {
			return NoHandle()
		}
		return HandleOf(a.device)
	},
	CL_MEM_ALLOC_FLAGS_INTEL: func(a *allocation) Value { return Ulong(a.flags) },
}

// MemFill enqueues clEnqueueMemFillINTEL. pattern is nil if the caller gave none.
func (q *Queue) MemFill(p Addr, pattern []byte, size uint64, s Sync) (*Event, Status) {
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	return q.fillMemory(CL_COMMAND_MEMFILL_INTEL, p, pattern, size, s)
}

// Memcpy enqueues clEnqueueMemcpyINTEL.
func (q *Queue) Memcpy(blocking bool, dst, src Addr, size uint64, s Sync) (*Event, Status) {
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	return q.copyMemory(CL_COMMAND_MEMCPY_INTEL, blocking, dst, src, size, s)
}

// MigrateMem enqueues clEnqueueMigrateMemINTEL, a hint.
func (q *Queue) MigrateMem(p Addr, flags uint64, s Sync) (*Event, Status) {
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if flags is not a supported combination of memory migration flags
	if !validMigration(flags) {
		return nil, CL_INVALID_VALUE
	}
	return q.enqueueAt(CL_COMMAND_MIGRATEMEM_INTEL, roc.Nothing{}, s, false, p)
}

// MemAdvise enqueues clEnqueueMemAdviseINTEL.
func (q *Queue) MemAdvise(p Addr, advice uint32, s Sync) (*Event, Status) {
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if advice is not supported advice for the device: none is defined
	if advice != 0 {
		return nil, CL_INVALID_VALUE
	}
	return q.enqueueAt(CL_COMMAND_MEMADVISE_INTEL, roc.Nothing{}, s, false, p)
}
