package soft

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// worker is a goroutine that executes packets.
type worker struct {
	thread thread
	unit   int           // number
	futex  atomic.Uint32 // set to wake it
	cpu    int           // on which it parked; guarded by pool.mu
}

func (w *worker) run(p *pool) {
	debug.SetPanicOnFault(true)
	if p.agent.part {
		runtime.LockOSThread()
		keepTo(p.agent.cpus[w.unit])
	}
	for {
		if !w.search(p) {
			w.park(p)
			continue
		}
		for more := true; more; {
			w.thread.budget = workerBudget
			more = w.thread.work()
		}
	}
}

// search looks for work for a while.
func (w *worker) search(p *pool) bool {
	seen := p.news.Load()
	if p.agent.busy() {
		return true
	}
	defer p.spinning.Add(-1)
	if p.spinning.Add(1) > p.spinners() {
		return false
	}
	for until := nanotime() + p.spin; nanotime() < until; osyield() {
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

// park sleeps until wake, unless there is work after all. A worker that parks is on the list before it looks for the last
// time, and a thread with work makes it visible before it looks at the list.
func (w *worker) park(p *pool) {
	w.futex.Store(0)
	here := cpu()
	p.mu.Lock()
	w.cpu = here
	p.parked = append(p.parked, w)
	p.spare.Add(1)
	p.attentive.Add(-1)
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
			p.spare.Add(-1)
			p.attentive.Add(1)
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

// engage says that t will not look at the queues for a while; what is ready now is for others.
func (t *thread) engage() {
	p := &t.agent.pool
	if t.worker {
		p.attentive.Add(-1)
	}
	if t.agent.busy() {
		p.wake()
	}
}

// disengage is the end of what engage announced.
func (t *thread) disengage() {
	if t.worker {
		t.agent.pool.attentive.Add(1)
	}
}
