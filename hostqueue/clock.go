package hostqueue

import (
	"syscall"
	_ "unsafe" // for go:linkname
)

// nanotime reads CLOCK_MONOTONIC through the vDSO, in nanoseconds: the clock of profiling times and of HSA signals.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// procyield executes the PAUSE instruction the given number of times.
//
//go:linkname procyield runtime.procyield
func procyield(cycles uint32)

// osyield lets another thread that is ready have this core. A thread that spins for longer than a wake-up takes does so between
// two looks: on two cores it would otherwise keep the very thread it waits for from running.
func osyield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
