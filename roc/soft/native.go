package soft

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
)

// call is a call of a native kernel, for several parts of what it has to do, with one crossing from Go to native code and back.
// native_amd64.s knows the layout, and that of part.
type call struct {
	kernel  uintptr
	context *codeobject.Context
	next    *part
	end     uintptr // of the parts
	top     uintptr // of the stack to run on
	mxcsr   uint32
	at      uintptr // the part that runs, or ran last
}

// part is what a call of a kernel gets.
type part struct {
	kernarg     unsafe.Pointer
	first, last uint64         // work-groups
	services    unsafe.Pointer // of codeobject.Context
}

// run runs k for each of the parts. A trap is an error, and ends them all.
func (c *call) run(k *kernel, parts []part) error {
	c.kernel, c.mxcsr = k.entry, k.mxcsr
	c.next = unsafe.SliceData(parts)
	c.end = uintptr(unsafe.Pointer(c.next)) + uintptr(len(parts))*unsafe.Sizeof(part{})
	if signal := cgocall(enterKernelAddress, unsafe.Pointer(c)); signal == 0 {
		return nil
	}
	instruction, err := trapError(c.top)
	if file, line := k.lines.Find(int64(instruction - uint64(c.kernel))); line != 0 {
		return fmt.Errorf("%w at %s:%d", err, file, line)
	}
	return fmt.Errorf("%w (instruction %#x)", err, instruction)
}

// ran is how many of the parts had run when one trapped.
func (c *call) ran(parts []part) int {
	return int((c.at - uintptr(unsafe.Pointer(unsafe.SliceData(parts)))) / unsafe.Sizeof(part{}))
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
var enterKernelAddress, trapAddress, drainAddress, wakeAddress uintptr
