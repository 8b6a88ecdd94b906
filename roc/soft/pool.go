package soft

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// pool is the workers of an agent. One is woken when there is work for one; it wakes the next if there is more.
type pool struct {
	agent *Agent
	size  int
	spin  int64 // nanoseconds a worker without work looks on before it parks

	start     sync.Once
	searching atomic.Int32 // workers awake and without work, woken ones included
	idle      atomic.Int32 // len(parked)

	// news changes when there may be work for those who search. They look at it alone, as looking at queues all the time would
	// slow down those who process them.
	_    [64]byte
	news atomic.Uint32
	_    [64]byte

	mu     sync.Mutex
	parked []*worker // guarded by mu; the last to park is the first to wake
}

// worker is a goroutine that executes packets.
type worker struct {
	thread thread
	futex  atomic.Uint32 // set to wake it
}

func (p *pool) init(a *Agent, size, spinMicros int) {
	p.agent, p.size, p.spin = a, size, int64(spinMicros)*1000
}

// wake has those who search look for work, or a worker wake up and search if none does.
func (p *pool) wake() {
	p.start.Do(p.launch)
	p.news.Add(1)
	if p.searching.Load() > 0 || p.idle.Load() == 0 {
		return
	}
	p.mu.Lock()
	n := len(p.parked)
	if n == 0 || p.searching.Load() > 0 {
		p.mu.Unlock()
		return
	}
	w := p.parked[n-1]
	p.parked = p.parked[:n-1]
	p.idle.Store(int32(n - 1))
	p.searching.Add(1)
	p.mu.Unlock()
	w.wake()
}

// launch starts the workers.
func (p *pool) launch() {
	// A spinning worker holds one of the scheduler's processors. Threads that come in from C must always find a free one, or
	// they wait until sysmon takes one away, which takes it milliseconds.
	if procs := p.size + max(runtime.NumCPU(), 4); runtime.GOMAXPROCS(0) < procs {
		runtime.GOMAXPROCS(procs)
	}
	for range p.size {
		w := &worker{thread: thread{agent: p.agent, worker: true}}
		p.searching.Add(1)
		go w.run(p)
	}
}

func (w *worker) run(p *pool) {
	debug.SetPanicOnFault(true)
	for {
		if w.search(p) {
			if p.searching.Add(-1) == 0 && p.agent.busy() {
				p.wake()
			}
			for more := true; more; {
				w.thread.budget = workerBudget
				more = w.thread.work()
			}
			p.searching.Add(1)
			continue
		}
		w.park(p)
	}
}

// search looks for work for a while.
func (w *worker) search(p *pool) bool {
	seen := p.news.Load()
	if p.agent.busy() {
		return true
	}
	if p.searching.Load() > p.spinners() {
		return false
	}
	for until := nanotime() + p.spin; nanotime() < until; {
		for range 8 {
			procyield(16)
			if n := p.news.Load(); n != seen {
				seen = n
				if p.agent.busy() {
					return true
				}
			}
		}
	}
	return false
}

// spinners is how many workers may look on: the cores that no worker uses, less one for the application.
func (p *pool) spinners() int32 {
	return max((int32(p.size)-1)/2, min(int32(p.size)-1, 1))
}

// park sleeps until wake, unless there is work after all. A worker that parks is on the list before it looks for the last
// time, and a thread with work makes it visible before it looks at the list.
func (w *worker) park(p *pool) {
	w.futex.Store(0)
	p.mu.Lock()
	p.parked = append(p.parked, w)
	p.idle.Store(int32(len(p.parked)))
	p.searching.Add(-1)
	p.mu.Unlock()
	if p.agent.busy() && p.unpark(w) {
		return
	}
	w.sleep()
}

// unpark takes w off the list, unless it is being woken.
func (p *pool) unpark(w *worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, x := range p.parked {
		if x == w {
			p.parked = append(p.parked[:i], p.parked[i+1:]...)
			p.idle.Store(int32(len(p.parked)))
			p.searching.Add(1)
			return true
		}
	}
	return false
}

const (
	futexWaitPrivate = 128
	futexWakePrivate = 129
)

// sleep blocks the thread itself: waking it takes one system call and no detour through Go's scheduler.
func (w *worker) sleep() {
	for w.futex.Load() == 0 {
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&w.futex)), futexWaitPrivate, 0, 0, 0, 0)
	}
}

func (w *worker) wake() {
	w.futex.Store(1)
	syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&w.futex)), futexWakePrivate, 1, 0, 0, 0)
}

// busy reports whether there is something a thread could do now.
func (a *Agent) busy() bool {
	if a.launches.open.Load() > 0 {
		return true
	}
	for _, q := range *a.queues.Load() {
		if q.ready() {
			return true
		}
	}
	return false
}

// work does some of what there is to do and reports whether there was any: queues first, as they may hold what keeps all
// other threads busy, then chunks of launches.
func (t *thread) work() bool {
	a := t.agent
	t.owes = false
	for _, q := range *a.queues.Load() {
		if q.ready() && q.tryLock() {
			t.process(q)
			return true
		}
	}
	l := a.launches.pick()
	if l == nil {
		return false
	}
	if t.worker {
		a.pool.wake() // the next, as long as there are chunks left
	}
	if t.join(l) {
		t.process(l.queue)
	}
	return true
}

// helpers are the threads of waiting goroutines.
type helpers struct {
	last atomic.Pointer[thread] // given back last

	mu   sync.Mutex
	free []*thread // guarded by mu
	made int
}

// maxHelpers is how many goroutines may help at a time.
const maxHelpers = 64

func (a *Agent) helper() *thread {
	h := &a.helpers
	if t := h.last.Swap(nil); t != nil {
		return t
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.free); n > 0 {
		t := h.free[n-1]
		h.free = h.free[:n-1]
		return t
	}
	if h.made == maxHelpers {
		return nil
	}
	h.made++
	return &thread{agent: a}
}

// Help implements hsa.Agent. It ends when the caller may have what he waits for, which he has to see for himself; what is left
// is for a worker then.
func (a *Agent) Help() (did bool) {
	if !a.busy() {
		return false
	}
	t := a.helper()
	if t == nil {
		return false
	}
	t.budget = helperBudget
	for t.budget > 0 && t.work() {
		did = true
	}
	if t = a.helpers.last.Swap(t); t != nil {
		a.helpers.mu.Lock()
		a.helpers.free = append(a.helpers.free, t)
		a.helpers.mu.Unlock()
	}
	if did && a.busy() {
		a.pool.wake()
	}
	return did
}
