package soft

import (
	"fmt"
	"runtime/debug"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// thread is what a goroutine needs to execute packets: a stack for native kernels, and memory to lend to them.
type thread struct {
	agent  *Agent
	worker bool
	number uint32 // of a worker, or of a helper of the agent
	budget int64  // nanoseconds of work, as estimated, before the thread looks up

	waiter  hsa.Waiter // of a helper: knows whether it can do without what is not brief; nil: it can
	awaited any        // for the waiter
	refused []*Queue   // what comes next there is not for the helper
	left    bool       // there is something that is not for it
	assists bool       // it looks at one queue

	stack   *stack // nil before the first native kernel
	local   area
	frame   area
	printer printer
	context codeobject.Context
	call    call
	parts   [childBatch]part
	enqueuing
}

const (
	workerBudget = 2_000_000 // then other queues have their turn
	helperBudget = 50_000
	assistBudget = 100_000
	packetWork   = 150    // nanoseconds for a packet beside what it has done
	serviceWork  = 10_000 // for an agent dispatch: anyone's guess
)

// area is memory that grows on demand.
type area struct {
	ptr  unsafe.Pointer
	size uint64
}

// margin is how far behind the last element a vector may reach with lanes that are off. They never fault, but where memory is
// missing it takes x86 a hundred times as long to find that nothing is wrong.
const margin = 256

// reserve returns size bytes, aligned as codeobject.Context says. They end where the area does but for the margin, so that a
// kernel which runs far over their end traps. What was in the area is lost.
func (r *area) reserve(size uint64) (unsafe.Pointer, error) {
	const align = 256
	size = (size + margin + align - 1) / align * align
	if size > r.size {
		room := wholePages(size + size/4)
		p, err := mapMemory(room)
		if err != nil {
			return nil, err
		}
		if r.ptr != nil {
			unmapMemory(r.ptr, r.size)
		}
		r.ptr, r.size = p, room
	}
	return unsafe.Add(r.ptr, r.size-size), nil
}

func (r *area) end() uintptr { return uintptr(r.ptr) + uintptr(r.size) }

// execute runs work-groups [first, last) of l.
func (t *thread) execute(l *launch, first, last uint64) error {
	if l.id != 0 {
		return t.record(l, first, last)
	}
	return t.perform(l, first, last)
}

func (t *thread) perform(l *launch, first, last uint64) error {
	if l.kernel.run != nil {
		return t.executeOwn(l.kernel, l.kernarg, first, last)
	}
	if err := t.equip(l.kernel, l.local, l.items); err != nil {
		return err
	}
	t.parts[0] = part{kernarg: l.kernarg, first: first, last: last}
	if l.kernel.enqueues {
		t.lend(0, l.kernel, &l.parent, l.long)
	}
	err := t.native(l.kernel, t.parts[:1])
	if l.kernel.enqueues {
		t.collect(0, &l.parent, err)
		t.publish()
	}
	return err
}

// native runs parts of a kernel that the thread is equipped for.
func (t *thread) native(k *kernel, parts []part) error {
	err := t.call.run(k, parts)
	if k.prints {
		t.printer.drain() // also what came before a trap
	}
	return err
}

// executeOwn runs a Go function on memory that the application named, and may be gone.
func (t *thread) executeOwn(k *kernel, kernarg unsafe.Pointer, first, last uint64) error {
	return guarded(func() error { return k.run(kernarg, first, last) })
}

// guarded runs a function that may access memory which is not there; that is an error.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

// equip lends the thread what a kernel needs for work-groups of so many work-items, and so many bytes of local memory.
func (t *thread) equip(k *kernel, local uint32, items uint64) (err error) {
	if t.stack == nil {
		if t.stack, err = t.agent.stacks.get(); err != nil {
			return err
		}
		t.call.top = t.stack.top
		t.call.context = &t.context
		t.context.StackStart, t.context.StackEnd = t.stack.top-stackSlot/2, t.stack.top
	}
	items = (items + 63) / 64 * 64
	if t.context.Local, err = t.local.reserve(uint64(local)); err == nil {
		t.context.Frame, err = t.frame.reserve(k.frameFixed + k.framePerItem*items)
	}
	if err != nil {
		return fmt.Errorf("memory of a work-group: %w", err)
	}
	t.context.LocalEnd, t.context.FrameEnd = t.local.end(), t.frame.end()
	if k.prints {
		if t.context.Print, err = t.printer.lend(); err != nil {
			return fmt.Errorf("buffer for printf: %w", err)
		}
	}
	return nil
}
