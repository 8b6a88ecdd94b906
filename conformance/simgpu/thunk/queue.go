//go:build simgpu

package main

/*
#include <stdbool.h>
#include <stdlib.h>
#include "hsakmttypes.h"

static inline uint64_t read_pointer(const HsaQueueResource *r) { return r->QueueRptrValue; }

static inline void set_queue(HsaQueueResource *r, uint64_t id, uint64_t doorbell, uint64_t read, uint64_t write)
{
	r->QueueId = id;
	r->QueueDoorBell = doorbell;
	r->QueueRptrValue = read;
	r->QueueWptrValue = write;
}

static inline uint64_t write_pointer(const HsaQueueResource *r) { return r->QueueWptrValue; }
*/
import "C"

import (
	"unsafe"

	"aqueduct/conformance/simgpu/device"
)

//export hsaKmtCreateQueue
func hsaKmtCreateQueue(node C.HSAuint32, kind C.HSA_QUEUE_TYPE, percentage C.HSAuint32, priority C.HSA_QUEUE_PRIORITY, ring unsafe.Pointer,
	size C.HSAuint64, event *C.HsaEvent, r *C.HsaQueueResource) C.HSAKMT_STATUS {
	if node != device.GPUNode {
		return C.HSAKMT_STATUS_INVALID_NODE_UNIT
	}
	q, s := gpu().CreateQueue(int(kind), address(ring), uint64(size), uint64(C.read_pointer(r)), uint64(C.write_pointer(r)))
	if s == device.Success {
		C.set_queue(r, C.uint64_t(q.ID), C.uint64_t(q.Doorbell), C.uint64_t(q.Read), C.uint64_t(q.Write))
	}
	return status(s)
}

//export hsaKmtDestroyQueue
func hsaKmtDestroyQueue(id C.HSA_QUEUEID) C.HSAKMT_STATUS {
	return status(gpu().DestroyQueue(uint64(id)))
}

// What a queue's share or priority is has no effect: there is no speed to share.

//export hsaKmtUpdateQueue
func hsaKmtUpdateQueue(id C.HSA_QUEUEID, percentage C.HSAuint32, priority C.HSA_QUEUE_PRIORITY, ring unsafe.Pointer, size C.HSAuint64,
	event *C.HsaEvent) C.HSAKMT_STATUS {
	if !gpu().HasQueue(uint64(id)) {
		return C.HSAKMT_STATUS_INVALID_HANDLE
	}
	return C.HSAKMT_STATUS_SUCCESS
}

//export hsaKmtSetQueueCUMask
func hsaKmtSetQueueCUMask(id C.HSA_QUEUEID, count C.HSAuint32, mask *C.HSAuint32) C.HSAKMT_STATUS {
	if count == 0 || count%32 != 0 {
		return C.HSAKMT_STATUS_INVALID_PARAMETER
	}
	return status(gpu().SetUnits(uint64(id), unsafe.Slice((*uint32)(unsafe.Pointer(mask)), int(count/32))))
}
