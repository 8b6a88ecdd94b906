// Package filelimit writes files where the process may have a limit on their size (RLIMIT_FSIZE, `ulimit -f`). Beyond it a write fails,
// and the thread gets SIGXFSZ, which by default ends the process.
package filelimit

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"
)

const (
	block   = 0 // SIG_BLOCK
	setMask = 2 // SIG_SETMASK
	exceeds = uint64(1) << (syscall.SIGXFSZ - 1)
)

// Guard calls write, and keeps from the process the signal that comes with an error EFBIG. What write does it does on the thread that
// calls it.
func Guard(write func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	signals, before := exceeds, uint64(0)
	maskSignals(block, &signals, &before)
	defer maskSignals(setMask, &before, nil)
	err := write()
	if errors.Is(err, syscall.EFBIG) && before&exceeds == 0 {
		now := syscall.Timespec{}
		syscall.RawSyscall6(syscall.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&signals)), 0, uintptr(unsafe.Pointer(&now)), unsafe.Sizeof(signals), 0, 0)
	}
	return err
}

func maskSignals(how int, set, before *uint64) {
	syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, uintptr(how), uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(before)), unsafe.Sizeof(*set), 0, 0)
}
