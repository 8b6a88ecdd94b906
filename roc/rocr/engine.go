package rocr

import (
	"os"
	"sync"
	"time"
	"unsafe"

	"aqueduct/roc/hsa"
)

// engine copies between the memory of a GPU and the host's, in the one direction or the other: by SDMA.
type engine struct {
	agent    *Agent
	dst, src handle // agents
}

// Engine implements hsa.Agent. Within a GPU's own memory and within the host's, kernels are the faster way, and the runtime's own. That
// HSA_ENABLE_SDMA=0 rules engines out is the runtime's setting: it would copy by kernels of its own.
func (a *Agent) Engine(dst, src unsafe.Pointer) hsa.Engine {
	if os.Getenv("HSA_ENABLE_SDMA") == "0" || a.machine.copies.broken() {
		return nil
	}
	to, from := a.holds(dst), a.holds(src)
	switch {
	case to && !from:
		return &engine{a, a.handle, a.machine.host}
	case from && !to:
		return &engine{a, a.machine.host, a.handle}
	}
	return nil
}

// holds is whether p is in the GPU's own memory.
func (a *Agent) holds(p unsafe.Pointer) bool {
	info := pointerInfo{size: uint32(unsafe.Sizeof(pointerInfo{}))}
	err := api.PointerInfo.do(uintptr(p), uintptr(unsafe.Pointer(&info)), 0, 0, 0)
	return err == nil && info.kind == pointerHSA && info.owner == a.handle
}

// Copy implements hsa.Engine.
func (e *engine) Copy(dst, src unsafe.Pointer, size uint64, s hsa.Signal, failed func(error)) error {
	c := &e.agent.machine.copies
	c.add(s, flight{uint64(uintptr(dst)), uint64(uintptr(src)), size, time.Now(), failed})
	err := api.AsyncCopy.do(uintptr(dst), uintptr(e.dst), uintptr(src), uintptr(e.src), uintptr(size), 0, 0, uintptr(s))
	if err != nil {
		c.remove(s)
	}
	return err
}

// Ended implements hsa.Engine.
func (e *engine) Ended(s hsa.Signal) (start, end uint64) {
	m := e.agent.machine
	m.copies.remove(s)
	var times struct{ start, end uint64 } // hsa_amd_profiling_async_copy_time_t
	if api.CopyTime.do(uintptr(s), uintptr(unsafe.Pointer(&times))) != nil || times.start == 0 {
		return 0, 0
	}
	offset, now := m.clock.offset(), uint64(nanotime())
	start = min(uint64(max(m.clock.nanos(times.start)+offset, 0)), now)
	return start, min(max(uint64(max(m.clock.nanos(times.end)+offset, 0)), start), now)
}

// copies are those that engines have. An engine that met a fault does nothing more, and nobody can mend it: then there are none.
type copies struct {
	mu   sync.Mutex // guards list and over
	list map[hsa.Signal]flight
	over bool // a copy has not ended and never will
}

// flight is a copy under way.
type flight struct {
	dst, src, size uint64
	since          time.Time
	failed         func(error)
}

func (c *copies) broken() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

func (c *copies) add(s hsa.Signal, f flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil {
		c.list = map[hsa.Signal]flight{}
	}
	c.list[s] = f
}

func (c *copies) remove(s hsa.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.list, s)
}

// near is whether a copy that has not ended accesses an address. The fault of a GPU has that of the page.
func (c *copies) near(address uint64) bool {
	const page = 4096
	c.mu.Lock()
	defer c.mu.Unlock()
	for s, f := range c.list {
		within := func(start uint64) bool { return address >= start&^(page-1) && address < start+f.size }
		if s.Load() > 0 && (within(f.dst) || within(f.src)) {
			return true
		}
	}
	return false
}

// overdue fails all copies if one takes too long.
func (c *copies) overdue(limit time.Duration, err error) {
	late := false
	c.mu.Lock()
	for s, f := range c.list {
		late = late || s.Load() > 0 && time.Since(f.since) > limit
	}
	c.mu.Unlock()
	if late {
		c.fail(err)
	}
}

// fail ends all copies that have not ended.
func (c *copies) fail(err error) {
	c.mu.Lock()
	c.over = true
	var lost []flight
	for s, f := range c.list {
		if s.Load() > 0 {
			lost = append(lost, f)
			delete(c.list, s)
		}
	}
	c.mu.Unlock()
	for _, f := range lost {
		f.failed(err)
	}
}
