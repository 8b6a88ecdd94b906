package soft

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/devicequeue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
	"aqueduct/roc/trace"
)

// deviceQueues are the on-device queues of the agent.
type deviceQueues struct {
	list atomic.Pointer[[]*devicequeue.Queue] // nil before the first; replaced with mu held

	mu     sync.Mutex
	events *devicequeue.Events // set with the first queue
}

// deviceQueue implements hsa.DeviceQueue.
type deviceQueue struct {
	*devicequeue.Queue
	agent *Agent
}

var queueMemory = devicequeue.Memory{Map: mapMemory, Unmap: unmapMemory}

// NewDeviceQueue implements hsa.Agent.
func (a *Agent) NewDeviceQueue(size uint32) (hsa.DeviceQueue, error) {
	d := &a.deviceQueues
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.events == nil {
		e, err := devicequeue.NewEvents(queueMemory)
		if err != nil {
			return nil, err
		}
		d.events = e
	}
	q, err := devicequeue.New(size, d.events, queueMemory)
	if err != nil {
		return nil, err
	}
	var list []*devicequeue.Queue
	if old := d.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	list = append(list, q)
	d.list.Store(&list)
	return &deviceQueue{q, a}, nil
}

// Destroy implements hsa.DeviceQueue.
func (q *deviceQueue) Destroy() {
	d := &q.agent.deviceQueues
	d.mu.Lock()
	list := slices.DeleteFunc(slices.Clone(*d.list.Load()), func(x *devicequeue.Queue) bool { return x == q.Queue })
	d.list.Store(&list)
	d.mu.Unlock()
	q.Queue.Destroy()
}

// ready returns a queue with commands that may run, nil if there is none.
func (d *deviceQueues) ready() *devicequeue.Queue {
	if list := d.list.Load(); list != nil {
		for _, q := range *list {
			if q.Ready() > 0 {
				return q
			}
		}
	}
	return nil
}

// enqueuing is what a thread needs for kernels that enqueue.
type enqueuing struct {
	enqueues  devicequeue.Enqueues // kernels have its address
	scheduler *devicequeue.Scheduler
	taken     [childBatch]*devicequeue.Slot
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
	childBatch    = 16  // enqueued commands that a thread takes at a time, at most
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

// lend makes ready what a call of a kernel that enqueues finds. Without on-device queues it finds no default queue.
func (t *thread) lend(l *launch) {
	t.context.Services = unsafe.Pointer(&t.enqueues)
	s := t.scheduling()
	if s == nil {
		t.enqueues = devicequeue.Enqueues{}
		return
	}
	h := (*codeobject.HiddenArgs)(unsafe.Add(l.kernarg, l.kernel.hidden))
	s.Lend(&t.enqueues, h.DefaultQueue)
}

// collect sees to what a call of l's kernel enqueued.
func (t *thread) collect(l *launch, err error) {
	if l.parent.Family == nil {
		return
	}
	if err != nil {
		l.parent.Family.Fail(err)
	}
	t.scheduler.Collect(&t.enqueues, &l.parent)
	t.spread(t.scheduler.Publish())
}

// spread has others know that n commands have become ready.
func (t *thread) spread(n int) {
	if n > childBatch {
		t.agent.pool.wakeAnother(true)
	} else if n > 1 {
		t.agent.pool.wake()
	}
}

// deliver has others know of commands that have become ready, and ends the packet of a family that has ended. It returns the
// queue whose packet processor the caller is now, if any.
func (t *thread) deliver() *Queue {
	n, over := t.scheduler.Deliver()
	t.spread(n)
	if over == nil {
		return nil
	}
	f := over.Owner.(family)
	err := over.Err()
	t.scheduler.Finish(over)
	if t.end(f.queue, f.index, f.completion, f.start, err) {
		return f.queue
	}
	return nil
}

// children runs some of the commands of q that may run. It returns the queue whose packet processor the caller is now, if any.
func (t *thread) children(q *devicequeue.Queue) *Queue {
	s := t.scheduling()
	ready := q.Ready()
	taken := q.Take(t.taken[:min(max(ready/(2*t.agent.workers), 1), childBatch)])
	if ready > 2*childBatch {
		t.agent.pool.wakeAnother(true)
	}
	for i, slot := range taken {
		if i > 0 && slot.Family() != taken[0].Family() {
			q.Return(taken[i:])
			break
		}
		if !s.Begin(slot) {
			continue
		}
		p := &slot.Packet
		l := launch{slot: slot, kernel: kernelOf(p.KernelObject), kernarg: pointer(p.KernargAddress), local: p.GroupSegmentSize}
		if trace.Sample() {
			l.id = trace.Inner
		}
		l.layout(p)
		nanos, known := l.kernel.estimate(l.groups * l.items)
		l.chunk = chunk(l.groups, uint64(t.agent.workers), nanos, known)
		if nanos <= sharedWork && known {
			t.budget -= int64(nanos) + packetWork
			l.parent.Of(slot)
			t.child(&l, i == 0)
			continue
		}
		// What takes long runs alone, and when what has ended has been seen to.
		if i > 0 {
			q.Return(taken[i:])
			break
		}
		q.Return(taken[1:])
		if l.chunk < l.groups {
			shared := &launch{
				slot: slot, id: l.id, kernel: l.kernel, kernarg: l.kernarg, local: l.local, priority: hsa.PriorityNormal,
				groups: l.groups, items: l.items, chunk: l.chunk,
			}
			shared.parent.Of(slot)
			return t.open(shared)
		}
		t.budget -= int64(nanos) + packetWork
		l.parent.Of(slot)
		t.engage()
		t.child(&l, true)
		t.disengage()
		break
	}
	return t.deliver()
}

// child runs all of an enqueued kernel.
func (t *thread) child(l *launch, measured bool) {
	if measured {
		l.start = uint64(nanotime())
	}
	err := t.execute(l, 0, l.groups)
	if err != nil {
		l.parent.Family.Fail(err)
	} else if measured {
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
