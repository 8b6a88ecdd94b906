package main

import "aqueduct/cl"

// pointerSets are the parameters of clSetKernelExecInfo whose value is a list of addresses.
var pointerSets = map[uint32]cl.PointerSet{
	cl.CL_KERNEL_EXEC_INFO_SVM_PTRS:        cl.SVMPointers,
	cl.CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:  cl.USMPointers,
	cl.CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT: cl.DevicePointers,
}

func clSetKernelExecInfo(k *cl.Kernel, param uint32, size uintptr, value cl.Addr) cl.Status {
	// CL_INVALID_VALUE if param_value is NULL and param_value_size is greater than zero, or if the size specified by
	// param_value_size is not valid
	if value == 0 && size > 0 {
		return cl.CL_INVALID_VALUE
	}
	if set, ok := pointerSets[param]; ok {
		if size%8 != 0 {
			return cl.CL_INVALID_VALUE
		}
		return k.SetExecPointers(set, pointers(value, uint32(size/8)))
	}
	switch param {
	case cl.CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, cl.CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
		cl.CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, cl.CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
		if size != 4 {
			return cl.CL_INVALID_VALUE
		}
		return k.SetExecFlag(param, *(*uint32)(value.Pointer()))
	}
	// CL_INVALID_VALUE if param_name is not valid
	return cl.CL_INVALID_VALUE
}
