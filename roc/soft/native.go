package soft

import (
	"errors"
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

// run runs the kernel, of which lines is known, or nil. A trap is an error.
func (c *call) run(lines *codeobject.LineTable) error {
	if signal := cgocall(enterKernelAddress, unsafe.Pointer(c)); signal == 0 {
		return nil
	}
	instruction, err := trapError(c.top)
	if file, line := lines.Find(int64(instruction - uint64(c.kernel))); line != 0 {
		return fmt.Errorf("%w at %s:%d", err, file, line)
	}
	return fmt.Errorf("%w (instruction %#x)", err, instruction)
}

// trapError words what happened on the stack whose top is given, and says at which instruction.
func trapError(top uintptr) (instruction uint64, err error) {
	m := *(*unsafe.Pointer)(unsafe.Pointer(&top))
	signal := syscall.Signal(*(*uint32)(unsafe.Add(m, -72)))
	address := *(*uint64)(unsafe.Add(m, -80))
	instruction = *(*uint64)(unsafe.Add(m, -88))
	base := uint64(top) - uint64(stackSlot)
	switch {
	case signal == syscall.SIGFPE:
		err = errors.New("arithmetic exception")
	case signal == syscall.SIGILL:
		err = errors.New("illegal instruction")
	case signal != syscall.SIGSEGV && signal != syscall.SIGBUS:
		err = errors.New(signal.String())
	case address >= base && address < base+uint64(stackSlot)/2:
		err = errors.New("the stack of a work-item is exhausted")
	case address >= uint64(top)-stackGap && address < uint64(top)-pageSize:
		err = errors.New("access past the private memory of a work-item")
	default:
		err = fmt.Errorf("invalid access to memory at %#x", address)
	}
	return instruction, err
}

// Addresses of the C functions in native_amd64.s.
var enterKernelAddress, trapAddress, drainAddress uintptr
