package device

import (
	"sort"
	"sync/atomic"
	"syscall"
)

// Flags of memory, as the HSA kernel interface numbers them (HsaMemFlags).
const (
	FlagHostAccess = 1 << 6
	FlagScratch    = 1 << 9
	FlagExecute    = 1 << 12
)

// Kinds of ranges, as HSA_POINTER_TYPE numbers them.
const (
	Allocated  = 1
	Registered = 2
)

// Range is memory the GPU may be given access to.
//
// Its GPU address is the address the application knows. Memory of the GPU that the host cannot see is reserved at that address without
// access, and lies somewhere else: a host that touches it faults, as it would on a card without a large BAR.
type Range struct {
	Address, Size uint64
	Flags         uint32
	Node          uint32
	Kind          int
	Mapped        bool // to the GPU
	User          uintptr

	alias uintptr // where the bytes are
}

// hidden is whether the host has no access.
func (r *Range) hidden() bool { return r.alias != uintptr(r.Address) }

// memory is all ranges. Readers take a snapshot; changes are made under GPU.mu.
type memory struct {
	ranges atomic.Pointer[[]Range] // by address
	used   uint64                  // of the GPU's own memory
}

func (m *memory) all() []Range {
	if p := m.ranges.Load(); p != nil {
		return *p
	}
	return nil
}

// find is the range that holds an address, the innermost one as registered ranges may lie in each other; -1 if there is none.
func find(ranges []Range, address uint64) int {
	first := sort.Search(len(ranges), func(i int) bool { return ranges[i].Address > address }) - 1
	for i := first; i >= 0 && first-i < 64; i-- {
		if address-ranges[i].Address < ranges[i].Size {
			return i
		}
	}
	return -1
}

func (m *memory) insert(r Range) {
	old := m.all()
	at := sort.Search(len(old), func(i int) bool { return old[i].Address > r.Address })
	ranges := append(append(append(make([]Range, 0, len(old)+1), old[:at]...), r), old[at:]...)
	m.ranges.Store(&ranges)
}

func (m *memory) remove(i int) Range {
	old := m.all()
	r := old[i]
	ranges := append(append(make([]Range, 0, len(old)), old[:i]...), old[i+1:]...)
	m.ranges.Store(&ranges)
	return r
}

// change replaces range i.
func (m *memory) change(i int, fn func(r *Range)) {
	ranges := append([]Range(nil), m.all()...)
	fn(&ranges[i])
	m.ranges.Store(&ranges)
}

const (
	page     = 4096
	hugePage = 2 << 20
)

// reserve takes address space without access.
func reserve(size, align uint64) (uint64, syscall.Errno) {
	p, errno := mmap(0, size+align, syscall.PROT_NONE)
	if errno != 0 {
		return 0, errno
	}
	start := (p + align - 1) &^ (align - 1)
	if start > p {
		munmap(p, start-p)
	}
	munmap(start+size, p+align-start)
	return start, 0
}

func mmap(address, size uint64, protection int) (uint64, syscall.Errno) {
	flags := syscall.MAP_PRIVATE | syscall.MAP_ANONYMOUS | syscall.MAP_NORESERVE
	p, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(address), uintptr(size), uintptr(protection), uintptr(flags), ^uintptr(0), 0)
	return uint64(p), errno
}

func munmap(address, size uint64) {
	if size > 0 {
		syscall.Syscall(syscall.SYS_MUNMAP, uintptr(address), uintptr(size), 0)
	}
}

// Allocate makes memory on node. On the GPU's node it counts against what the GPU has, unless it is scratch, which is only address
// space.
func (g *GPU) Allocate(node uint32, size uint64, flags uint32) (uint64, Status) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := node == GPUNode && flags&FlagScratch == 0
	switch {
	case size == 0 || size%page != 0 || node > GPUNode:
		return 0, InvalidParameter
	case own && g.memory.used+size > VRAM:
		return 0, NoMemory
	}
	align := uint64(page)
	if size >= hugePage {
		align = hugePage
	}
	address, errno := reserve(size, align)
	if errno != 0 {
		return 0, NoMemory
	}
	alias := address
	if flags&FlagScratch != 0 || own && flags&FlagHostAccess == 0 {
		if alias, errno = mmap(0, size, syscall.PROT_READ|syscall.PROT_WRITE); errno != 0 {
			munmap(address, size)
			return 0, NoMemory
		}
	} else {
		protection := syscall.PROT_READ | syscall.PROT_WRITE
		if flags&FlagExecute != 0 {
			protection |= syscall.PROT_EXEC
		}
		syscall.Syscall(syscall.SYS_MPROTECT, uintptr(address), uintptr(size), uintptr(protection))
	}
	if own {
		g.memory.used += size
	}
	// Scratch is the GPU's from the start.
	g.memory.insert(Range{Address: address, Size: size, Flags: flags, Node: node, Kind: Allocated, Mapped: flags&FlagScratch != 0,
		alias: uintptr(alias)})
	return address, Success
}

