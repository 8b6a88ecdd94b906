package soft

import (
	"sync"
	"sync/atomic"

	"aqueduct/roc/trace"
)

// busy reports whether there is something a thread could do now.
func (a *Agent) busy() bool {
	if a.launches.open.Load() > 0 || a.deviceQueues.ready() {
		return true
	}
	for _, q := range *a.queues.Load() {
		if q.ready() {
			return true
		}
	}
	return false
}

// work does some of what there is to do and reports whether there was any: what kernels enqueued first, as it fills memory
// that is bounded; then queues, as they may hold what keeps all other threads busy, then chunks of launches.
func (t *thread) work() bool {
	a := t.agent
	if t.families < familiesFirst && t.takeChildren() {
		t.families++
		if p := t.children(); p != nil {
			t.process(p)
		}
		return true
	}
	t.families = 0
	for _, q := range *a.queues.Load() {
		if q.ready() && (t.worker || q.free()) && q.tryLock() {
			t.process(q)
			return true
		}
	}
	l := a.launches.pick()
	if l == nil {
		return false
	}
	t.engage() // which wakes the next, as long as there are chunks left
	q := t.join(l)
	t.disengage()
	if q != nil {
		t.process(q)
	}
	return true
}

// free reports whether a helper should process q, which is ready. With a worker attentive it should not at once: work that
// moves from one core to another and back takes longer than where it is.
func (q *Queue) free() bool {
	if q.agent.pool.attentive.Load() == 0 {
		return true
	}
	mark := q.read.Load() + 1 // so that zero is no index
	return q.passed.Swap(mark) == mark
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
	return &thread{agent: a, number: trace.Helper + uint32(h.made)}
}

// dismiss gives back what helper returned.
func (a *Agent) dismiss(t *thread) {
	if t = a.helpers.last.Swap(t); t != nil {
		a.helpers.mu.Lock()
		a.helpers.free = append(a.helpers.free, t)
		a.helpers.mu.Unlock()
	}
}

// Help implements hsa.Agent. It ends when the caller may have what he waits for, which he has to see for himself; what is left
// is for a worker then. A partition gets no help, as who waits for it runs anywhere.
func (a *Agent) Help() (did bool) {
	if a.part || !a.busy() {
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
	a.dismiss(t)
	if did && a.busy() {
		a.pool.wake()
	}
	return did
}
