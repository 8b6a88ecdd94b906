package rocr

import (
	"sync"
	"unsafe"
	_ "unsafe" // go:linkname

	"aqueduct/roc/hsa"
)

// nanotime reads CLOCK_MONOTONIC, in nanoseconds.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Attributes of the system (hsa_system_info_t).
const (
	systemTimestamp = 2
	systemFrequency = 3
)

// clock converts the runtime's timestamps to CLOCK_MONOTONIC. Both go on at the same rate, but one of them may stop while the
// machine sleeps, so the distance between them is measured anew every so often.
type clock struct {
	frequency uint64 // of the runtime's timestamps, Hz

	mu       sync.Mutex // guards what follows
	distance int64      // nanoseconds from the runtime's clock to ours
	measured int64      // nanotime of that
}

// remeasure is how long a distance counts, nanoseconds.
const remeasure = 1e9

func (c *clock) start() {
	if api.SystemInfo.do(systemFrequency, uintptr(unsafe.Pointer(&c.frequency))) != nil || c.frequency == 0 {
		c.frequency = 1e9
	}
}

// nanos is a timestamp of the runtime in nanoseconds of its own clock.
func (c *clock) nanos(stamp uint64) int64 {
	return int64(stamp/c.frequency*1e9 + stamp%c.frequency*1e9/c.frequency)
}

// offset is the distance now.
func (c *clock) offset() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := nanotime(); c.measured == 0 || now-c.measured > remeasure {
		best := int64(1 << 62)
		for range 4 { // the one with the least in between is the most exact
			before := nanotime()
			var stamp uint64
			if api.SystemInfo.do(systemTimestamp, uintptr(unsafe.Pointer(&stamp))) != nil {
				break
			}
			if after := nanotime(); after-before < best {
				best, c.distance = after-before, before+(after-before)/2-c.nanos(stamp)
			}
		}
		c.measured = now
	}
	return c.distance
}

// Times implements hsa.Agent. The GPU notes times of dispatches, not of barriers.
func (a *Agent) Times(s hsa.Signal) (start, end uint64) {
	b := s.Block()
	if b.StartTS == 0 {
		return 0, 0
	}
	offset := a.machine.clock.offset()
	convert := func(tick uint64) uint64 {
		var stamp uint64
		if api.TickToSystem.do(uintptr(a.handle), uintptr(tick), uintptr(unsafe.Pointer(&stamp))) != nil {
			return 0
		}
		return uint64(max(a.machine.clock.nanos(stamp)+offset, 0))
	}
	now := uint64(nanotime())
	start = min(convert(b.StartTS), now)
	if b.EndTS != 0 && s.Load() <= 0 {
		end = min(max(convert(b.EndTS), start), now)
	}
	return start, end
}
