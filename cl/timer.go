package cl

import (
	"syscall"
	"unsafe"
)

// Timer is the time clGetDeviceAndHostTimer and clGetHostTimer answer: CLOCK_MONOTONIC in nanoseconds, which is also what
// profiling times are in, so device and host timer are one (OpenCL API 3.0 section 4.2).
func (d *Device) Timer() uint64 {
	const clockMonotonic = 1
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&t)), 0)
	return uint64(t.Nano())
}
