package soft

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/hsa"
)

// Queue is an AQL queue. Its packet processor is not a thread but whatever thread holds the queue's lock: one that rang the
// doorbell and waits, a worker, or the one that has just completed a packet.
type Queue struct {
	agent    *Agent
	priority hsa.Priority
	packets  unsafe.Pointer
	size     uint64
	throttle bool

	write atomic.Uint64 // index of the next packet reserved
	read  atomic.Uint64 // index of the oldest packet not yet taken
	state atomic.Uint64 // see below

	passed atomic.Uint64 // read index plus one, when a helper last left the queue to a worker

	waits [5]*waiter // of the barrier packet at next; guarded by the lock in state, as is next
	next  uint64     // packet to take

	waited  uint64 // read index plus one, of a queue that waits for someone to process it; of pool.watch alone, as is freed
	freed   uint64 // read index plus one, where what comes next was not left to the packet that runs
	failure failure
}

// Queue.state holds, in bits: whether someone is processing packets; whether there may be something to process that the one
// who does has not seen; whether a packet has failed; and above them how many packets are being executed.
const (
	locked  = 1 << 0
	kicked  = 1 << 1
	halted  = 1 << 2
	running = 1 << 3 // one packet
)

// failure is what went wrong in a queue.
type failure struct {
	onError func([]hsa.Fault)

	mu     sync.Mutex
	faults []hsa.Fault // guarded by mu
}

// NewQueue implements hsa.Agent.
func (a *Agent) NewQueue(size uint32, p hsa.Priority, onError func([]hsa.Fault)) (hsa.Queue, error) {
	if size == 0 || size&(size-1) != 0 {
		return nil, fmt.Errorf("soft: a queue of %d packets: not a power of two", size)
	}
	m, err := mapTouched(uint64(size) * hsa.PacketSize)
	if err != nil {
		return nil, err
	}
	q := &Queue{agent: a, priority: p, packets: m, size: uint64(size)}
	q.failure.onError = onError
	for i := range uint64(size) {
		*(*uint32)(q.Packet(i)) = uint32(hsa.PacketInvalid)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	queues := append(slices.Clone(*a.queues.Load()), q)
	slices.SortStableFunc(queues, func(x, y *Queue) int { return int(y.priority - x.priority) })
	a.queues.Store(&queues)
	return q, nil
}

// Destroy implements hsa.Queue. Nothing of the queue may be running any more. Whoever ran the last packet may still be about to look for
// the next one, and is waited for, unless the queue has failed: then it is the caller.
func (q *Queue) Destroy() {
	a := q.agent
	a.mu.Lock()
	defer a.mu.Unlock()
	queues := slices.Clone(*a.queues.Load())
	queues = slices.DeleteFunc(queues, func(x *Queue) bool { return x == q })
	a.queues.Store(&queues)
	for s := q.state.Load(); s&halted == 0; s = q.state.Load() {
		if s < running && s&locked == 0 && q.state.CompareAndSwap(s, halted|locked) {
			break
		}
		runtime.Gosched()
	}
	unmapMemory(q.packets, q.size*hsa.PacketSize)
}

// Throttle implements hsa.Queue.
func (q *Queue) Throttle() { q.throttle = true }

// Size implements hsa.Queue.
func (q *Queue) Size() uint32 { return uint32(q.size) }

// Reserve implements hsa.Queue.
func (q *Queue) Reserve(n uint32) (index uint64, ok bool) {
	for {
		w := q.write.Load()
		if w+uint64(n)-q.read.Load() > q.size {
			return 0, false
		}
		if q.write.CompareAndSwap(w, w+uint64(n)) {
			return w, true
		}
	}
}

// Packet implements hsa.Queue.
func (q *Queue) Packet(index uint64) unsafe.Pointer {
	return unsafe.Add(q.packets, index&(q.size-1)*hsa.PacketSize)
}

// Publish implements hsa.Queue.
func (q *Queue) Publish(index uint64, header, setup uint16) {
	raceRelease(&q.write)
	atomic.StoreUint32((*uint32)(q.Packet(index)), uint32(header)|uint32(setup)<<16)
}

// ReadIndex implements hsa.Queue.
func (q *Queue) ReadIndex() uint64 { return q.read.Load() }

// Doorbell implements hsa.Queue.
func (q *Queue) Doorbell(index uint64, waiting bool) {
	if q.read.Load() > index {
		return
	}
	q.kick()
	if !waiting || q.agent.part {
		q.agent.pool.wake()
	}
}

// kick says that there may be something to process.
func (q *Queue) kick() { q.state.Or(kicked) }

// ready reports that someone should process the queue.
func (q *Queue) ready() bool { return q.state.Load()&(locked|kicked) == kicked }

// held reports that what comes next is left to whoever runs a packet.
func (q *Queue) held() bool {
	s := q.state.Load()
	return s&(locked|kicked|halted) == 0 && s >= running && q.write.Load() > q.read.Load()
}

// tryLock makes the caller the packet processor.
func (q *Queue) tryLock() bool {
	s := q.state.Load()
	return s&locked == 0 && q.state.CompareAndSwap(s, s&^kicked|locked)
}

// unlock ends processing, unless something new came meanwhile: then the caller goes on.
func (q *Queue) unlock() bool {
	for {
		s := q.state.Load()
		if s&kicked != 0 {
			if q.state.CompareAndSwap(s, s&^kicked) {
				return false
			}
		} else if q.state.CompareAndSwap(s, s&^locked) {
			return true
		}
	}
}

// leave ends processing although there may be more.
func (q *Queue) leave() {
	for s := q.state.Load(); !q.state.CompareAndSwap(s, s&^locked|kicked); s = q.state.Load() {
	}
}

// start counts a packet as running and lets others process the queue.
func (q *Queue) start() { q.state.Add(running - locked) }

// finish counts a packet as run no more and makes the caller the packet processor, or leaves it to the one there is.
func (q *Queue) finish() (processor bool) {
	for {
		s := q.state.Load()
		if s&locked != 0 {
			if q.state.CompareAndSwap(s, s-running|kicked) {
				return false
			}
		} else if q.state.CompareAndSwap(s, (s-running)&^kicked|locked) {
			return true
		}
	}
}

// fail notes that packet index has failed. It is running.
func (q *Queue) fail(index uint64, err error) {
	q.failure.mu.Lock()
	q.failure.faults = append(q.failure.faults, hsa.Fault{Index: index, Err: err})
	q.failure.mu.Unlock()
	q.state.Or(halted)
}

// report calls onError, once, when nothing is running any more. The caller is the packet processor, and the last one.
func (q *Queue) report() {
	q.failure.mu.Lock()
	faults := q.failure.faults
	q.failure.mu.Unlock()
	q.failure.onError(faults)
}
