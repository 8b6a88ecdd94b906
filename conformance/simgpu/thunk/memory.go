//go:build simgpu

package main

/*
#include <stdbool.h>
#include "hsakmttypes.h"
*/
import "C"

import (
	"unsafe"

	"aqueduct/conformance/simgpu/device"
)

func status(s device.Status) C.HSAKMT_STATUS { return C.HSAKMT_STATUS(s) }

// word is the value of a union of bit fields.
func word(p unsafe.Pointer) uint32 { return *(*uint32)(p) }

func address(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

//export hsaKmtAllocMemory
func hsaKmtAllocMemory(node C.HSAuint32, size C.HSAuint64, flags C.HsaMemFlags, out *unsafe.Pointer) C.HSAKMT_STATUS {
	at, s := gpu().Allocate(uint32(node), uint64(size), word(unsafe.Pointer(&flags)))
	if s == device.Success {
		*(*uint64)(unsafe.Pointer(out)) = at
	}
	return status(s)
}

//export hsaKmtFreeMemory
func hsaKmtFreeMemory(p unsafe.Pointer, size C.HSAuint64) C.HSAKMT_STATUS {
	return status(gpu().Free(address(p)))
}

//export hsaKmtRegisterMemoryWithFlags
func hsaKmtRegisterMemoryWithFlags(p unsafe.Pointer, size C.HSAuint64, flags C.HsaMemFlags) C.HSAKMT_STATUS {
	return status(gpu().Register(address(p), uint64(size), word(unsafe.Pointer(&flags))))
}

//export hsaKmtDeregisterMemory
func hsaKmtDeregisterMemory(p unsafe.Pointer) C.HSAKMT_STATUS {
	return status(gpu().Deregister(address(p)))
}

//export hsaKmtMapMemoryToGPU
func hsaKmtMapMemoryToGPU(p unsafe.Pointer, size C.HSAuint64, at *C.HSAuint64) C.HSAKMT_STATUS {
	return mapMemory(p, at, true)
}

func mapMemory(p unsafe.Pointer, at *C.HSAuint64, access bool) C.HSAKMT_STATUS {
	if at != nil {
		*at = C.HSAuint64(address(p))
	}
	return status(gpu().Map(address(p), access))
}

//export hsaKmtMapMemoryToGPUNodes
func hsaKmtMapMemoryToGPUNodes(p unsafe.Pointer, size C.HSAuint64, at *C.HSAuint64, flags C.HsaMemMapFlags, count C.HSAuint64,
	nodes *C.HSAuint32) C.HSAKMT_STATUS {
	access := false
	for _, n := range unsafe.Slice(nodes, int(count)) {
		access = access || n == device.GPUNode
	}
	return mapMemory(p, at, access)
}

//export hsaKmtUnmapMemoryToGPU
func hsaKmtUnmapMemoryToGPU(p unsafe.Pointer) C.HSAKMT_STATUS {
	return status(gpu().Map(address(p), false))
}

//export hsaKmtSetMemoryUserData
func hsaKmtSetMemoryUserData(p *C.char, user unsafe.Pointer) C.HSAKMT_STATUS {
	return status(gpu().SetUser(address(unsafe.Pointer(p)), uintptr(user)))
}