// at is the index of the range of a kind that begins at an address, -1 if there is none.
func (m *memory) at(address uint64, kind int) int {
	for i, r := range m.all() {
		if r.Address == address && r.Kind == kind {
			return i
		}
	}
	return -1
}

// Free gives memory back.
func (g *GPU) Free(address uint64) Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.memory.at(address, Allocated)
	if i < 0 {
		return InvalidParameter
	}
	r := g.memory.remove(i)
	if r.Node == GPUNode && r.Flags&FlagScratch == 0 {
		g.memory.used -= r.Size
	}
	if r.hidden() {
		munmap(uint64(r.alias), r.Size)
	}
	munmap(r.Address, r.Size)
	g.ordering.forget(r.Address, r.Size)
	g.program.Forget() // other code may come to lie there
	return Success
}

// Register makes memory of the application known.
func (g *GPU) Register(address, size uint64, flags uint32) Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	if address == 0 || size == 0 {
		return InvalidParameter
	}
	g.memory.insert(Range{Address: address, Size: size, Flags: flags, Kind: Registered, alias: uintptr(address)})
	return Success
}

// Deregister takes it away again.
func (g *GPU) Deregister(address uint64) Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.memory.at(address, Registered)
	if i < 0 {
		return InvalidParameter
	}
	r := g.memory.remove(i)
	g.ordering.forget(r.Address, r.Size)
	return Success
}

// Map gives the GPU access to the range that holds an address, or takes it away.
func (g *GPU) Map(address uint64, access bool) Status {
	return g.change(address, func(r *Range) { r.Mapped = access })
}

// SetUser attaches a value of the caller's to the range that holds an address.
func (g *GPU) SetUser(address uint64, user uintptr) Status {
	return g.change(address, func(r *Range) { r.User = user })
}

// change alters the range that holds an address.
func (g *GPU) change(address uint64, alter func(*Range)) Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := find(g.memory.all(), address)
	if i < 0 {
		return InvalidParameter
	}
	g.memory.change(i, alter)
	return Success
}

// Lookup is the range that holds an address.
func (g *GPU) Lookup(address uint64) (Range, bool) {
	ranges := g.memory.all()
	i := find(ranges, address)
	if i < 0 {
		return Range{}, false
	}
	return ranges[i], true
}

// HostAddress is where the host may access a range, zero if it may not.
func (r *Range) HostAddress() uint64 {
	if r.hidden() {
		return 0
	}
	return r.Address
}

// window is the range that was accessed last, which the next access is to mostly.
type window struct {
	ranges *[]Range // the snapshot it is of
	last   Range
}

// bytes is the memory of the GPU at an address, nil if not all of it is mapped, and whether it is private memory.
func (w *window) bytes(m *memory, address, n uint64) (b []byte, scratch bool) {
	ranges := m.ranges.Load()
	if ranges != w.ranges || address-w.last.Address >= w.last.Size {
		w.ranges, w.last = ranges, Range{}
		if i := find(m.all(), address); i >= 0 {
			w.last = m.all()[i]
		}
	}
	if r := &w.last; r.Mapped && address+n <= r.Address+r.Size {
		return hostBytes(uint64(r.alias)+address-r.Address, n), r.Flags&FlagScratch != 0
	}
	return nil, false
}

// bytes is the memory of the GPU at an address, nil if not all of it is mapped.
func (m *memory) bytes(address, n uint64) []byte {
	ranges := m.all()
	i := find(ranges, address)
	for k := i; k >= 0 && i-k < 64; k-- { // the innermost one, which may be going, need not be the one the GPU was given
		if r := &ranges[k]; r.Mapped && address-r.Address < r.Size && n <= r.Size-(address-r.Address) {
			return hostBytes(uint64(r.alias)+address-r.Address, n)
		}
	}
	return nil
}
