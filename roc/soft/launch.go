package soft

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/devicequeue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// launch is a kernel being executed: that of a packet, or one that a kernel enqueued.
type launch struct {
	queue      *Queue // nil without a packet, as are index and completion
	index      uint64
	slot       *devicequeue.Slot  // nil of a packet
	parent     devicequeue.Parent // of what the kernel enqueues; its Family is nil if it cannot
	priority   hsa.Priority
	kernel     *kernel
	kernarg    unsafe.Pointer
	local      uint32 // bytes of group segment
	completion hsa.Signal
	start      uint64
	id         uint64 // of the command, if it is recorded (package trace)

	grid
	chunk uint64 // work-groups taken at a time
	long  bool   // others are to know of what the kernel enqueues while it runs

	next   atomic.Uint64 // group to take
	left   atomic.Int64  // groups not yet run, or given up
	failed atomic.Bool
}

// grid is which work-groups of an NDRange there are.
type grid struct {
	first, groups uint64 // in linear order
	items         uint64 // work-items of one
}

// gridOf reads it from a packet and the hidden arguments.
func gridOf(p *hsa.KernelDispatchPacket, k *kernel) grid {
	g := grid{groups: 1, items: 1}
	for d := range 3 {
		size, grid := uint32(max(p.WorkgroupSize[d], 1)), p.GridSize[d]
		if grid > size { // a division takes longer than all else here
			groups := grid / size
			if groups*size < grid {
				groups++
			}
			g.groups *= uint64(groups)
		} else if grid == 0 {
			g.groups = 0
		}
		g.items *= uint64(size)
	}
	if k.run != nil {
		return g
	}
	h := (*codeobject.HiddenArgs)(unsafe.Add(pointer(p.KernargAddress), k.hidden))
	row := uint64(1)
	for d := range 3 {
		g.first += row * uint64(h.GroupBase[d])
		row *= uint64(h.BlockCount[d]) + uint64(min(h.Remainder[d], 1))
	}
	return g
}

// launches are those that other threads may join.
type launches struct {
	open atomic.Int32 // how many

	mu   sync.Mutex
	list []*launch // guarded by mu; in the order they came
}

func (ls *launches) add(l *launch) {
	ls.mu.Lock()
	ls.list = append(ls.list, l)
	ls.mu.Unlock()
	ls.open.Add(1)
}

// remove takes l out, all of whose groups were taken, unless another thread has.
func (ls *launches) remove(l *launch) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for i, x := range ls.list {
		if x == l {
			copy(ls.list[i:], ls.list[i+1:])
			ls.list[len(ls.list)-1] = nil
			ls.list = ls.list[:len(ls.list)-1]
			ls.open.Add(-1)
			return
		}
	}
}

// pick returns the launch for t to join: the oldest of the highest priority.
func (ls *launches) pick(t *thread) (best *launch) {
	if ls.open.Load() == 0 {
		return nil
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.list {
		if (best == nil || l.priority > best.priority) && (l.kernel.run != nil || t.may(l.origin())) {
			best = l
		}
	}
	return best
}

// share starts the kernel of a packet, which others may join, and joins it.
func (t *thread) share(l *launch) *Queue {
	l.long = true
	l.start = began(l.completion)
	l.queue.makeWay()
	l.queue.start()
	t.adopt(l)
	return t.open(l)
}

// open lets others join l, and joins it.
func (t *thread) open(l *launch) *Queue {
	l.next.Store(l.first)
	l.left.Store(int64(l.groups))
	t.agent.launches.add(l)
	t.engage()
	defer t.disengage()
	return t.join(l)
}

// join executes chunks of l until none is left or t has done enough. It returns the queue whose packet processor the caller is
// now, if any: then it was the one to complete l.
func (t *thread) join(l *launch) *Queue {
	for end := l.first + l.groups; t.budget > 0; {
		at := l.next.Add(l.chunk) - l.chunk
		last := min(at+l.chunk, end)
		if last == end || at >= end {
			t.agent.launches.remove(l)
		}
		if at >= end {
			return nil
		}
		if !l.failed.Load() {
			begin := nanotime()
			if err := t.execute(l, at, last); err != nil {
				if !l.failed.Swap(true) {
					l.fail(err)
				}
			} else {
				took := nanotime() - begin
				t.budget -= took
				l.kernel.measure(uint64(took), (last-at)*l.items)
			}
		}
		if n := int64(last - at); l.left.Add(-n) > 0 {
			continue
		}
		if l.failed.Load() && l.parent.Family == nil {
			if l.queue.finish() {
				return l.queue
			}
			return nil
		}
		return t.ended(l, nil)
	}
	return nil
}

// origin is the queue whose packet ends no earlier than l.
func (l *launch) origin() *Queue {
	if l.parent.Family != nil {
		return origin(l.parent.Family)
	}
	return l.queue
}

// fail notes that l has failed, while it is running.
func (l *launch) fail(err error) {
	if l.parent.Family != nil {
		l.parent.Family.Fail(err)
	} else {
		l.queue.fail(l.index, err)
	}
}
