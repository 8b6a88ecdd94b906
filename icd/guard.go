package main

import (
	"fmt"
	"path"
	"runtime"
	"strings"

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
		text, _, _ := strings.Cut(fmt.Sprint(r), "\n")
		cl.NotifyError(o, fmt.Sprintf("internal error in %s: %s", culprit(), text))
	}
}

// culprit names the driver's function that panicked, and where it did, as one reads both in an error report.
func culprit() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			panicked = true // the guards are called by the runtime, which the culprit has called
		case panicked:
			return fmt.Sprintf("%s (%s:%d)", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		if !more {
			return "the driver"
		}
	}
}
