package rocr

import (
	"fmt"
	"sync"
	"unsafe"
)

// pointerInfo is hsa_amd_pointer_info_t.
type pointerInfo struct {
	size        uint32
	kind        uint32
	agentBase   uint64
	hostBase    uint64
	bytes       uint64
	userData    uint64
	owner       handle
	globalFlags uint32
	_           uint32
}

const pointerHSA = 1 // HSA_EXT_POINTER_TYPE_HSA: memory of the runtime's

// pins is memory of the application's that is locked. The runtime knows it by where it starts alone: unlocking that undoes one lock or
// another, however long. So what starts at one address is unlocked together, when nobody uses any of it.
type pins struct {
	mu   sync.Mutex
	list map[unsafe.Pointer]*pin // guarded by mu; by start
}

type pin struct {
	locks []locked // the longest last
	users int
}

// locked is one lock: where GPUs have the memory, and how long it is.
type locked struct {
	address unsafe.Pointer
	size    uint64
}

// Pin implements hsa.Agent.
func (a *Agent) Pin(host unsafe.Pointer, size uint64) (unsafe.Pointer, func(), error) {
	info := pointerInfo{size: uint32(unsafe.Sizeof(pointerInfo{}))}
	if api.PointerInfo.do(uintptr(host), uintptr(unsafe.Pointer(&info)), 0, 0, 0) == nil && info.kind == pointerHSA {
		return host, nil, nil
	}
	return a.machine.pins.take(host, size, a.machine.all)
}

// take locks a range for all agents, unless it is locked.
func (p *pins) take(start unsafe.Pointer, size uint64, all []handle) (unsafe.Pointer, func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.list == nil {
		p.list = map[unsafe.Pointer]*pin{}
	}
	for first, x := range p.list { // part of what is locked, as of a buffer with CL_MEM_USE_HOST_PTR
		whole := x.locks[len(x.locks)-1]
		if off := uint64(uintptr(start)) - uint64(uintptr(first)); first != start && off < whole.size && size <= whole.size-off {
			x.users++
			return unsafe.Add(whole.address, off), func() { p.give(first) }, nil
		}
	}
	x := p.list[start]
	if x == nil {
		x = new(pin)
	}
	if n := len(x.locks); n == 0 || x.locks[n-1].size < size {
		l := locked{size: size}
		err := api.Lock.do(uintptr(start), uintptr(size), uintptr(unsafe.Pointer(&all[0])), uintptr(len(all)), uintptr(unsafe.Pointer(&l.address)))
		if err != nil {
			return nil, nil, fmt.Errorf("rocr: lock %d bytes of the host's memory: %w", size, err)
		}
		x.locks = append(x.locks, l)
	}
	x.users++
	p.list[start] = x
	return x.locks[len(x.locks)-1].address, func() { p.give(start) }, nil
}

// give ends a use.
func (p *pins) give(start unsafe.Pointer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.list[start]
	if x.users--; x.users > 0 {
		return
	}
	for range x.locks {
		api.Unlock.call(uintptr(start))
	}
	delete(p.list, start)
}
