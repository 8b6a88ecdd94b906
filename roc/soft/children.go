package soft

import (
	"unsafe"

	"aqueduct/devicequeue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
	"aqueduct/roc/trace"
)

// enqueuing is what a thread needs for kernels that enqueue.
type enqueuing struct {
	enqueues  [childBatch]devicequeue.Enqueues // kernels have their addresses
	scheduler *devicequeue.Scheduler
	taken     [childBatch]*devicequeue.Slot
	takings   takings
	batch     batch
	families  int // times in a row that what kernels enqueued came first
}

// family is the packet whose kernel is the first of a family.
type family struct {
	queue      *Queue
	index      uint64
	completion hsa.Signal
	start      uint64
}

const (
	childBatch    = 64  // enqueued commands that a thread takes at a time, at most
	childrenAhead = 16  // how far ahead it has the memory of those fetched
	manyChildren  = 16  // for which to wake another worker
	enoughForAll  = 2   // commands that may run, for each worker, with which none runs in parts
	familiesFirst = 256 // batches after which queues have their turn
)

// scheduling returns the thread's scheduler, nil if the agent never had an on-device queue.
func (t *thread) scheduling() *devicequeue.Scheduler {
	if t.scheduler == nil {
		d := &t.agent.deviceQueues
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.events == nil {
			return nil
		}
		t.scheduler = devicequeue.NewScheduler(d.events, func() uint64 { return uint64(nanotime()) })
	}
	return t.scheduler
}

// adopt makes l, the kernel of a packet, the first of a family, if it may enqueue.
func (t *thread) adopt(l *launch) {
	if !l.kernel.enqueues {
		return
	}
	if s := t.scheduling(); s != nil {
		l.parent.Root(s.Start(family{l.queue, l.index, l.completion, l.start}))
	}
}

// lend makes ready what part i of a call of k finds, which enqueues. Without on-device queues it finds no default queue. long
// says that others are to know of what it enqueues while it runs.
func (t *thread) lend(i int, k *kernel, p *devicequeue.Parent, long bool) {
	e := &t.enqueues[i]
	t.parts[i].services = unsafe.Pointer(e)
	if p.Family == nil {
		*e = devicequeue.Enqueues{}
		return
	}
	h := (*codeobject.HiddenArgs)(unsafe.Add(t.parts[i].kernarg, k.hidden))
	t.scheduling().Lend(e, h.DefaultQueue, p)
	if long {
		e.Ring(&t.agent.pool.bell)
	}
}

// collect sees to what part i of a call of a kernel enqueued.
func (t *thread) collect(i int, p *devicequeue.Parent, err error) {
	if p.Family == nil {
		return
	}
	if err != nil {
		p.Family.Fail(err)
	}
	t.scheduler.Collect(&t.enqueues[i], p)
}

// publish has what has become ready run, in the midst of a kernel.
func (t *thread) publish() {
	if t.scheduler != nil {
		t.spread(t.scheduler.Publish())
		t.leave(t.endFamilies())
	}
}

// spread has others know that n commands have become ready.
func (t *thread) spread(n int) {
	if n > manyChildren {
		t.agent.pool.wakeAnother(true)
	} else if n > 1 {
		t.agent.pool.wake()
	}
}

// deliver has others know of commands that have become ready, and ends the packets of families that have ended. It returns the
// queue whose packet processor the caller is now, if any.
func (t *thread) deliver() *Queue {
	t.spread(t.scheduler.Deliver())
	return t.endFamilies()
}

// endFamilies ends the packets of families that have ended, and returns what deliver does.
func (t *thread) endFamilies() (processor *Queue) {
	for over := t.scheduler.Over(); over != nil; over = t.scheduler.Over() {
		f := over.Owner.(family)
		err := over.Err()
		t.scheduler.Finish(over)
		if t.end(f.queue, f.index, f.completion, f.start, err) {
			t.leave(processor)
			processor = f.queue
		}
	}
	return processor
}

// leave lets others process q, if any.
func (t *thread) leave(q *Queue) {
	if q != nil {
		q.leave()
		t.agent.pool.wake()
	}
}

// batch is enqueued kernels that are alike and take so little that crossing from Go to native code and back for each, or
// looking at the clock, would cost as much as they do.
type batch struct {
	kernel  *kernel
	local   uint32
	items   uint64
	groups  uint64
	slots   []*devicequeue.Slot
	parents [childBatch]devicequeue.Parent
}

// takings are commands of an on-device queue that a thread has taken, to run them.
type takings struct {
	queue *devicequeue.Queue
	slots []*devicequeue.Slot
	ready int // how many there were to take, about
}

// takeChildren takes some of the commands that may run, and reports whether there were any.
func (t *thread) takeChildren() bool {
	t.takings = takings{}
	t.agent.deviceQueues.look(func(q *devicequeue.Queue) bool {
		ready := q.Ready()
		if ready == 0 {
			return true
		}
		taken := q.Take(t.taken[:1])
		if len(taken) == 0 {
			return true
		}
		if brief(taken[0]) { // else what came with it would have to go back
			n := 1 + len(q.Take(t.taken[1:min(max(ready/(2*t.agent.workers), 1), childBatch)]))
			taken = t.taken[:n]
		}
		t.takings = takings{q, taken, ready}
		return false
	})
	q, taken := t.takings.queue, t.takings.slots
	if q == nil {
		return false
	}
	if !t.may(origin(taken[0].Family())) {
		q.Return(taken)
		t.left = true
		return false
	}
	return true
}

