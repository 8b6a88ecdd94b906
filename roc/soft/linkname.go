package soft

import (
	"syscall"
	"unsafe"
)

// nanotime reads CLOCK_MONOTONIC through the vDSO, in nanoseconds.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// procyield executes the PAUSE instruction the given number of times.
//
//go:linkname procyield runtime.procyield
func procyield(cycles uint32)

// cgocall calls the C function fn with one argument on the system stack, as a blocking call: the scheduler goes on without
// this thread. It costs half of what purego.SyscallN does, which copies its arguments.
//
//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn uintptr, arg unsafe.Pointer) int32

// osyield lets another thread that is ready have this core: one that spins must not keep the thread it waits for from running.
func osyield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
