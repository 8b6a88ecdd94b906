package rocr

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/hsa"

	"github.com/ebitengine/purego"
)

// hsaQueue is hsa_queue_t.
type hsaQueue struct {
	kind     uint32
	features uint32
	base     unsafe.Pointer
	doorbell hsa.Signal
	size     uint32
	_        uint32
	id       uint64
}

// queue is an AQL queue of a GPU, whose packets are written in place.
type queue struct {
	agent   *Agent
	handle  *hsaQueue
	packets unsafe.Pointer
	size    uint64
	onError func([]hsa.Fault)
	failed  atomic.Bool

	mu    sync.Mutex // guards what follows
	write uint64     // index of the next packet reserved
	read  uint64     // ReadIndex when it was last looked at
	gone  bool       // it is being destroyed
}

const (
	queueMulti = 0 // HSA_QUEUE_TYPE_MULTI
	unknown    = 1<<32 - 1
)

// NewQueue implements hsa.Agent.
func (a *Agent) NewQueue(size uint32, p hsa.Priority, onError func([]hsa.Fault)) (hsa.Queue, error) {
	q := &queue{agent: a, size: uint64(size), onError: onError}
	if err := api.QueueCreate.do(uintptr(a.handle), uintptr(size), queueMulti, queueFailed(), 0, unknown, unknown,
		uintptr(unsafe.Pointer(&q.handle))); err != nil {
		return nil, fmt.Errorf("rocr: a queue of %d packets: %w", size, err)
	}
	q.packets = q.handle.base
	err := api.QueueProfile.do(q.pointer(), 1)
	if err == nil && p != hsa.PriorityNormal {
		err = api.QueuePriority.do(q.pointer(), uintptr(p))
	}
	if err == nil && a.units != nil {
		err = q.restrict(a.units)
	}
	if err != nil {
		api.QueueDestroy.call(q.pointer())
		return nil, fmt.Errorf("rocr: set up a queue: %w", err)
	}
	a.mu.Lock()
	a.queues = append(a.queues, q)
	a.mu.Unlock()
	return q, nil
}

func (q *queue) pointer() uintptr { return uintptr(unsafe.Pointer(q.handle)) }

// restrict has the queue use some compute units only.
func (q *queue) restrict(units []int) error {
	m := mask(units)
	return api.QueueUnits.do(q.pointer(), uintptr(len(m)*32), uintptr(unsafe.Pointer(&m[0])))
}

// Throttle implements hsa.Queue. Without it nothing is lost but energy.
func (q *queue) Throttle() {
	unit := 0
	if q.agent.units != nil {
		unit = q.agent.units[0]
	}
	q.restrict([]int{unit})
}

// Size implements hsa.Queue.
func (q *queue) Size() uint32 { return uint32(q.size) }

// Reserve implements hsa.Queue.
func (q *queue) Reserve(n uint32) (index uint64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.write+uint64(n)-q.read > q.size {
		if q.read = q.ReadIndex(); q.write+uint64(n)-q.read > q.size {
			return 0, false
		}
	}
	index = q.write
	q.write += uint64(n)
	api.QueueStoreIndex.call(q.pointer(), uintptr(q.write))
	return index, true
}

// Packet implements hsa.Queue.
func (q *queue) Packet(index uint64) unsafe.Pointer {
	return unsafe.Add(q.packets, index&(q.size-1)*hsa.PacketSize)
}

// Publish implements hsa.Queue.
func (q *queue) Publish(index uint64, header, setup uint16) {
	atomic.StoreUint32((*uint32)(q.Packet(index)), uint32(header)|uint32(setup)<<16)
}

// ReadIndex implements hsa.Queue.
func (q *queue) ReadIndex() uint64 { return uint64(api.QueueReadIndex.call(q.pointer())) }

// Doorbell implements hsa.Queue.
func (q *queue) Doorbell(index uint64, waiting bool) {
	api.SignalStore.call(uintptr(q.handle.doorbell), uintptr(index))
}

