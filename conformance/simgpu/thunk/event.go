//go:build simgpu

package main

/*
#include <stdbool.h>
#include <stdlib.h>
#include "hsakmttypes.h"

static inline void describe(HsaEvent *e, const HsaEventDescriptor *d, uint32_t id, uint64_t mailbox)
{
	e->EventId = id;
	e->EventData.EventType = d->EventType;
	e->EventData.EventData.SyncVar = d->SyncVar;
	e->EventData.HWData1 = id;
	e->EventData.HWData2 = mailbox;
	e->EventData.HWData3 = id;
}

static inline void set_fault(HsaEvent *e, uint64_t address, uint32_t node)
{
	HsaMemoryAccessFault *f = &e->EventData.EventData.MemoryAccessFault;
	*f = (HsaMemoryAccessFault){.NodeId = node, .VirtualAddress = address, .Flags = HSA_EVENTID_MEMORY_FATAL_PROCESS};
	f->Failure.NotPresent = 1;
}
*/
import "C"

import (
	"sync"
	"syscall"
	"time"
	"unsafe"

	"aqueduct/conformance/simgpu/device"
)

// blocks are the events as the caller knows them, by their numbers. They are C's memory.
var blocks sync.Map

// pageMask cuts an address to its page: that is all the hardware tells of a fault.
const pageMask = 4095

func describeFault(id uint32, address uint64) {
	if e, ok := blocks.Load(id); ok {
		C.set_fault(e.(*C.HsaEvent), C.uint64_t(address&^pageMask), device.GPUNode)
	}
}

//export hsaKmtCreateEvent
func hsaKmtCreateEvent(d *C.HsaEventDescriptor, manual, set C.bool, out **C.HsaEvent) C.HSAKMT_STATUS {
	id, s := gpu().CreateEvent(int(d.EventType), bool(manual), bool(set))
	if s != device.Success {
		return status(s)
	}
	e := (*C.HsaEvent)(C.calloc(1, C.sizeof_HsaEvent))
	C.describe(e, d, C.uint32_t(id), C.uint64_t(gpu().Mailbox(id)))
	blocks.Store(id, e)
	*out = e
	return C.HSAKMT_STATUS_SUCCESS
}

//export hsaKmtDestroyEvent
func hsaKmtDestroyEvent(e *C.HsaEvent) C.HSAKMT_STATUS {
	if e == nil {
		return C.HSAKMT_STATUS_INVALID_HANDLE
	}
	s := gpu().DestroyEvent(uint32(e.EventId))
	if s == device.Success {
		blocks.Delete(uint32(e.EventId))
		C.free(unsafe.Pointer(e))
	}
	return status(s)
}

//export hsaKmtSetEvent
func hsaKmtSetEvent(e *C.HsaEvent) C.HSAKMT_STATUS {
	if e == nil {
		return C.HSAKMT_STATUS_INVALID_HANDLE
	}
	return status(gpu().Raise(uint32(e.EventId)))
}

//export hsaKmtWaitOnEvent
func hsaKmtWaitOnEvent(e *C.HsaEvent, milliseconds C.HSAuint32) C.HSAKMT_STATUS {
	return hsaKmtWaitOnMultipleEvents(&e, 1, true, milliseconds)
}

//export hsaKmtWaitOnMultipleEvents
func hsaKmtWaitOnMultipleEvents(all **C.HsaEvent, count C.HSAuint32, every C.bool, milliseconds C.HSAuint32) C.HSAKMT_STATUS {
	var ids []uint32
	for _, e := range unsafe.Slice(all, int(count)) {
		if e == nil {
			return C.HSAKMT_STATUS_INVALID_HANDLE
		}
		ids = append(ids, uint32(e.EventId))
	}
	limit := time.Duration(-1)
	if milliseconds < 0xfffffffe {
		limit = time.Duration(milliseconds) * time.Millisecond
	}
	return status(gpu().Wait(syscall.Gettid(), ids, bool(every), limit))
}
