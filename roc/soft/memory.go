package soft

import (
	"fmt"
	"math/bits"
	"sync"
	"syscall"
	"unsafe"
)

const (
	pageSize     = 4096
	guard        = 64 << 10 // bytes on either side of a mapping that nobody may access
	hugePage     = 2 << 20
	touched      = 256 << 10 // up to here a buffer's pages are made with it
	smallest     = 256       // bytes, and the least alignment
	largestSmall = 32 << 10  // bytes; above, allocations are mapped one by one
	smallSlab    = 1 << 20   // mapped at a time for small ones
	keepLimit    = 256 << 20 // bytes of freed mappings kept for allocations of the same size
	keepBlocks   = 64
)

// memory is the agent's global memory: host memory outside Go's heap. Small blocks come from slabs by size class and go back
// to them; large ones are mappings, of which those freed last are kept, as fresh pages cost more than most copies.
type memory struct {
	limit uint64 // bytes that may be in use

	mu    sync.Mutex // guards what follows
	inUse uint64
	sizes map[unsafe.Pointer]uint64
	small [16][]unsafe.Pointer // free, by binary logarithm of size/smallest
	kept  []mapping            // freed, oldest first
	keeps uint64               // bytes in kept
}

type mapping struct {
	ptr  unsafe.Pointer
	size uint64
}

func (m *memory) alloc(size uint64) (unsafe.Pointer, error) {
	size = max(size, 1)
	if size > m.limit {
		return nil, fmt.Errorf("soft: %d bytes of memory: there are %d", size, m.limit)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sizes == nil {
		m.sizes = make(map[unsafe.Pointer]uint64)
	}
	var p unsafe.Pointer
	var err error
	if size <= largestSmall {
		class := bits.Len64((size - 1) / smallest)
		size = smallest << class
		p, err = m.allocSmall(class, size)
	} else {
		unit := uint64(pageSize)
		if size >= hugePage {
			unit = hugePage
		}
		size = (size + unit - 1) / unit * unit
		p, err = m.allocLarge(size)
	}
	if err != nil {
		return nil, err
	}
	m.sizes[p] = size
	m.inUse += size
	return p, nil
}

func (m *memory) allocSmall(class int, size uint64) (unsafe.Pointer, error) {
	free := m.small[class]
	if len(free) == 0 {
		slab, err := mapTouched(smallSlab)
		if err != nil {
			return nil, err
		}
		for at := uint64(0); at < smallSlab; at += size {
			free = append(free, unsafe.Add(slab, smallSlab-size-at))
		}
	}
	p := free[len(free)-1]
	m.small[class] = free[:len(free)-1]
	return p, nil
}

func (m *memory) allocLarge(size uint64) (unsafe.Pointer, error) {
	for i := len(m.kept) - 1; i >= 0; i-- {
		if b := m.kept[i]; b.size == size {
			m.kept = append(m.kept[:i], m.kept[i+1:]...)
			m.keeps -= size
			return b.ptr, nil
		}
	}
	if size+m.inUse > m.limit {
		return nil, fmt.Errorf("soft: %d bytes of memory: %d of %d are in use", size, m.inUse, m.limit)
	}
	return mapHuge(size)
}

func (m *memory) free(p unsafe.Pointer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	size := m.sizes[p]
	delete(m.sizes, p)
	m.inUse -= size
	if size <= largestSmall {
		class := bits.Len64((size - 1) / smallest)
		m.small[class] = append(m.small[class], p)
		return
	}
	m.kept = append(m.kept, mapping{p, size})
	m.keeps += size
	for len(m.kept) > keepBlocks || m.keeps > keepLimit {
		old := m.kept[0]
		m.kept = append(m.kept[:0], m.kept[1:]...)
		m.keeps -= old.size
		unmapMemory(old.ptr, old.size)
	}
}

// mapMemory maps size bytes of zeroed memory outside Go's heap, between guards: a kernel that runs over its end traps instead
// of writing into what lies beside it.
func mapMemory(size uint64) (unsafe.Pointer, error) { return mapAligned(size, pageSize) }

// mapTouched is mapMemory whose pages are there: for small memory that is used at once, such as rings and signals. One call
// for all of them takes a tenth of what a page fault for each does in a virtual machine.
func mapTouched(size uint64) (unsafe.Pointer, error) {
	const populateWrite = 23 // MADV_POPULATE_WRITE, of Linux 5.14
	p, err := mapMemory(size)
	if err == nil {
		syscall.Madvise(unsafe.Slice((*byte)(p), size), populateWrite) // a hint: where it is not known, pages come when touched
	}
	return p, err
}

// mapHuge is mapMemory with few page faults: a little comes with its pages, much in huge pages, if the system has them.
func mapHuge(size uint64) (unsafe.Pointer, error) {
	switch {
	case size <= touched:
		return mapTouched(size)
	case size < hugePage:
		return mapMemory(size)
	}
	p, err := mapAligned(size, hugePage)
	if err == nil {
		syscall.Madvise(unsafe.Slice((*byte)(p), size), syscall.MADV_HUGEPAGE) // a hint, which kernels may not know
	}
	return p, err
}

// mapAligned is mapMemory with an alignment above a page.
func mapAligned(size, align uint64) (unsafe.Pointer, error) {
	size = wholePages(size)
	total := size + align + 2*guard
	p, err := mapRange(total)
	if err != nil {
		return nil, err
	}
	before := -uint64(uintptr(p)+guard) & (align - 1)
	if before > 0 {
		unmapRange(p, before)
	}
	p = unsafe.Add(p, before+guard)
	if after := align - before; after > 0 {
		unmapRange(unsafe.Add(p, size+guard), after)
	}
	if err := protect(uintptr(p), uintptr(size), syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		unmapMemory(p, size)
		return nil, fmt.Errorf("soft: map %d bytes: %w", size, err)
	}
	return p, nil
}

func wholePages(size uint64) uint64 { return (size + pageSize - 1) / pageSize * pageSize }

// mapRange reserves addresses that nobody may access.
func mapRange(size uint64) (unsafe.Pointer, error) {
	const flags = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
	p, _, errno := syscall.Syscall6(syscall.SYS_MMAP, 0, uintptr(size), syscall.PROT_NONE, flags, ^uintptr(0), 0)
	if errno != 0 {
		return nil, fmt.Errorf("soft: map %d bytes: %w", size, errno)
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(&p)), nil
}

func protect(base, size uintptr, prot int) error {
	p := *(*unsafe.Pointer)(unsafe.Pointer(&base))
	return syscall.Mprotect(unsafe.Slice((*byte)(p), size), prot)
}

// unmapMemory takes back what mapMemory and mapAligned gave.
func unmapMemory(p unsafe.Pointer, size uint64) {
	unmapRange(unsafe.Add(p, -guard), wholePages(size)+2*guard)
}

func unmapRange(p unsafe.Pointer, size uint64) {
	syscall.Syscall(syscall.SYS_MUNMAP, uintptr(p), uintptr(size), 0)
}
