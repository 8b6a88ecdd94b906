package main

// #include "icd.h"
// #include <stdlib.h>
import "C"

import (
	"sync"
	"unsafe"

	"aqueduct/cl"
)

// dispatchTable is what every handle points to.
var dispatchTable = uintptr(unsafe.Pointer(&C.aq_dispatch))

// platform is the platform once it and its devices have handles.
var platform = sync.OnceValue(func() *cl.Platform {
	p := cl.ThePlatform()
	finishAtExit()
	startWatchdog()
	newHandle(&p.Object)
	for _, d := range p.Devices() {
		newHandle(&d.Object)
	}
	return p
})

func clGetPlatformIDs(entries uint32, platforms, count cl.Addr) cl.Status {
	// CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms are
	// NULL
	if entries == 0 && platforms != 0 || platforms == 0 && count == 0 {
		return cl.CL_INVALID_VALUE
	}
	giveList([]*cl.Platform{platform()}, entries, platforms, count)
	return cl.CL_SUCCESS
}

func clGetPlatformInfo(p *cl.Platform, param uint32, out cl.Out) cl.Status { return p.Info(param, out) }

// extensionFunctions are functions of extensions that are those of the dispatch table under another name.
var extensionFunctions = map[string]string{
	"clCreateCommandQueueWithPropertiesKHR": "clCreateCommandQueueWithProperties", // cl_khr_create_command_queue
}

func clGetExtensionFunctionAddressForPlatform(_ *cl.Platform, name cl.Addr) cl.Addr {
	return clGetExtensionFunctionAddress(name)
}

// clGetExtensionFunctionAddress returns NULL "if the specified function does not exist for the implementation". The functions
// of cl_khr_icd itself are added in C, where they are.
func clGetExtensionFunctionAddress(name cl.Addr) cl.Addr {
	if core, ok := extensionFunctions[cstring(name)]; ok {
		s := C.CString(core)
		defer C.free(unsafe.Pointer(s))
		return cl.Addr(uintptr(C.aq_address(s)))
	}
	return cl.Addr(uintptr(C.aq_extension_address((*C.char)(name.Pointer()))))
}

//export aq_set_dispatch_data
func aq_set_dispatch_data(platformHandle, data uintptr) (st int32) {
	defer guard(&st, platformHandle)
	// CL_INVALID_PLATFORM if platform is not a valid platform
	if find(platformHandle, cl.KindPlatform) == nil {
		return int32(cl.CL_INVALID_PLATFORM)
	}
	setDispatchData(data)
	return int32(cl.CL_SUCCESS)
}
