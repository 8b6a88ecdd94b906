package devicequeue

import (
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

var testMemory = Memory{
	Map: func(size uint64) (unsafe.Pointer, error) {
		b, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		if err != nil {
			return nil, err
		}
		return unsafe.Pointer(&b[0]), nil
	},
	Unmap: func(p unsafe.Pointer, size uint64) { syscall.Munmap(unsafe.Slice((*byte)(p), size)) },
}

func newTestQueue(t *testing.T, slots uint32) (*Queue, *Events) {
	e, err := NewEvents(testMemory)
	require.NoError(t, err)
	q, err := New(slots*SlotSize, e, testMemory)
	require.NoError(t, err)
	t.Cleanup(q.Destroy)
	return q, e
}

// claim takes a slot as the builtin library does, for a command of f that waits for nothing.
func (q *Queue) claim(f *Family) *Slot {
	n := atomic.AddUint32(&q.head.slots.fresh, 1) - 1
	s := slotAt(q.head.slots.base + uint64(n)*SlotSize)
	s.queue, s.Packet.KernelObject = q.Address(), 1
	if f != nil {
		s.family, s.node = f.node()&^familyBit, f.node()
	}
	return s
}

// TestReadyLosesNothing: threads that take from a full ring and give back, far around it, always find the same slots.
func TestReadyLosesNothing(t *testing.T) {
	const slots, threads, rounds = 16, 8, 20000
	q, _ := newTestQueue(t, slots)
	var all []*Slot
	for range slots {
		all = append(all, q.claim(nil))
	}
	q.add(all)
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			var room [5]*Slot
			for range rounds {
				q.Return(q.Take(room[:]))
			}
		})
	}
	wg.Wait()
	require.Equal(t, slots, q.Ready())
	var room [slots]*Slot
	seen := map[*Slot]bool{}
	for _, s := range q.Take(room[:]) {
		require.False(t, seen[s])
		seen[s] = true
	}
	require.Len(t, seen, slots)
	require.Zero(t, q.Ready())
}

// TestFamilyEndsWithItsLastMember, whoever that is, and the queue is empty then.
func TestFamilyEndsWithItsLastMember(t *testing.T) {
	q, e := newTestQueue(t, 64)
	s := NewScheduler(e, func() uint64 { return 1 })
	f := s.Start("owner")
	var root Parent
	root.Root(f)
	f.open.Add(3)
	for i := range 3 {
		slot := q.claim(f)
		slot.flags = uint16(i % 2) // every other waits for the parent
		s.Collect(&Enqueues{first: slot.address(), last: slot.address()}, &root)
	}
	require.Equal(t, 2, s.Publish())
	require.Equal(t, 3, q.InUse())
	s.EndRoot(&root)
	require.Equal(t, 1, s.Deliver())
	require.Nil(t, s.Over(), "children have not run")
	var room [4]*Slot
	for _, slot := range q.Take(room[:]) {
		require.True(t, s.Begin(slot))
		var p Parent
		p.Of(slot)
		s.End(slot, &p)
	}
	require.Zero(t, s.Deliver())
	over := s.Over()
	require.Same(t, f, over)
	require.Nil(t, s.Over())
	require.Equal(t, "owner", over.Owner)
	require.NoError(t, over.Err())
	s.Finish(over)
	require.Zero(t, q.InUse())
}

// TestTrapGivesTheSlotBackThatItWasWriting.
func TestTrapGivesTheSlotBackThatItWasWriting(t *testing.T) {
	q, e := newTestQueue(t, 16)
	s := NewScheduler(e, func() uint64 { return 1 })
	var root Parent
	root.Root(s.Start(nil))
	s.Collect(&Enqueues{claimed: q.claim(nil).address()}, &root)
	require.Zero(t, q.InUse())
	s.EndRoot(&root)
	s.Deliver()
	s.Finish(s.Over())
}
