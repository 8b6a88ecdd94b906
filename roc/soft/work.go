package soft

import (
	"slices"
	"sync"
	"sync/atomic"

	"aqueduct/roc/hsa"
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
		if q.ready() && (t.worker || !slices.Contains(t.refused, q) && q.free()) && q.tryLock() {
			t.process(q)
			return true
		}
	}
	l, share := a.launches.pick(t)
	if l == nil {
		return false
	}
	if q := t.join(l, share); q != nil {
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
	clear(t.refused)
	t.waiter, t.awaited, t.refused, t.left = nil, nil, t.refused[:0], false
	if t = a.helpers.last.Swap(t); t != nil {
		a.helpers.mu.Lock()
		a.helpers.free = append(a.helpers.free, t)
		a.helpers.mu.Unlock()
	}
}

// Help implements hsa.Agent. It ends when the caller may have what he waits for, which he has to see for himself; what is left
// is for a worker then. A partition gets no help, as who waits for it runs anywhere.
func (a *Agent) Help(w hsa.Waiter, awaited any) bool {
	if a.part || !a.busy() {
		return false
	}
	t := a.helper()
	if t == nil {
		return false
	}
	t.budget, t.waiter, t.awaited = helperBudget, w, awaited
	for t.budget > 0 && t.work() {
	}
	did, left := t.budget < helperBudget, t.left
	a.dismiss(t)
	if (did || left) && a.busy() {
		a.pool.wake()
	}
	return did
}

// may reports whether t may do what q has next, or is doing, and is not brief. It can take any time, as a kernel may wait for what the
// application does when a helper comes back. q is locked, or what it is doing has not ended.
func (t *thread) may(q *Queue) bool {
	return t.worker || t.waiter != nil && t.waiter.Needs(q, t.awaited)
}

// mayRun is may for a kernel of any size. Those of the agent's own wait for nothing, and end their chunks soon.
func (t *thread) mayRun(k *kernel, q *Queue) bool { return k.run != nil && !t.assists || t.may(q) }

// refuse leaves q, which t has locked, to others.
func (t *thread) refuse(q *Queue) {
	t.budget += packetWork // of the packet that was looked at
	t.refused, t.left = append(t.refused, q), true
	q.leave()
}
