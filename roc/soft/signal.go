package soft

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/hsa"
)

// signals are all signals of the agent: blocks in slabs outside Go's heap, and beside each slab what Go keeps about them.
type signals struct {
	mu    sync.Mutex
	free  []hsa.Signal                  // guarded by mu
	slabs atomic.Pointer[[]*signalSlab] // by number; replaced with mu held
}

const slabSignals = 1024

type signalSlab [slabSignals]signalState

// signalState is what the agent knows of a signal. SignalBlock.EventID says which state is whose.
type signalState struct {
	watch   atomic.Uint64          // argument for the handler plus one; zero while nobody watches
	waiters atomic.Pointer[waiter] // queues to look at when the value has come down
}

// waiter says that a queue waits for a signal.
type waiter struct {
	next  *waiter
	queue *Queue
	value hsa.Signal
	taken atomic.Bool // is not on the signal's list any more
}

// NewSignal implements hsa.Agent.
func (a *Agent) NewSignal() (hsa.Signal, error) {
	s := &a.signals
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 {
		if err := s.grow(); err != nil {
			return 0, err
		}
	}
	last := len(s.free) - 1
	signal := s.free[last]
	s.free = s.free[:last]
	signal.Reset(1)
	return signal, nil
}

// FreeSignal implements hsa.Agent.
func (a *Agent) FreeSignal(signal hsa.Signal) {
	s := &a.signals
	s.mu.Lock()
	s.free = append(s.free, signal)
	s.mu.Unlock()
}

// grow adds a slab. s.mu is held.
func (s *signals) grow() error {
	const size = unsafe.Sizeof(hsa.SignalBlock{})
	base, err := mapTouched(slabSignals * uint64(size))
	if err != nil {
		return err
	}
	var slabs []*signalSlab
	if old := s.slabs.Load(); old != nil {
		slabs = *old
	}
	for i := range slabSignals {
		b := (*hsa.SignalBlock)(unsafe.Add(base, uintptr(i)*size))
		b.Kind = 1 // AMD_SIGNAL_KIND_USER
		b.EventID = uint32(len(slabs)*slabSignals + i)
		s.free = append(s.free, hsa.Signal(uintptr(unsafe.Pointer(b))))
	}
	slabs = append(slabs, new(signalSlab))
	s.slabs.Store(&slabs)
	return nil
}

func (s *signals) state(b *hsa.SignalBlock) *signalState {
	return &(*s.slabs.Load())[b.EventID/slabSignals][b.EventID%slabSignals]
}

// Watch implements hsa.Agent. It is to be called before a packet that names s is published, or before anyone may free s.
func (a *Agent) Watch(s hsa.Signal, arg uintptr) {
	st := a.signals.state(s.Block())
	st.watch.Store(uint64(arg) + 1) // before the value is read: Complete does these two the other way round
	if s.Load() <= 0 && st.watch.CompareAndSwap(uint64(arg)+1, 0) {
		a.handler(arg)
	}
}

// Complete implements hsa.Agent.
func (a *Agent) Complete(s hsa.Signal) {
	if a.complete(s) {
		a.pool.wake()
	}
}

// complete is Complete but for waking a worker: it reports whether there were queues that waited.
func (a *Agent) complete(s hsa.Signal) (released bool) {
	b := s.Block()
	st := a.signals.state(b)
	raceRelease(st)
	if atomic.AddInt64(&b.Value, -1) > 0 {
		return false
	}
	if st.waiters.Load() != nil {
		st.release()
		released = true
	}
	if w := st.watch.Load(); w != 0 && st.watch.CompareAndSwap(w, 0) {
		a.handler(uintptr(w - 1))
	}
	return released
}

// release has the queues that wait look at the signal again.
func (st *signalState) release() {
	for w := st.waiters.Swap(nil); w != nil; {
		next := w.next // w is its queue's once taken is set
		w.taken.Store(true)
		w.queue.kick()
		w = next
	}
}

// await puts q on the list of signal s, unless s has come down; w is the waiter q used for this purpose before. It returns
// the waiter used now, nil if q need not wait.
func (a *Agent) await(q *Queue, s hsa.Signal, w *waiter) *waiter {
	if w != nil && w.value == s && !w.taken.Load() {
		if s.Load() <= 0 {
			return nil
		}
		return w // still on the list
	}
	st := a.signals.state(s.Block())
	if w == nil || !w.taken.Load() {
		w = &waiter{queue: q}
	}
	w.value = s
	w.taken.Store(false)
	for {
		w.next = st.waiters.Load()
		if st.waiters.CompareAndSwap(w.next, w) {
			break
		}
	}
	if s.Load() <= 0 { // Complete may have looked at the list before
		st.release()
		return nil
	}
	return w
}

// Times implements hsa.Agent.
func (a *Agent) Times(s hsa.Signal) (start, end uint64) {
	b := s.Block()
	return atomic.LoadUint64(&b.StartTS), atomic.LoadUint64(&b.EndTS)
}
