package cl

import (
	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// svm is CL_DEVICE_SVM_CAPABILITIES. On an agent that is the CPU, kernels and the application see the same memory at the same
// addresses, and their atomics are the same instructions. A GPU sees memory that was made for it, at the address the host has it at.
func (d *Device) svm() uint64 {
	if d.roc.Info().CPU {
		return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS
	}
	return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
}

// svm is what some device of the context can.
func (ctx *Context) svm() (all uint64) {
	for _, d := range ctx.devices {
		all |= d.svm()
	}
	return all
}

// SVMAlloc is clSVMAlloc (OpenCL API 3.0 section 5.6.1): 0 if it fails, and why is told the context's callback, as there is no
// error code.
func (ctx *Context) SVMAlloc(flags, size uint64, alignment uint32) Addr {
	const fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS
	svm, why := ctx.svm(), ""
	switch {
	case svm == 0:
		why = "no device of the context supports shared virtual memory"
	case flags&^(memAccess|fine) != 0 || !ValidMemFlags(flags&memAccess):
		why = "flags that do not go together, or are none of shared virtual memory"
	case flags&fine == CL_MEM_SVM_ATOMICS:
		why = "CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER"
	case flags&CL_MEM_SVM_FINE_GRAIN_BUFFER != 0 && svm&CL_DEVICE_SVM_FINE_GRAIN_BUFFER == 0,
		flags&CL_MEM_SVM_ATOMICS != 0 && svm&CL_DEVICE_SVM_ATOMICS == 0:
		why = "no device of the context supports these flags"
	case size == 0 || size > ctx.leastMaxAlloc():
		why = "a size of zero, or above CL_DEVICE_MAX_MEM_ALLOC_SIZE"
	case !alignable(alignment):
		why = "an alignment that is no power of two, or above the largest data type's"
	default:
		p, err := ctx.allocate(allocation{kind: svmMemory}, size)
		if err == nil {
			return p
		}
		why = err.Error()
	}
	ctx.Notify("clSVMAlloc: " + why)
	return 0
}

// SVMFree is clSVMFree. Memory that commands in flight name goes when they have ended.
func (ctx *Context) SVMFree(p Addr) { ctx.free(p, svmMemory) }

// checkSVM is what all enqueues of shared virtual memory check first.
func (q *Queue) checkSVM(s Sync) Status {
	// CL_INVALID_OPERATION if the device associated with command_queue does not support SVM
	if q.device.svm() == 0 {
		return CL_INVALID_OPERATION
	}
	// CL_INVALID_CONTEXT if the context associated with command_queue and events in event_wait_list are not the same
	return q.check(s)
}

// SVMFree enqueues clEnqueueSVMFree. If free is not nil it is called, on the thread of callbacks, to free the memory; else that is
// done here.
func (q *Queue) SVMFree(ptrs []Addr, free func(), s Sync) (*Event, Status) {
	if st := q.checkSVM(s); st != CL_SUCCESS {
		return nil, st
	}
	c, e := q.command(CL_COMMAND_SVM_FREE, hostqueue.KindCommand, roc.Nothing{}, s)
	if free == nil {
		c.OnDone = func(c *hostqueue.Command) {
			if c.Status() == hostqueue.Complete {
				for _, p := range ptrs {
					q.ctx.SVMFree(p)
				}
			}
		}
		return q.submit(c, e, s, false)
	}
	q.Use() // the function is given its handle
	c.OnStatus(hostqueue.Complete, func(status hostqueue.Status) {
		defer q.Unuse()
		if status == hostqueue.Complete {
			free()
		}
	})
	e, st := q.submit(c, e, s, false)
	if st != CL_SUCCESS {
		q.Unuse()
	}
	return e, st
}

// SVMMemcpy enqueues clEnqueueSVMMemcpy.
func (q *Queue) SVMMemcpy(blocking bool, dst, src Addr, size uint64, s Sync) (*Event, Status) {
	if st := q.checkSVM(s); st != CL_SUCCESS {
		return nil, st
	}
	return q.copyMemory(CL_COMMAND_SVM_MEMCPY, blocking, dst, src, size, s)
}

// SVMMemFill enqueues clEnqueueSVMMemFill. pattern is nil if the caller gave none.
func (q *Queue) SVMMemFill(p Addr, pattern []byte, size uint64, s Sync) (*Event, Status) {
	if st := q.checkSVM(s); st != CL_SUCCESS {
		return nil, st
	}
	return q.fillMemory(CL_COMMAND_SVM_MEMFILL, p, pattern, size, s)
}

// SVMMap enqueues clEnqueueSVMMap: "the region is already mapped in the host address space", so it orders, and no more.
func (q *Queue) SVMMap(blocking bool, flags uint64, p Addr, size uint64, s Sync) (*Event, Status) {
	if st := q.checkSVM(s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if svm_ptr is NULL, if size is zero, or if values specified in map_flags are not valid
	if p == 0 || size == 0 || !validMapFlags(flags) {
		return nil, CL_INVALID_VALUE
	}
	return q.enqueueAt(CL_COMMAND_SVM_MAP, roc.Nothing{}, s, blocking, p)
}

// SVMUnmap enqueues clEnqueueSVMUnmap.
func (q *Queue) SVMUnmap(p Addr, s Sync) (*Event, Status) {
	if st := q.checkSVM(s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if svm_ptr is NULL
	if p == 0 {
		return nil, CL_INVALID_VALUE
	}
	return q.enqueueAt(CL_COMMAND_SVM_UNMAP, roc.Nothing{}, s, false, p)
}

// SVMMigrateMem enqueues clEnqueueSVMMigrateMem. sizes is nil, or has one for each of ptrs: zero for all of its allocation.
func (q *Queue) SVMMigrateMem(ptrs []Addr, sizes []uint64, flags uint64, s Sync) (*Event, Status) {
	if st := q.checkSVM(s); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if num_svm_pointers is zero or svm_pointers is NULL, or if flags is not zero and is not a valid combination
	if len(ptrs) == 0 || !validMigration(flags) {
		return nil, CL_INVALID_VALUE
	}
	for i, p := range ptrs {
		// CL_INVALID_VALUE if sizes[i] is non-zero and the memory range described by svm_pointers[i] and sizes[i] is not contained
		// within an SVM allocation returned by clSVMAlloc
		if sizes == nil || sizes[i] == 0 {
			continue
		}
		a := q.ctx.memory.find(p)
		if a == nil || a.kind != svmMemory || !span(uint64(p-a.base), sizes[i], a.size) {
			return nil, CL_INVALID_VALUE
		}
	}
	return q.enqueueAt(CL_COMMAND_SVM_MIGRATE_MEM, roc.Nothing{}, s, false, ptrs...)
}
