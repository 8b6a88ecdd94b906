package soft

import (
	"fmt"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// sigaction is struct sigaction of the C library on Linux, amd64.
type sigaction struct {
	handler  uintptr
	mask     [16]uint64
	flags    int32
	restorer uintptr
}

const (
	saSiginfo = 0x4
	saOnstack = 0x08000000
)

// trapSignals are those that an instruction raises.
var trapSignals = [...]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL}

// earlier are the handlers that were there before ours, by signal, for trap.
var earlier [32]uintptr

// defaultAction is the kernel's struct sigaction with SIG_DFL, for trap.
//
//lint:ignore U1000 used by assembly
var defaultAction [4]uint64

// catchTraps puts our handler in front of those there are: Go's, which hands what is not its own to the application's.
func catchTraps() error {
	libc, err := purego.Dlsym(purego.RTLD_DEFAULT, "sigaction")
	if err != nil {
		return fmt.Errorf("catch traps of kernels: %w", err)
	}
	set := func(s syscall.Signal, new, old *sigaction) error {
		r, _, errno := purego.SyscallN(libc, uintptr(s), uintptr(unsafe.Pointer(new)), uintptr(unsafe.Pointer(old)))
		if int32(r) != 0 {
			return fmt.Errorf("catch %v of kernels: %w", s, syscall.Errno(errno))
		}
		return nil
	}
	for _, s := range trapSignals {
		old := new(sigaction)
		if err := set(s, nil, old); err != nil {
			return err
		}
		earlier[s] = old.handler
		ours := &sigaction{handler: trapAddress, mask: old.mask, flags: saSiginfo | saOnstack}
		if err := set(s, ours, nil); err != nil {
			return err
		}
	}
	return nil
}