// origin is the queue of the packet that f began with. The caller has a slot of the family, which comes and goes through memory outside
// Go's heap, or a launch; what is acquired and released is the count that f begins with, set before and taken down after that.
func origin(f *devicequeue.Family) *Queue {
	raceAcquire(f)
	defer raceRelease(f)
	return f.Owner.(family).queue
}

// children runs some of the commands that were taken. It returns the queue whose packet processor the caller is now, if any.
func (t *thread) children() *Queue {
	s := t.scheduling()
	q, taken, ready := t.takings.queue, t.takings.slots, t.takings.ready
	if ready > 2*manyChildren {
		t.agent.pool.wakeAnother(true)
	}
	devicequeue.Prefetch(taken[:min(childrenAhead, len(taken))])
	for i, slot := range taken {
		if at := i + childrenAhead; i%childrenAhead == 0 && at < len(taken) {
			devicequeue.Prefetch(taken[at:min(at+childrenAhead, len(taken))])
		}
		if i > 0 && slot.Family() != taken[0].Family() {
			q.Return(taken[i:])
			break
		}
		if slot.Timed() {
			t.flush()
		}
		if !s.Begin(slot) {
			continue
		}
		p := &slot.Packet
		k := kernelOf(p.KernelObject)
		g := gridOf(p, k)
		nanos, known := k.estimate(g.groups * g.items)
		short := known && nanos <= sharedWork
		recorded := trace.Sample()
		if short && !recorded && !slot.Timed() {
			t.budget -= int64(nanos) + packetWork
			t.put(slot, k, &g)
			continue
		}
		t.flush()
		if !short && i > 0 { // runs alone, and when what has ended has been seen to
			q.Return(taken[i:])
			break
		}
		l := launch{slot: slot, kernel: k, kernarg: pointer(p.KernargAddress), local: p.GroupSegmentSize, grid: g, long: !short}
		if recorded {
			l.id = trace.Inner
		}
		t.budget -= int64(nanos) + packetWork
		l.parent.Of(slot)
		if short {
			t.child(&l)
			continue
		}
		q.Return(taken[1:])
		if piece := l.kernel.chunk(l.groups, uint64(t.agent.workers), nanos, known); piece < l.groups && (!known || nanos > wholeWork || ready < enoughForAll*t.agent.workers) {
			t.budget += int64(nanos)
			shared := &launch{
				slot: slot, id: l.id, kernel: k, kernarg: l.kernarg, local: l.local, priority: hsa.PriorityNormal, grid: g, chunk: piece, long: true,
			}
			shared.parent.Of(slot)
			return t.open(shared, origin(shared.parent.Family))
		}
		t.engage()
		t.child(&l)
		t.disengage()
		break
	}
	t.flush()
	return t.deliver()
}

// brief says that a slot's kernel takes so little that others may run with it, as far as is known.
func brief(s *devicequeue.Slot) bool {
	k := kernelOf(s.Packet.KernelObject)
	g := gridOf(&s.Packet, k)
	nanos, known := k.estimate(g.groups * g.items)
	return known && nanos <= sharedWork
}

// put adds an enqueued kernel to the batch, and runs first what is in it if that is not alike.
func (t *thread) put(slot *devicequeue.Slot, k *kernel, g *grid) {
	b := &t.batch
	local := slot.Packet.GroupSegmentSize
	if len(b.slots) > 0 && (k != b.kernel || g.items != b.items || local != b.local) {
		t.flush()
	}
	n := len(b.slots)
	if n == 0 {
		b.kernel, b.local, b.items, b.groups = k, local, g.items, 0
	}
	t.parts[n] = part{kernarg: pointer(slot.Packet.KernargAddress), first: g.first, last: g.first + g.groups}
	b.parents[n].Of(slot)
	if k.enqueues {
		t.lend(n, k, &b.parents[n], false)
	}
	b.groups += g.groups
	b.slots = append(b.slots, slot)
}

// flush runs the batch.
func (t *thread) flush() {
	b := &t.batch
	n := len(b.slots)
	if n == 0 {
		return
	}
	err := t.equip(b.kernel, b.local, b.items)
	if err == nil {
		start := nanotime()
		if err = t.native(b.kernel, t.parts[:n]); err == nil {
			b.kernel.measure(uint64(nanotime()-start), b.groups*b.items)
		}
	}
	if err != nil {
		b.parents[0].Family.Fail(err)
	}
	for i, slot := range b.slots {
		if b.kernel.enqueues {
			t.collect(i, &b.parents[i], err)
		}
		t.scheduler.End(slot, &b.parents[i])
	}
	b.slots = b.slots[:0]
}

// child runs all of an enqueued kernel.
func (t *thread) child(l *launch) {
	l.start = uint64(nanotime())
	if err := t.execute(l, l.first, l.first+l.groups); err != nil {
		l.parent.Family.Fail(err)
	} else {
		l.kernel.measure(uint64(nanotime())-l.start, l.groups*l.items)
	}
	t.scheduler.End(l.slot, &l.parent)
}

// ended is what follows when all work-groups of l have run, or one has failed. It returns the queue whose packet processor the
// caller is now, if any.
func (t *thread) ended(l *launch, err error) *Queue {
	f := l.parent.Family
	switch {
	case f == nil:
		if t.end(l.queue, l.index, l.completion, l.start, err) {
			return l.queue
		}
		return nil
	case err != nil:
		f.Fail(err)
	}
	if l.slot == nil {
		t.scheduling().EndRoot(&l.parent)
	} else {
		t.scheduling().End(l.slot, &l.parent)
	}
	return t.deliver()
}
