package soft

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
)

// stacks are the stacks kernels run on, in slots of one reserved range. The lower half of a slot is never mapped, so that a
// frame of any size that overruns its stack traps there. Its last page keeps what the way back from a kernel needs; a kernel
// that writes past its variables traps on the guard before it.
type stacks struct {
	size  uint64 // of a slot
	count int
}

// stackGap is how far below the top of its slot a kernel's stack begins; native_amd64.s knows it.
const stackGap = pageSize + guard

// stack is a mapped stack.
type stack struct{ top uintptr }

// What trap has to know: where the slots are. They are the same for all agents of the process, set once.
var stackBase, stackArea, stackSlot uintptr

// arena reserves the range once in the process, for the first agent that runs a kernel.
var arena struct {
	sync.Mutex
	used uintptr // bytes given out
}

func (s *stacks) init(size uint64, count int) {
	s.size, s.count = 2*size, count
}

var errStacks = errors.New("no more stacks for kernels")

// get maps the next slot of the arena. The thread that takes it keeps it.
func (s *stacks) get() (*stack, error) {
	arena.Lock()
	defer arena.Unlock()
	if stackBase == 0 {
		if err := reserveStacks(s.size, s.count); err != nil {
			return nil, err
		}
	}
	if arena.used == stackArea {
		return nil, errStacks
	}
	slot := stackBase + arena.used
	half, top := stackSlot/2, slot+stackSlot
	const access = syscall.PROT_READ | syscall.PROT_WRITE
	if err := errors.Join(protect(slot+half, half-stackGap, access), protect(top-pageSize, pageSize, access)); err != nil {
		return nil, fmt.Errorf("stack for kernels: %w", err)
	}
	arena.used += stackSlot
	return &stack{top: top}, nil
}

// reserveStacks reserves the address range, aligned to the size of a slot, and has traps in it caught.
func reserveStacks(size uint64, count int) error {
	total := uintptr(size) * uintptr(count)
	p, err := mapRange(uint64(total) + size)
	if err != nil {
		return fmt.Errorf("stacks for kernels: %w", err)
	}
	base := (uintptr(p) + uintptr(size) - 1) &^ (uintptr(size) - 1)
	stackSlot, stackArea = uintptr(size), total
	stackBase = base
	return catchTraps()
}
