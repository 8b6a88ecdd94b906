package hsa

import (
	"sync/atomic"
	"unsafe"
)

// Signal is an HSA signal handle: the address of a SignalBlock, 0 for the null signal. Blocks live outside Go's heap.
type Signal uint64

// SignalBlock is amd_signal_t of AMD's runtime (amd_hsa_signal.h), which both providers use, so that values and times are
// read in place.
type SignalBlock struct {
	Kind         int64
	Value        int64
	EventMailbox uint64
	EventID      uint32
	_            uint32
	StartTS      uint64 // ticks of the agent's clock
	EndTS        uint64
	QueuePtr     uint64
	_            [2]uint32
}

var _ [64]byte = [unsafe.Sizeof(SignalBlock{})]byte{}

// Block returns the memory behind s, which must not be null.
func (s Signal) Block() *SignalBlock { return *(**SignalBlock)(unsafe.Pointer(&s)) }

// Load reads the value of s with acquire order.
func (s Signal) Load() int64 { return atomic.LoadInt64(&s.Block().Value) }

// Reset sets the value of a signal no packet in flight names, and forgets when one started.
func (s Signal) Reset(v int64) {
	b := s.Block()
	atomic.StoreUint64(&b.StartTS, 0)
	atomic.StoreInt64(&b.Value, v)
}
