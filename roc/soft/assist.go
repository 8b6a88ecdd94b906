package soft

// Assist implements hsa.Queue. A tiny kernel is run by the thread that enqueues it, as is its right: the kernels taken have no
// loops, so they cannot wait for anything. Handing one to another core takes longer than running it does, as a dozen cache lines
// have to follow it there, and half of them come back.
func (q *Queue) Assist() {
	a := q.agent
	if a.part || !q.ready() {
		return // a worker knows of it
	}
	t := a.helper()
	if t == nil {
		a.pool.wake()
		return
	}
	if q.tryLock() {
		t.budget, t.assists = assistBudget, true
		t.process(q)
		t.assists = false
	}
	a.dismiss(t)
	if q.ready() || a.launches.open.Load() > 0 {
		a.pool.wake()
	}
}
