package cl

import (
	"slices"
	"sync"
	"unsafe"

	"aqueduct/roc"
)

// allocationKind says who asked for memory that is known by its address.
type allocationKind uint8

const (
	svmMemory    allocationKind = iota // clSVMAlloc
	hostMemory                         // clHostMemAllocINTEL
	deviceMemory                       // clDeviceMemAllocINTEL
	sharedMemory                       // clSharedMemAllocINTEL
	bufferMemory                       // a buffer with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
)

// allocation is memory of a context that the application knows by its address. It keeps the context alive, as any object does.
type allocation struct {
	kind   allocationKind
	base   Addr
	size   uint64 // bytes
	store  *roc.Memory
	device *Device // that deviceMemory, or sharedMemory, belongs to, else nil
	flags  uint64  // CL_MEM_ALLOC_FLAGS_INTEL
}

// allocations are those of a context, which do not overlap. A command holds the memory it names until it ends, so that one freed
// too early is nobody else's meanwhile.
type allocations struct {
	mu   sync.RWMutex
	list []*allocation // guarded by mu; by address
}

// at is where the first allocation is that ends behind p. mu is held.
func (as *allocations) at(p Addr) int {
	i, _ := slices.BinarySearchFunc(as.list, p, func(a *allocation, p Addr) int {
		if uint64(a.base)+a.size <= uint64(p) {
			return -1
		}
		return 1
	})
	return i
}

// lookup is the allocation that byte p is in, nil if none. mu is held.
func (as *allocations) lookup(p Addr) *allocation {
	if i := as.at(p); i < len(as.list) && as.list[i].base <= p {
		return as.list[i]
	}
	return nil
}

func (as *allocations) add(a *allocation) {
	as.mu.Lock()
	defer as.mu.Unlock()
	as.list = slices.Insert(as.list, as.at(a.base), a)
}

// find is the allocation that byte p is in, nil if none.
func (as *allocations) find(p Addr) *allocation {
	as.mu.RLock()
	defer as.mu.RUnlock()
	return as.lookup(p)
}

// hold is the memory that byte p is in, with one more reference; nil if it is in none.
func (as *allocations) hold(p Addr) *roc.Memory {
	as.mu.RLock()
	defer as.mu.RUnlock()
	if a := as.lookup(p); a != nil { // what is in the list has a reference
		a.store.Retain()
		return a.store
	}
	return nil
}

// remove forgets the allocation that starts at base, if it is of one of kinds; nil if there is none.
func (as *allocations) remove(base Addr, kinds ...allocationKind) *allocation {
	as.mu.Lock()
	defer as.mu.Unlock()
	a := as.lookup(base)
	if a == nil || a.base != base || !slices.Contains(kinds, a.kind) {
		return nil
	}
	i := as.at(base)
	as.list = slices.Delete(as.list, i, i+1)
	return a
}

// allocate makes an allocation of size bytes.
func (ctx *Context) allocate(a allocation, size uint64) (Addr, error) {
	var err error
	if a.store, err = ctx.alloc(size, true); err != nil {
		return 0, err
	}
	a.base, a.size = Addr(uintptr(a.store.Ptr)), size
	ctx.Use()
	ctx.memory.add(&a)
	return a.base, nil
}

// free undoes allocate; false if no allocation of one of kinds starts at base.
func (ctx *Context) free(base Addr, kinds ...allocationKind) bool {
	a := ctx.memory.remove(base, kinds...)
	if a == nil {
		return false
	}
	a.store.Release()
	ctx.Unuse()
	return true
}

// wrap makes memory of the application's a store: part of an allocation, or what only the application knows of.
func (ctx *Context) wrap(host unsafe.Pointer, size uint64) (*roc.Memory, error) {
	p := Addr(uintptr(host))
	if whole := ctx.memory.hold(p); whole != nil {
		defer whole.Release()
		if off := uint64(uintptr(host) - uintptr(whole.Ptr)); span(off, size, whole.Size) {
			return whole.Sub(off, size), nil
		}
	}
	return ctx.wrapHost(host, size)
}

// alignable reports whether memory may be asked to have an alignment: "a power of two up to the largest data type supported", or
// 0 for that.
func alignable(alignment uint32) bool { return alignment&(alignment-1) == 0 && alignment <= MaxPattern }
