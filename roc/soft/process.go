package soft

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/hsa"
)

// process takes packets of q, which the caller has locked, in order, until none can start now or t has done enough.
func (t *thread) process(q *Queue) {
	for {
		if t.budget <= 0 {
			q.leave()
			return
		}
		state := q.state.Load()
		if state&halted != 0 {
			if state < running {
				q.report() // and stays locked
				return
			}
			if q.unlock() {
				return
			}
			continue
		}
		p := q.Packet(q.next)
		header := uint16(atomic.LoadUint32((*uint32)(p)))
		if hsa.Type(header) == hsa.PacketInvalid || hsa.Barrier(header) && state >= running {
			if q.unlock() {
				return
			}
			continue
		}
		raceAcquire(&q.write)
		t.budget -= packetWork
		goesOn := true
		switch hsa.Type(header) {
		case hsa.PacketKernelDispatch:
			if r := t.gather(q, state); r.packets > 0 {
				goesOn = t.together(q, &r)
			} else {
				goesOn = t.dispatch(q, (*hsa.KernelDispatchPacket)(p))
			}
		case hsa.PacketBarrierAnd, hsa.PacketBarrierOr:
			b := (*hsa.BarrierPacket)(p)
			if q.blocked(b, hsa.Type(header) == hsa.PacketBarrierOr) {
				if q.unlock() {
					return
				}
				continue
			}
			if b.Completion == 0 {
				q.take(1)
				continue
			}
			goesOn = t.run(q, b.Completion, false, func() error { return nil })
		case hsa.PacketAgentDispatch:
			if !t.may(q) {
				t.refuse(q)
				return
			}
			d := (*hsa.AgentDispatchPacket)(p)
			arg, id := d.Args[0], d.Correlation
			goesOn = t.run(q, d.Completion, true, func() error { return t.serve(arg, id) })
		default:
			index := q.take(1)
			q.start()
			q.fail(index, fmt.Errorf("AQL packet of type %d", hsa.Type(header)))
			goesOn = q.finish()
		}
		if !goesOn {
			return
		}
	}
}

// take consumes n packets from next on, whose slots are free from now on. It returns the index of the first.
func (q *Queue) take(n int) (index uint64) {
	index = q.next
	for ; n > 0; n-- {
		atomic.StoreUint32((*uint32)(q.Packet(q.next)), uint32(hsa.PacketInvalid))
		q.next++
	}
	q.read.Store(q.next)
	return index
}

// blocked reports whether a barrier packet has to wait, and has seen to it that q is kicked when it may go on.
func (q *Queue) blocked(b *hsa.BarrierPacket, or bool) bool {
	some := false
	for i, s := range b.Deps {
		if s == 0 {
			continue
		}
		some = true
		if s.Load() > 0 {
			q.waits[i] = q.agent.await(q, s, q.waits[i])
			if q.waits[i] != nil {
				if or {
					continue
				}
				return true
			}
		}
		raceAcquire(q.agent.signals.state(s.Block()))
		if or {
			return false
		}
	}
	return or && some
}

// run takes the packet at next and does what it says on this thread. It reports whether the caller is the packet processor
// still.
func (t *thread) run(q *Queue, completion hsa.Signal, long bool, work func() error) bool {
	index := q.take(1)
	if !long {
		q.start()
		return t.end(q, index, completion, began(completion), work())
	}
	t.budget -= serviceWork
	q.makeWay()
	q.start()
	t.engage()
	start := began(completion)
	err := work()
	t.disengage()
	return t.end(q, index, completion, start, err)
}

// began notes that the packet with this completion signal has started.
func began(completion hsa.Signal) (start uint64) {
	if completion == 0 {
		return 0
	}
	start = uint64(nanotime())
	atomic.StoreUint64(&completion.Block().StartTS, start)
	return start
}

// end is what follows the execution of a packet. It reports whether the caller is the packet processor now.
func (t *thread) end(q *Queue, index uint64, completion hsa.Signal, start uint64, err error) bool {
	if err != nil {
		q.fail(index, err)
	} else if completion != 0 {
		atomic.StoreUint64(&completion.Block().EndTS, max(uint64(nanotime()), start))
		if t.agent.complete(completion) && t.assists {
			t.agent.pool.wake() // as the queues that waited are none that t looks at
		}
	}
	return q.finish()
}

// dispatch takes the kernel dispatch packet at next. A small grid runs at once on this thread; of a larger one others get
// their share. It reports whether the caller is the packet processor still.
func (t *thread) dispatch(q *Queue, p *hsa.KernelDispatchPacket) bool {
	l := launch{
		queue:      q,
		priority:   q.priority,
		kernel:     kernelOf(p.KernelObject),
		kernarg:    pointer(p.KernargAddress),
		local:      p.GroupSegmentSize,
		completion: p.Completion,
		id:         p.Correlation,
	}
	l.grid = gridOf(p, l.kernel)
	if !l.kernel.isBrief(l.grid) && !t.mayRun(l.kernel, q) {
		t.refuse(q)
		return false
	}
	l.index = q.take(1)
	nanos, known := l.kernel.estimate(l.groups * l.items)
	workers := uint64(t.agent.workers)
	if q.throttle {
		workers = 1
	}
	l.chunk = l.kernel.chunk(l.groups, workers, nanos, known)
	if l.chunk < l.groups {
		return q == t.share(&launch{
			queue: q, priority: q.priority, index: l.index, id: l.id, kernel: l.kernel, kernarg: l.kernarg, local: l.local, completion: l.completion,
			grid: l.grid, chunk: l.chunk,
		})
	}
	t.budget -= int64(nanos)
	l.long = nanos > sharedWork || !known
	if l.long {
		q.makeWay()
	}
	q.start()
	if l.long {
		t.engage()
	}
	l.start = began(l.completion)
	t.adopt(&l)
	err := t.execute(&l, l.first, l.first+l.groups)
	if l.long {
		t.disengage()
	}
	if l.start != 0 && err == nil {
		l.kernel.measure(uint64(nanotime())-l.start, l.groups*l.items)
	}
	return t.ended(&l, err) == q
}

// makeWay is called before something that takes long, with q locked: what could run beside it should not wait for it.
func (q *Queue) makeWay() {
	if q.another() {
		q.kick()
	}
}

// another reports that the packet at next could start beside the one just taken.
func (q *Queue) another() bool {
	header := uint16(atomic.LoadUint32((*uint32)(q.Packet(q.next))))
	return hsa.Type(header) != hsa.PacketInvalid && !hsa.Barrier(header)
}

// pointer converts an address in a packet, which is outside Go's heap or kept alive elsewhere.
func pointer(address uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
