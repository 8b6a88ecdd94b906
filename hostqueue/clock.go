package hostqueue

import _ "unsafe" // for go:linkname

// nanotime reads CLOCK_MONOTONIC through the vDSO, in nanoseconds: the clock of profiling times and of HSA signals.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// procyield executes the PAUSE instruction the given number of times.
//
//go:linkname procyield runtime.procyield
func procyield(cycles uint32)
