package main

import (
	"fmt"
	"runtime/debug"

	"aqueduct/cl"
)

// A panic in the driver ends the call, not the process (invariant 10 of the architecture): the caller gets
// CL_OUT_OF_RESOURCES, the context's notify callback a line. The guards are deferred by each exported function; handle is
// that function's first.

func guard(st *int32, handle uintptr) {
	if r := recover(); r != nil {
		*st = int32(cl.CL_OUT_OF_RESOURCES)
		report(r, handle)
	}
}

func guardCreate(h *uintptr, errcode, handle uintptr) {
	if r := recover(); r != nil {
		*h = refuse(errcode, cl.CL_OUT_OF_RESOURCES)
		report(r, handle)
	}
}

func guardQuietly(handle uintptr) {
	if r := recover(); r != nil {
		report(r, handle)
	}
}

func report(r any, handle uintptr) {
	defer func() { _ = recover() }() // of a report that fails itself there is no one left to tell
	if o := object(handle); o != nil {
		cl.NotifyError(o, fmt.Sprintf("internal error: %v\n%s", r, debug.Stack()))
	}
}
