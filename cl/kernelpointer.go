package cl

import (
	"encoding/binary"

	"aqueduct/roc"
	"aqueduct/roc/compiler/codeobject"
)

// SetSVMPointer is clSetKernelArgSVMPointer (OpenCL API 3.0 section 5.9.2).
func (k *Kernel) SetSVMPointer(index uint32, p Addr) Status {
	// CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM
	if k.program.ctx.svm() == 0 {
		return CL_INVALID_OPERATION
	}
	return k.SetPointer(index, p)
}

// SetPointer is clSetKernelArgMemPointerINTEL: gives argument index an address, any, as kernels see all memory of the application.
func (k *Kernel) SetPointer(index uint32, p Addr) Status {
	// CL_INVALID_ARG_INDEX if arg_index is not a valid argument index
	if uint64(index) >= uint64(len(k.info.Args)) {
		return CL_INVALID_ARG_INDEX
	}
	// CL_INVALID_ARG_VALUE if arg_value is not a valid value: "can only be used for arguments that are declared to be a pointer to
	// global or constant memory"
	switch k.info.Args[index].Kind {
	case codeobject.ArgGlobal, codeobject.ArgConstant:
	default:
		return CL_INVALID_ARG_VALUE
	}
	k.setPointer(index, p)
	return CL_SUCCESS
}

// SetDevicePointer is clSetKernelArgDevicePointerEXT (cl_ext_buffer_device_address).
func (k *Kernel) SetDevicePointer(index uint32, p Addr) Status {
	// CL_INVALID_ARG_INDEX if arg_index is not a valid argument index, or corresponds to an argument that is not a pointer to the
	// global address space
	if uint64(index) >= uint64(len(k.info.Args)) || k.info.Args[index].Kind != codeobject.ArgGlobal {
		return CL_INVALID_ARG_INDEX
	}
	k.setPointer(index, p)
	return CL_SUCCESS
}

func (k *Kernel) setPointer(index uint32, p Addr) {
	store := k.program.ctx.memory.store(p)
	a := &k.args
	a.mu.Lock()
	defer a.mu.Unlock()
	a.put(index, uint64(p), nil, store)
	a.hasValue(index)
}

// put stores an address as the value of argument index, and what keeps the memory there alive. a is locked.
func (a *kernelArgs) put(index uint32, address uint64, m *Mem, store *roc.Memory) {
	binary.NativeEndian.PutUint64(a.values[a.info.Args[index].Offset:], address)
	if a.mems[index] != m || a.stores[index] != store {
		a.mems[index], a.stores[index] = m, store
		a.held = nil
	}
}

// PointerSet is one of the sets of addresses that a kernel may use beside those of its arguments.
type PointerSet int

const (
	SVMPointers    PointerSet = iota // CL_KERNEL_EXEC_INFO_SVM_PTRS
	USMPointers                      // CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
	DevicePointers                   // CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT
	pointerSets
)

// SetExecPointers is clSetKernelExecInfo for set: ptrs replace those there were (OpenCL API 3.0 section 5.9.2). Kernels see all
// memory anyway, so what it means is that launches keep the allocations.
func (k *Kernel) SetExecPointers(set PointerSet, ptrs []Addr) Status {
	// CL_INVALID_OPERATION if no devices in the context associated with kernel support what the set is of
	if k.program.ctx.svm() == 0 {
		return CL_INVALID_OPERATION
	}
	var stores []*roc.Memory
	for _, p := range ptrs {
		if store := k.program.ctx.memory.store(p); store != nil {
			stores = append(stores, store)
		}
	}
	a := &k.args
	a.mu.Lock()
	defer a.mu.Unlock()
	a.indirect[set], a.held = stores, nil
	return CL_SUCCESS
}

// SetExecFlag is clSetKernelExecInfo for a parameter that is a cl_bool: whether the kernel may use memory, of one kind, that it
// was not told of. It may in any case.
func (k *Kernel) SetExecFlag(param, value uint32) Status {
	// CL_INVALID_OPERATION if param_value is CL_TRUE and no devices in the context support fine-grain system SVM allocations, or
	// if none support unified shared memory
	system := param == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM
	if ctx := k.program.ctx; system && value != CL_FALSE && ctx.svm()&CL_DEVICE_SVM_FINE_GRAIN_SYSTEM == 0 || !system && !ctx.usm() {
		return CL_INVALID_OPERATION
	}
	return CL_SUCCESS
}

// store is the memory that byte p is in, which whoever wants it to stay has to hold; nil if it is in none.
func (as *allocations) store(p Addr) *roc.Memory {
	if a := as.find(p); a != nil {
		return a.store
	}
	return nil
}

// used are the stores that a launch uses. a is locked.
func (a *kernelArgs) used() (all []*roc.Memory) {
	for _, store := range a.stores {
		if store != nil {
			all = append(all, store)
		}
	}
	for _, set := range a.indirect {
		all = append(all, set...)
	}
	return all
}
