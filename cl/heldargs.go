package cl

import (
	"slices"
	"sync"
	"sync/atomic"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// heldArgs is what the launches of a kernel with one set of buffers and allocations have in common: while any is in flight
// the kernel and those live. A launch among others costs one atomic addition, however many arguments there are; between launches
// nothing is held, for "a kernel object does not update the reference count for objects specified as argument values".
type heldArgs struct {
	kernel  *Kernel
	mems    []*Mem
	stores  []*roc.Memory            // that were set by address
	origins uint64                   // where in their parents sub-buffers start, all ored together
	done    func(*hostqueue.Command) // give

	inFlight atomic.Int64
	mu       sync.Mutex    // guards the step of inFlight between 0 and 1, with what it takes and gives back
	kept     []*roc.Memory // guarded by mu; those of stores that were there at that step
}

func newHeldArgs(k *Kernel, mems []*Mem, stores []*roc.Memory) *heldArgs {
	mems = slices.DeleteFunc(slices.Clone(mems), func(m *Mem) bool { return m == nil })
	h := &heldArgs{kernel: k, mems: mems, stores: stores}
	for _, m := range mems {
		h.origins |= m.origin
	}
	h.done = h.give
	return h
}

// holder is what a launch of k, of which a are the arguments, has to take. a is locked.
func (a *kernelArgs) holder(k *Kernel) *heldArgs {
	if a.held == nil {
		a.held = newHeldArgs(k, a.mems, a.used())
	}
	return a.held
}

// take counts one launch; false if a buffer is gone. The caller has the kernel alive.
func (h *heldArgs) take() bool {
	for {
		n := h.inFlight.Load()
		if n == 0 {
			return h.takeFirst()
		}
		if h.inFlight.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (h *heldArgs) takeFirst() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.inFlight.Load() > 0 {
		h.inFlight.Add(1) // only under mu does it go to 0
		return true
	}
	if !h.kernel.Use() {
		return false
	}
	if !hold(h.mems) {
		h.kernel.Unuse()
		return false
	}
	// An address whose memory is gone is still one: the kernel may not use it.
	for _, store := range h.stores {
		if store.Use() {
			h.kept = append(h.kept, store)
		}
	}
	h.inFlight.Store(1)
	return true
}

// give ends one launch. It has the signature of Command.OnDone.
func (h *heldArgs) give(c *hostqueue.Command) {
	if c != nil && c.Status() < hostqueue.Complete { // it may never have come to the device, which otherwise releases these
		if op, ok := c.Op().(*roc.Dispatch); ok {
			op.Args.Release()
		}
	}
	for {
		n := h.inFlight.Load()
		if n == 1 {
			break
		}
		if h.inFlight.CompareAndSwap(n, n-1) {
			return
		}
	}
	h.mu.Lock()
	last := h.inFlight.Add(-1) == 0
	var kept []*roc.Memory
	if last {
		kept, h.kept = h.kept, nil
	}
	h.mu.Unlock()
	if !last {
		return
	}
	drop(h.mems)
	releaseAll(kept)
	h.kernel.Unuse()
}
