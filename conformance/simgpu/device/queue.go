package device

import (
	"sync/atomic"

	"aqueduct/conformance/simgpu/gcn"
)

// Types of queues, as HSA_QUEUE_TYPE numbers them.
const (
	SDMAQueue     = 2
	SDMAXGMIQueue = 5
	AQLQueue      = 21
)

const maxQueues = 1024

// neverRung is what a doorbell holds before it is rung.
const neverRung = ^uint64(0)

// queue is a ring in memory and what works on it.
type queue struct {
	gpu      *GPU
	id       uint64
	ring     uint64 // address
	size     uint64 // bytes
	doorbell *uint64
	read     *uint64 // how far the GPU has come, for the host to see
	halted   bool    // by an error
	units    []int   // that take its work-groups; nil: all
	engine   engine
}

// engine works on a queue. advance does a little and says whether there was something to do.
type engine interface{ advance() bool }

// QueueMemory is where a queue's words are.
type QueueMemory struct {
	ID                    uint64
	Doorbell, Read, Write uint64
}

// CreateQueue begins to work on a ring. For AQL, read is the address of the read index in the queue's amd_queue_t; others get theirs here.
func (g *GPU) CreateQueue(kind int, ring, size, read, write uint64) (QueueMemory, Status) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queues) >= maxQueues-1 || size == 0 || size&(size-1) != 0 {
		return QueueMemory{}, InvalidParameter
	}
	slot := g.freeDoorbell()
	q := &queue{gpu: g, id: slot, ring: ring, size: size, doorbell: word64(g.doorbells + 8*slot)}
	switch kind {
	case AQLQueue:
		q.engine = newAQL(q, read)
	case SDMAQueue, SDMAXGMIQueue:
		pointers, errno := mmap(0, page, 3)
		if errno != 0 {
			return QueueMemory{}, NoMemory
		}
		read, write = pointers, pointers+8
		q.engine = &sdma{queue: q, pointers: pointers}
	default:
		return QueueMemory{}, NotSupported
	}
	q.read = word64(read)
	atomic.StoreUint64(q.doorbell, neverRung)
	g.queues = append(g.queues, q)
	g.logf("queue %d of type %d: %d bytes at %#x", q.id, kind, size, ring)
	g.started.Do(func() { go g.work() })
	return QueueMemory{q.id, g.doorbells + 8*slot, read, write}, Success
}

// freeDoorbell is a number that no queue has.
func (g *GPU) freeDoorbell() uint64 {
	for id := uint64(1); ; id++ {
		if g.queueIndex(id) < 0 {
			return id
		}
	}
}

func (g *GPU) queueIndex(id uint64) int {
	for i, q := range g.queues {
		if q.id == id {
			return i
		}
	}
	return -1
}

// DestroyQueue ends a queue with all that runs in it.
func (g *GPU) DestroyQueue(id uint64) Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.queueIndex(id)
	if i < 0 {
		return InvalidHandle
	}
	if s, ok := g.queues[i].engine.(*sdma); ok {
		munmap(s.pointers, page)
	}
	g.queues = append(g.queues[:i:i], g.queues[i+1:]...)
	return Success
}

// HasQueue is whether there is a queue of that number.
func (g *GPU) HasQueue(id uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.queueIndex(id) >= 0
}

// access is the GPU's memory at an address, or panics with a *gcn.Fault.
func (g *GPU) access(address, n uint64, write bool) []byte {
	b := g.memory.bytes(address, n)
	if b == nil {
		panic(&gcn.Fault{Address: address, Write: write})
	}
	return b
}

// guarded calls fn and halts the queue if it meets memory that is not there. It reports whether all is well.
func (q *queue) guarded(fn func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *gcn.Fault:
			q.pageFault(r)
			ok = false
		case *disorder:
			q.halted = true
			q.gpu.report("queue %d: %v", q.id, r)
			q.gpu.raiseFault(r.address)
			ok = false
		default:
			if gone, is := r.(interface{ Addr() uintptr }); is {
				q.pageFault(&gcn.Fault{Address: uint64(gone.Addr())})
				ok = false
				return
			}
			panic(r)
		}
	}()
	fn()
	return true
}

// pageFault halts the queue, whose packet processor or copy engine met memory that is not mapped, and tells of it.
func (q *queue) pageFault(f *gcn.Fault) {
	q.halted = true
	q.gpu.report("queue %d: %v", q.id, f)
	q.gpu.raiseFault(f.Address)
}

// signal is an amd_signal_t.
type signal uint64

// Offsets in amd_signal_t.
const (
	signalValue   = 8
	signalMailbox = 16
	signalEvent   = 24
	signalStart   = 32
	signalEnd     = 40
)

func (g *GPU) signalValue(s signal) int64 {
	return int64(atomic.LoadUint64(g.word64(uint64(s)+signalValue, false)))
}

// complete counts a signal down by one and interrupts the host if it wants that.
func (g *GPU) complete(s signal) {
	atomic.AddUint64(g.word64(uint64(s)+signalValue, true), ^uint64(0))
	g.interrupt(s)
}

func (g *GPU) setSignal(s signal, value int64) {
	atomic.StoreUint64(g.word64(uint64(s)+signalValue, true), uint64(value))
	g.interrupt(s)
}

// interrupt raises the event of a signal that has one.
func (g *GPU) interrupt(s signal) {
	mailbox := *g.word64(uint64(s)+signalMailbox, false)
	if mailbox == 0 {
		return
	}
	id := *g.word32(uint64(s)+signalEvent, false)
	if mailbox == g.Mailbox(id) {
		atomic.StoreUint64(word64(mailbox), uint64(id))
	}
	g.Raise(id)
}