// Assist implements hsa.Queue.
func (q *queue) Assist() {}

// Destroy implements hsa.Queue.
func (q *queue) Destroy() {
	q.agent.mu.Lock()
	q.agent.queues = slices.DeleteFunc(q.agent.queues, func(x *queue) bool { return x == q })
	q.agent.mu.Unlock()
	q.mu.Lock()
	q.gone = true
	q.mu.Unlock()
	api.QueueDestroy.call(q.pointer())
}

// queueFailed is the runtime's callback for errors of queues.
var queueFailed = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(s uint32, failed uintptr, _ uintptr) uintptr {
		if q := the.queue(failed); q != nil {
			q.fail(status(s))
		}
		return 0
	})
})

// queue finds a queue by its address.
func (m *machine) queue(address uintptr) *queue {
	for _, q := range m.queues() {
		if q.pointer() == address {
			return q
		}
	}
	return nil
}

// fail tells the queue's user, once, that the packet being executed has failed. It stops the queue first: of the packets that
// were running beside that one nothing is left.
func (q *queue) fail(err error) {
	if q.failed.Swap(true) {
		return
	}
	go func() { // the runtime's thread must not wait for itself, as it would to destroy the queue
		api.QueueStop.call(q.pointer())
		q.onError(q.faults(err))
	}()
}

// faults are the packets that were running, as far as anybody can know: the one that the queue stopped at, and those behind it that were
// free to run beside it. Which of them failed nobody says, and none may run a second time.
func (q *queue) faults(err error) []hsa.Fault {
	q.mu.Lock()
	write := q.write
	q.mu.Unlock()
	at := q.ReadIndex()
	if at > 0 && (at == write || q.typeOf(at) == hsa.PacketInvalid) {
		at-- // it counts as read from the moment it starts
	}
	running := []hsa.Fault{{Index: at}}
	for i := at + 1; i < write && !hsa.Barrier(q.header(i)); i++ {
		if q.typeOf(i) == hsa.PacketKernelDispatch {
			running = append(running, hsa.Fault{Index: i})
		} else if !q.passes(i) {
			break
		}
	}
	if n := len(running); n > 1 {
		err = fmt.Errorf("%w (of it or of one of %d others that ran beside it)", err, n-1)
	}
	for i := range running {
		running[i].Err = err
	}
	return running
}

// passes is whether packet index holds up nothing behind it: it is a barrier packet that waits for nothing any more.
func (q *queue) passes(index uint64) bool {
	if q.typeOf(index) != hsa.PacketBarrierAnd {
		return false
	}
	for _, s := range (*hsa.BarrierPacket)(q.Packet(index)).Deps {
		if s != 0 && s.Load() > 0 {
			return false
		}
	}
	return true
}

func (q *queue) header(index uint64) uint16 {
	return uint16(atomic.LoadUint32((*uint32)(q.Packet(index))))
}

// typeOf is the type of packet index; one that the GPU is through with is invalid.
func (q *queue) typeOf(index uint64) hsa.PacketType { return hsa.Type(q.header(index)) }

// systemEvent is hsa_amd_event_t.
type systemEvent struct {
	kind    uint32
	_       uint32
	agent   handle
	address uint64
	reasons uint32
}

const memoryFault = 0 // HSA_AMD_GPU_MEMORY_FAULT_EVENT

// happened is the runtime's callback for what happens to a GPU. Without one the runtime ends the process.
var happened = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(e *systemEvent, _ uintptr) uintptr {
		if e.kind == memoryFault {
			the.fault(e.agent, e.address, e.reasons)
		}
		return 0
	})
})

// listen has the runtime tell of memory faults.
func (m *machine) listen() error {
	if err := api.SystemEvents.do(happened(), 0); err != nil {
		return errors.New("rocr: another part of this process listens to the runtime's events")
	}
	return nil
}
