package rocr

import (
	"fmt"
	"unsafe"
)

// Attributes and flags of memory pools (hsa_amd_memory_pool_info_t, hsa_amd_memory_pool_global_flag_t).
const (
	poolSegment = 0
	poolFlags   = 1
	poolSize    = 2
	poolAllowed = 5
	poolMost    = 16

	segmentGlobal = 0
	poolKernarg   = 1
	poolCoarse    = 4
)

// pool is a kind of memory of an agent.
type pool struct {
	handle
	flags      uint32
	size, most uint64 // bytes in all, and in one allocation
}

// pools are those of an agent that memory can be allocated from.
func pools(agent handle) (found []pool) {
	each(api.IteratePools, &agent, func(h handle) {
		p := pool{handle: h}
		var segment uint32
		var allowed bool
		if poolInfo(h, poolSegment, &segment) != nil || segment != segmentGlobal || poolInfo(h, poolAllowed, &allowed) != nil || !allowed {
			return
		}
		if poolInfo(h, poolFlags, &p.flags) == nil && poolInfo(h, poolSize, &p.size) == nil && poolInfo(h, poolMost, &p.most) == nil {
			found = append(found, p)
		}
	})
	return found
}

// poolInfo puts an attribute of a pool in to.
func poolInfo[T any](pool handle, attribute uintptr, to *T) error {
	return api.PoolInfo.do(uintptr(pool), attribute, uintptr(unsafe.Pointer(to)))
}

// Alloc implements hsa.Agent: memory of the GPU's own, which the host does not reach.
func (a *Agent) Alloc(size uint64) (unsafe.Pointer, error) {
	return allocate(a.memory.handle, size, nil)
}

// AllocHost implements hsa.Agent.
func (a *Agent) AllocHost(size uint64) (unsafe.Pointer, error) {
	return allocate(a.machine.pool, size, a.machine.all)
}

// allocate takes memory from a pool, for others to access, too.
func allocate(pool handle, size uint64, others []handle) (p unsafe.Pointer, err error) {
	if err := api.PoolAllocate.do(uintptr(pool), uintptr(size), 0, uintptr(unsafe.Pointer(&p))); err != nil {
		return nil, fmt.Errorf("rocr: allocate %d bytes: %w", size, err)
	}
	if len(others) > 0 {
		if err := api.AllowAccess.do(uintptr(len(others)), uintptr(unsafe.Pointer(&others[0])), 0, uintptr(p)); err != nil {
			api.PoolFree.call(uintptr(p))
			return nil, fmt.Errorf("rocr: share %d bytes: %w", size, err)
		}
	}
	return p, nil
}

// Free implements hsa.Agent.
func (a *Agent) Free(p unsafe.Pointer) { api.PoolFree.call(uintptr(p)) }

// Write implements hsa.Agent.
func (a *Agent) Write(dst, src unsafe.Pointer, size uint64) error {
	if err := api.Copy.do(uintptr(dst), uintptr(src), uintptr(size)); err != nil {
		return fmt.Errorf("rocr: copy %d bytes: %w", size, err)
	}
	return nil
}
