package main

import "aqueduct/cl"

// No device supports shared virtual memory: CL_DEVICE_SVM_CAPABILITIES is 0 (OpenCL API 3.0 section 5.7).

// clSVMAlloc: "Otherwise, it returns a NULL pointer value if [...] there are no devices in context that support SVM".
func clSVMAlloc(ctx *cl.Context, flags uint64, size uintptr, alignment uint32) uintptr { return 0 }

func clSVMFree(ctx *cl.Context, p cl.Addr) {}

// CL_INVALID_OPERATION if the device associated with command_queue does not support SVM

func clEnqueueSVMFree(*cl.Queue, uint32, cl.Addr, cl.Addr, cl.Addr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_OPERATION
}

func clEnqueueSVMMemcpy(*cl.Queue, uint32, cl.Addr, cl.Addr, uintptr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_OPERATION
}

func clEnqueueSVMMemFill(*cl.Queue, cl.Addr, cl.Addr, uintptr, uintptr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_OPERATION
}

func clEnqueueSVMMap(*cl.Queue, uint32, uint64, cl.Addr, uintptr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_OPERATION
}

func clEnqueueSVMUnmap(*cl.Queue, cl.Addr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_OPERATION
}

func clEnqueueSVMMigrateMem(*cl.Queue, uint32, cl.Addr, cl.Addr, uint64, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_OPERATION
}
