package soft

import (
	"slices"
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

	origin  *Queue      // whose packet ends no earlier
	shares  []share     // one for each thread that there is room for
	threads int         // how many of the shares are used; guarded by launches.mu
	narrow  atomic.Bool // there is room for one thread only; written with launches.mu held
	trial   trial

	left   atomic.Int64 // groups not yet run, or given up
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

// launches are those that other threads may join. Each has room for as many threads as there are processors: with a helper more, one
// would be put aside in the midst of a chunk that all wait for at the end.
type launches struct {
	room int          // threads of one
	open atomic.Int32 // how many have room

	mu   sync.Mutex
	list []*launch // guarded by mu, as are their threads; in the order they came
}

// add lets others join l, and has the caller do so.
func (ls *launches) add(l *launch) (share int) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.list = append(ls.list, l)
	return ls.join(l, 0)
}

// join finds a free share for a thread: that of its unit, or else another. It is called with mu held.
func (ls *launches) join(l *launch, unit int) (share int) {
	share = unit % len(l.shares)
	for l.shares[share].used {
		share = (share + 1) % len(l.shares)
	}
	l.shares[share].used = true
	l.threads++
	ls.count()
	return share
}

// remove takes l out, all of whose groups were taken, unless another thread has. It is called before l ends.
func (ls *launches) remove(l *launch) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if i := slices.Index(ls.list, l); i >= 0 {
		ls.list = slices.Delete(ls.list, i, i+1)
		ls.count()
	}
}

// leave is what a thread does that has joined l. If another took l out in the midst of next, when what this one took was in no share, l
// comes back.
func (ls *launches) leave(l *launch, share int) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	s := &l.shares[share]
	s.used = false
	l.threads--
	if from, to := s.left(); from < to && !slices.Contains(ls.list, l) {
		ls.list = append(ls.list, l)
	}
	ls.count()
}

// roomOf is how many threads may be in l.
func (ls *launches) roomOf(l *launch) int {
	if l.narrow.Load() {
		return 1
	}
	return ls.room
}

// count is called with mu held.
func (ls *launches) count() {
	open := int32(0)
	for _, l := range ls.list {
		if l.threads < ls.roomOf(l) {
			open++
		}
	}
	ls.open.Store(open)
}

// pick has t join a launch: the oldest of the highest priority.
func (ls *launches) pick(t *thread) (best *launch, share int) {
	if ls.open.Load() == 0 {
		return nil, 0
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.list {
		if l.threads < ls.roomOf(l) && (best == nil || l.priority > best.priority) && t.mayRun(l.kernel, l.origin) {
			best = l
		}
	}
	if best != nil {
		share = ls.join(best, t.agent.unit())
	}
	return best, share
}

// share starts the kernel of a packet, which others may join, and joins it.
func (t *thread) share(l *launch) *Queue {
	l.long = true
	l.start = began(l.completion)
	l.queue.makeWay()
	l.queue.start()
	t.adopt(l)
	return t.open(l, l.queue)
}

// open lets others join l, and joins it.
func (t *thread) open(l *launch, origin *Queue) *Queue {
	ls := &t.agent.launches
	l.origin = origin
	chunks := (l.groups + l.chunk - 1) / l.chunk
	l.shares = divide(chunks, ls.room)
	narrow, try := l.kernel.contention.plan(chunks, ls.room)
	l.narrow.Store(narrow)
	l.trial.on.Store(try)
	l.left.Store(int64(l.groups))
	return t.join(l, ls.add(l))
}

// join executes chunks of l, in which t has a share, until none is left or t has done enough; a helper that needs l never has. It returns
// the queue whose packet processor the caller is now, if any: then it was the one to complete l.
func (t *thread) join(l *launch, share int) *Queue {
	ls := &t.agent.launches
	t.engage() // which wakes the next, as long as there is room
	defer t.disengage()
	defer ls.leave(l, share)
	for (t.budget > 0 || !t.worker && t.may(l.origin)) && !ls.crowded(l, share) {
		chunk, ok := l.next(share)
		if !ok {
			ls.remove(l)
			return nil
		}
		at := l.first + chunk*l.chunk
		last := min(at+l.chunk, l.first+l.groups)
		if !l.failed.Load() {
			company := ls.company(l)
			begin := nanotime()
			if err := t.execute(l, at, last); err != nil {
				if !l.failed.Swap(true) {
					l.fail(err)
				}
			} else {
				took := nanotime() - begin
				t.budget -= took
				l.kernel.measure(uint64(took), (last-at)*l.items)
				if company > 0 && ls.judge(l, company, took*1000/int64(last-at)) {
					t.agent.pool.wake()
				}
			}
		}
		if n := int64(last - at); l.left.Add(-n) > 0 {
			continue
		}
		ls.remove(l)
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

// next takes a chunk for the thread that has a share.
func (l *launch) next(share int) (chunk uint64, ok bool) {
	if l.narrow.Load() {
		return first(l.shares)
	}
	return next(l.shares, share)
}

// fail notes that l has failed, while it is running.
func (l *launch) fail(err error) {
	if l.parent.Family != nil {
		l.parent.Family.Fail(err)
	} else {
		l.queue.fail(l.index, err)
	}
}
