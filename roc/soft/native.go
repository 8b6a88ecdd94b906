package soft

import (
	"fmt"
	"syscall"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
)

// call is one call of a native kernel; native_amd64.s knows the layout.
type call struct {
	kernel      uintptr
	kernarg     unsafe.Pointer
	context     *codeobject.Context
	first, last uint64
	top         uintptr // of the stack to run on
	mxcsr       uint32
}

// run runs the kernel. A trap is an error.
func (c *call) run() error {
	if signal := cgocall(enterKernelAddress, unsafe.Pointer(c)); signal != 0 {
		return trapError(c.top)
	}
	return nil
}

func trapError(top uintptr) error {
	m := *(*unsafe.Pointer)(unsafe.Pointer(&top))
	signal := syscall.Signal(*(*uint32)(unsafe.Add(m, -72)))
	address := *(*uint64)(unsafe.Add(m, -80))
	instruction := *(*uint64)(unsafe.Add(m, -88))
	switch signal {
	case syscall.SIGSEGV, syscall.SIGBUS:
		switch base := uint64(top) - uint64(stackSlot); {
		case address >= base && address < base+uint64(stackSlot)/2:
			return fmt.Errorf("the stack of a work-item is exhausted")
		case address >= uint64(top)-stackGap && address < uint64(top)-pageSize:
			return fmt.Errorf("access past the private memory of a work-item (instruction %#x)", instruction)
		}
		return fmt.Errorf("invalid access to memory at %#x (instruction %#x)", address, instruction)
	case syscall.SIGFPE:
		return fmt.Errorf("arithmetic exception (instruction %#x)", instruction)
	case syscall.SIGILL:
		return fmt.Errorf("illegal instruction at %#x", instruction)
	}
	return fmt.Errorf("%v (instruction %#x)", signal, instruction)
}

// Addresses of the C functions in native_amd64.s.
var enterKernelAddress, trapAddress, drainAddress uintptr
