package soft

import (
	"sync/atomic"

	"aqueduct/roc/hsa"
)

// run is consecutive packets of one kernel that are all brief. Crossing from Go to native code and back takes as long as a tiny
// kernel does, so they are run with one crossing; and with the queue locked, which keeps nobody longer than being told of each would.
type run struct {
	packets    int
	kernel     *kernel
	local      uint32 // bytes of group segment
	group      uint64 // work-items of a work-group
	items      uint64 // work-items in all
	completion hsa.Signal
}

// gather finds the run that begins with the dispatch packet at next, and puts its parts into t.parts. It may have no packets. q is locked
// and in a state.
func (t *thread) gather(q *Queue, state uint64) (r run) {
	first := (*hsa.KernelDispatchPacket)(q.Packet(q.next))
	r.kernel, r.local = kernelOf(first.KernelObject), first.GroupSegmentSize
	if r.kernel.brief == 0 {
		return r
	}
	for r.packets < min(len(t.parts), int(q.size)) && r.completion == 0 {
		p := (*hsa.KernelDispatchPacket)(q.Packet(q.next + uint64(r.packets)))
		if r.packets > 0 {
			header := uint16(atomic.LoadUint32((*uint32)(q.Packet(q.next + uint64(r.packets)))))
			if hsa.Type(header) != hsa.PacketKernelDispatch || hsa.Barrier(header) && state >= running {
				break
			}
			raceAcquire(&q.write)
			if p.KernelObject != first.KernelObject || p.WorkgroupSize != first.WorkgroupSize || p.GroupSegmentSize != first.GroupSegmentSize {
				break
			}
		}
		g := gridOf(p, r.kernel)
		if !r.kernel.isBrief(g) || p.Correlation != 0 {
			break
		}
		t.parts[r.packets] = part{kernarg: pointer(p.KernargAddress), first: g.first, last: g.first + g.groups}
		r.packets++
		r.group, r.completion = g.items, p.Completion
		r.items += g.groups * g.items
	}
	return r
}

// together executes a run, which is too short to learn from how long the kernel takes. It reports whether the caller is the packet processor still.
func (t *thread) together(q *Queue, r *run) bool {
	t.budget -= int64(r.packets-1)*packetWork + int64(r.items*r.kernel.guess/1000)
	start := began(r.completion)
	ran := 0
	err := t.equip(r.kernel, r.local, r.group)
	if err == nil {
		if err = t.call.run(r.kernel, t.parts[:r.packets]); err != nil {
			ran = t.call.ran(t.parts[:])
		}
	}
	if err != nil { // what is behind has not begun
		index := q.take(ran+1) + uint64(ran)
		q.start()
		q.fail(index, err)
		return q.finish()
	}
	index := q.take(r.packets)
	if r.completion == 0 {
		return true
	}
	q.start()
	return t.end(q, index+uint64(r.packets)-1, r.completion, start, nil)
}
