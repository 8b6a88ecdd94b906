// Package devicequeue is device-side enqueue (OpenCL C 3.0 section 6.15.18): on-device queues, the kernels that kernels put into
// them, and the events between these.
//
// Kernels enqueue by themselves: the builtin library writes a slot in the queue's memory, which holds an AQL packet and all that
// it points to (builtins/device_queue.h has the same layouts). What a kernel enqueued is linked in the Enqueues of the thread
// that runs it, unless it waits for nothing: then the kernel puts it into the ring of those that may run, which others take
// them from (Queue.Take) while the kernel goes on. When its call has ended, that thread's Scheduler sees to the rest: it counts
// what each slot waits for, puts those that wait for nothing any more into the ring, and counts who has ended. No lock is taken, no other queue is
// touched, and nothing recurs, however deep kernels nest.
//
// Who has to end before whom is a tree of counts. A slot that nobody can wait for counts where its parent does; one with an
// event is counted by its event, as are its children, and the event counts where the parent does. The root is the Family: the
// command of the host. So a chain of kernels without events takes one slot, however long it is.
package devicequeue

import (
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/hsa"
)

// SlotSize is what one enqueued command takes of a queue's size, bytes.
const SlotSize = 512

// dataOffset is where in a slot the data starts that its packet points to. What does not fit lies in a block of the queue.
const dataOffset = 128

// Slot is an enqueued command: a marker if its packet names no kernel. Addresses are plain numbers, since the garbage collector does not see slots.
type Slot struct {
	Packet hsa.KernelDispatchPacket

	next   uint64 // in a list of slots
	queue  uint64 // the head of its Queue
	family uint64
	node   uint64 // where it and its children count: an event, or its family with familyBit
	event  uint64 // its own, or 0
	waits  uint64 // array of type wait
	open   int32  // what it waits for, still
	status int32  // an error: it is not to run
	events uint32 // how many it waits for
	flags  uint16 // CLK_ENQUEUE_FLAGS_*
	class  uint8  // of the block at Packet.KernargAddress, plus one; 0 if its data is in the slot
	_      uint8
	data   [SlotSize - dataOffset]byte
}

var _ [SlotSize]byte = [unsafe.Sizeof(Slot{})]byte{}
var _ [dataOffset]byte = [unsafe.Offsetof(Slot{}.data)]byte{}

// Values of kernel_enqueue_flags_t.
const flagWaitKernel = 1

// wait is an event that a slot waits for.
type wait struct{ event, next, slot uint64 }

// Event is a clk_event_t, whose value is the address.
type Event struct {
	free    uint32 // next in the pool
	status  int32  // CL_SUBMITTED, then CL_COMPLETE or an error
	refs    int32
	count   int32  // of the command and its children, how many have not ended; of a user event: the status it was given, or userEvent
	up      uint64 // where it counts, as Slot.node; of a user event that was given a status: the next such
	waiters uint64 // list of wait, sealed at the end
	start   uint64 // time the kernel started; then what it took with its children, nanoseconds
	end     uint64 // time the kernel ended; then what it took
	capture uint64 // where these are to be written, sealed at the end
	result  int32  // what status will be
	_       int32
}

const (
	eventSize = 64
	sealed    = 1
	submitted = 2 // CL_SUBMITTED
	userEvent = math.MinInt32
)

var _ [eventSize]byte = [unsafe.Sizeof(Event{})]byte{}

// pool is memory for elements of one size, a power of two. Those that are free are a stack, whose top is tagged with a number that changes
// with each removal; memory above fresh has never been touched.
type pool struct {
	base  uint64
	top   uint64 // tag, and below it 32 bits of index plus one
	fresh uint32 // elements that have been handed out at least once
	count uint32
	size  uint32
	_     uint32
}

// index is what the stack calls an element.
func (p *pool) index(address uint64) uint32 {
	return uint32((address-p.base)>>bits.TrailingZeros32(p.size)) + 1
}

// link puts one free element behind another.
func (p *pool) link(address, next uint64) {
	atomic.StoreUint32((*uint32)(pointer(address)), p.index(next))
}

// give puts elements back, which are linked from first to last.
func (p *pool) give(first, last uint64) {
	for {
		old := atomic.LoadUint64(&p.top)
		atomic.StoreUint32((*uint32)(pointer(last)), uint32(old))
		if atomic.CompareAndSwapUint64(&p.top, old, old&^0xffffffff|uint64(p.index(first))) {
			return
		}
	}
}

// largeBlocks are the sizes of blocks for data that does not fit into a slot.
var largeBlocks = [...]uint32{1 << 10, 4 << 10, 16 << 10, 64 << 10}

// head is a queue as kernels see it: the value of a queue_t is its address.
type head struct {
	slots  pool
	large  [len(largeBlocks)]pool
	events uint64 // the pool of events
	self   uint64 // the Queue
	ready  uint64 // the ring of those that may run, see Queue
	mask   uint64 // of its indices
	_      [64]byte
	put    uint64 // cells taken by those who add
	_      [56]byte
	got    uint64 // cells taken by those who remove
}

// Enqueues is where a part of a call of a kernel leaves what it enqueued and could not put into a queue's ring by itself
// (codeobject.Context.Services).
type Enqueues struct {
	first, last  uint64 // slots, in order
	claimed      uint64 // slot that is being written
	signals      uint64 // user events that were given a status
	Default      uint64 // address of the default queue, 0 if there is none
	events       uint64 // the pool of events
	family, node uint64 // of the kernel, as in a Slot
	bell         uint64 // 0: nobody is waiting for what it puts into a ring
	credit       uint32 // members that the node counts already, to come
	_            uint32 // granted: how many that was at last
	published    uint32 // slots put into a ring
	_            uint32
}

// Bell is what kernels need to have others look at a queue that was empty.
type Bell struct {
	Attentive, Spare *atomic.Int32  // workers that will look at the queues soon; those who sleep
	News             *atomic.Uint32 // changes when there is something to look for
	Wake             uint64         // C function, called with the Bell's address if none is attentive and some sleep
	Pool             unsafe.Pointer
}

// Ring has the kernel ring b, which is kept alive elsewhere.
func (e *Enqueues) Ring(b *Bell) { e.bell = uint64(uintptr(unsafe.Pointer(b))) }

// pointer converts an address outside Go's heap, or of a Family, which is kept alive elsewhere.
func pointer(address uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

func slotAt(address uint64) *Slot   { return (*Slot)(pointer(address)) }
func eventAt(address uint64) *Event { return (*Event)(pointer(address)) }
func (s *Slot) address() uint64     { return uint64(uintptr(unsafe.Pointer(s))) }
func (e *Event) address() uint64    { return uint64(uintptr(unsafe.Pointer(e))) }
