package rocr

import (
	"crypto/sha256"
	"fmt"
	"unsafe"

	"aqueduct/roc/hsa"
)

// Attributes of agents (hsa_agent_info_t, hsa_amd_agent_info_t).
const (
	agentName      = 0
	agentWaveSize  = 6
	agentDevice    = 17
	agentCacheLine = 0xA001
	agentUnits     = 0xA002
	agentClock     = 0xA003
	agentBDF       = 0xA006
	agentUUID      = 0xA011
	cacheSize      = 3
)

const (
	vendor      = "Advanced Micro Devices, Inc."
	vendorID    = 0x1002
	localMemory = 64 << 10
	// maxGroup is what kernels are compiled for, unless they say with reqd_work_group_size what they run with: with more, each
	// work-item would have fewer registers. AMD's own drivers report the same.
	maxGroup = 256
)

// describe says what an agent is; memory is the size of its own, which an allocation gets three quarters of at most, as there are others.
func describe(agent handle, memory, most uint64) (hsa.Info, error) {
	info := hsa.Info{
		Name: text(agent, agentName), Vendor: vendor, VendorID: vendorID,
		GlobalMemory: memory, MaxAlloc: min(most, memory/4*3), LocalMemory: localMemory, MaxWorkGroup: maxGroup,
	}
	info.ISA = info.Name
	for _, each := range []struct {
		attribute uintptr
		to        *uint32
	}{{agentWaveSize, &info.WaveSize}, {agentUnits, &info.ComputeUnits}, {agentClock, &info.ClockMHz}, {agentCacheLine, &info.CacheLine}} {
		if err := agentInfo(agent, each.attribute, each.to); err != nil {
			return info, fmt.Errorf("rocr: %s: attribute %#x: %w", info.Name, each.attribute, err)
		}
	}
	each(api.IterateCaches, &agent, func(cache handle) {
		var size uint32
		if api.CacheInfo.do(uintptr(cache), cacheSize, uintptr(unsafe.Pointer(&size))) == nil {
			info.CacheSize = max(info.CacheSize, uint64(size))
		}
	})
	var bdf uint32
	agentInfo(agent, agentBDF, &bdf)
	sum := sha256.Sum256(fmt.Appendf(nil, "aqueduct %s %s %x", info.Name, text(agent, agentUUID), bdf))
	copy(info.UUID[:], sum[:])
	return info, nil
}
