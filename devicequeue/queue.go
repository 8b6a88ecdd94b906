package devicequeue

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Limits of a queue's size in bytes (CL_QUEUE_SIZE).
const (
	MaxSize       = 128 << 20
	PreferredSize = 4 << 20
	minSlots      = 16
)

// Queue is an on-device queue. Its memory does not grow.
type Queue struct {
	head   *head
	memory Memory
	size   uint64 // of what is mapped

	// ready is a ring of the slots that may run, by index plus one, with a cell for each slot there is. Whoever removes one may
	// be slow to empty its cell, and whoever comes round to that cell waits for it.
	ready []uint32
}

// Memory maps memory outside Go's heap, zeroed, which costs nothing until it is touched.
type Memory struct {
	Map   func(size uint64) (unsafe.Pointer, error)
	Unmap func(p unsafe.Pointer, size uint64)
}

// New returns a queue of so many bytes, whose events come from e.
func New(size uint32, e *Events, m Memory) (*Queue, error) {
	if size > MaxSize {
		return nil, fmt.Errorf("an on-device queue of %d bytes: at most %d", size, MaxSize)
	}
	slots := max(size/SlotSize, minSlots)
	const headSize = 4096
	cells := max(uint64(1)<<bits.Len32(slots-1), headSize/4)
	total := headSize + 4*cells + uint64(slots)*SlotSize
	var counts [len(largeBlocks)]uint32
	for i, block := range largeBlocks {
		counts[i] = max(uint32(uint64(slots)*SlotSize/4/uint64(block)), 2)
		total += uint64(counts[i]) * uint64(block)
	}
	p, err := m.Map(total)
	if err != nil {
		return nil, fmt.Errorf("an on-device queue: %w", err)
	}
	q := &Queue{head: (*head)(p), memory: m, size: total, ready: unsafe.Slice((*uint32)(unsafe.Add(p, headSize)), cells)}
	h, at := q.head, uint64(uintptr(p))+headSize+4*cells
	h.slots = pool{base: at, count: slots, size: SlotSize}
	at += uint64(slots) * SlotSize
	for i, block := range largeBlocks {
		h.large[i] = pool{base: at, count: counts[i], size: block}
		at += uint64(counts[i]) * uint64(block)
	}
	h.events = e.Address()
	h.ready, h.mask = uint64(uintptr(p))+headSize, cells-1
	h.self = uint64(uintptr(unsafe.Pointer(q)))
	return q, nil
}

// Address is the value of a queue_t.
func (q *Queue) Address() uint64 { return uint64(uintptr(unsafe.Pointer(q.head))) }

// Destroy frees the queue, of which nothing is in flight.
func (q *Queue) Destroy() { q.memory.Unmap(unsafe.Pointer(q.head), q.size) }

// Ready is about how many slots may run now.
func (q *Queue) Ready() int {
	return max(int(atomic.LoadUint64(&q.head.put)-atomic.LoadUint64(&q.head.got)), 0)
}

// add makes slots of the queue run.
func (q *Queue) add(slots []*Slot) {
	mask := uint64(len(q.ready) - 1)
	at := atomic.AddUint64(&q.head.put, uint64(len(slots))) - uint64(len(slots))
	base := q.head.slots.base
	for i, s := range slots {
		cell, index := &q.ready[(at+uint64(i))&mask], uint32((s.address()-base)/SlotSize)+1
		for !atomic.CompareAndSwapUint32(cell, 0, index) {
			runtime.Gosched()
		}
	}
}

// Return gives slots back that Take removed.
func (q *Queue) Return(slots []*Slot) {
	if len(slots) > 0 {
		q.add(slots)
	}
}

// Take removes slots that may run, at most as many as to has elements, and returns them in it.
func (q *Queue) Take(to []*Slot) []*Slot {
	var at, n uint64
	for {
		at = atomic.LoadUint64(&q.head.got)
		if n = min(atomic.LoadUint64(&q.head.put)-at, uint64(len(to))); n == 0 || int64(n) < 0 {
			return to[:0]
		}
		if atomic.CompareAndSwapUint64(&q.head.got, at, at+n) {
			break
		}
	}
	to = to[:0]
	mask := uint64(len(q.ready) - 1)
	for i := range n {
		cell := &q.ready[(at+i)&mask]
		index := atomic.SwapUint32(cell, 0)
		for index == 0 { // whoever adds it has taken the cell and is about to write
			runtime.Gosched()
			index = atomic.SwapUint32(cell, 0)
		}
		to = append(to, slotAt(q.head.slots.base+uint64(index-1)*SlotSize))
	}
	return to
}

// free gives the memory of slots of one queue back.
func free(slots []*Slot) {
	h := (*head)(pointer(slots[0].queue))
	for i, s := range slots {
		if s.class != 0 {
			h.large[s.class-1].give(s.Packet.KernargAddress, s.Packet.KernargAddress)
		}
		if i > 0 {
			h.slots.link(slots[i-1].address(), s.address())
		}
	}
	h.slots.give(slots[0].address(), slots[len(slots)-1].address())
}
