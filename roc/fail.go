package roc

import (
	"fmt"

	"aqueduct/hostqueue"
	"aqueduct/roc/hsa"
)

// fail ends the commands whose packets failed, and those that depend on them, and has everything else in the ring run in a
// new queue. It is the onError of q.
//
// While it works no signal of a failed command comes down, so whatever waits for one, in any ring, waits still and can be
// taken back.
func (r *ring) fail(q hsa.Queue, faults []hsa.Fault) {
	d := r.device
	d.failing.Lock()
	defer d.failing.Unlock()

	culprits, ran := r.halt(q.ReadIndex(), faults)
	for _, c := range ran { // first, so that an in-order queue ends its commands in order
		c.Keep() // for the end of its batch
		c.Complete(hostqueue.Complete, 0, 0)
	}
	for _, c := range culprits {
		c.cmd.Keep()
		c.gpu.report(c.cmd, fmt.Sprintf("%s failed: %v", c.what, c.err)) // before anyone can see that it failed
		c.cmd.Complete(hostqueue.ErrOutOfResources, 0, 0)
	}
	d.spread()
	q.Destroy()
	if lost := r.reopen(); lost != nil {
		d.spread()
		d.end(lost)
	}
}

// culprit is a command whose packet failed.
type culprit struct {
	gpu  *VirtualGPU
	cmd  *hostqueue.Command
	what string // failed
	err  error
}

// describe names what packet index of e does.
func (e *entry) describe(index uint64) string {
	if op, ok := e.op().(*Replay); ok {
		return op.describe(e.part.end - int(e.to-index))
	}
	return describe(e.op())
}

func describe(op hostqueue.Op) string {
	switch op := op.(type) {
	case *Dispatch:
		return "kernel " + op.Kernel.Info.Name
	case CopyRect:
		return "a copy"
	case Fill:
		return "a fill"
	case HostFunc:
		return "a native kernel"
	}
	return "a command"
}

// halt stops the ring, of whose packets those before index taken have run and some failed. It returns the commands of these,
// and those that have run without a signal to show it.
func (r *ring) halt(taken uint64, faults []hsa.Fault) (culprits []culprit, ran []*hostqueue.Command) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = nil
	for b := r.head; b != nil; b = b.next {
		if b.ended() {
			continue
		}
		for i := range b.entries {
			e := &b.entries[i]
			if n := len(culprits); n > 0 && culprits[n-1].cmd == e.cmd { // what is left of a replay
				e.status = hostqueue.ErrOutOfResources
			}
			if !b.written || e.skipped() || e.cmd == nil {
				continue
			}
			if f := e.fault(faults); f != nil {
				e.status = hostqueue.ErrOutOfResources
				culprits = append(culprits, culprit{b.gpu, e.cmd, e.describe(f.Index), f.Err})
			} else if e.to <= taken {
				e.done = true
				if !e.part.more {
					ran = append(ran, e.cmd)
				}
			} else {
				e.drop(taken, r.device)
			}
		}
		b.written = false
	}
	return culprits, ran
}

// fault returns the fault among faults that is in a packet of e.
func (e *entry) fault(faults []hsa.Fault) *hsa.Fault {
	for i := range faults {
		if f := &faults[i]; e.from <= f.Index && f.Index < e.to {
			return f
		}
	}
	return nil
}

// drop forgets the packets of a dispatch of several, or of a replay, that have run.
func (e *entry) drop(taken uint64, d *Device) {
	if _, ok := e.op().(*Replay); ok {
		e.part.first = max(e.part.first, e.part.end-int(e.to-taken))
		return
	}
	for first := e.to - uint64(len(e.slices)); first < taken && first < e.to; first++ {
		d.kernargs.put(e.slices[0].args)
		e.slices = e.slices[1:]
	}
}

// ended reports that the packets of b have all completed: its handler runs or is about to.
func (b *batch) ended() bool { return b.written && b.signal.Load() <= 0 }

// doom marks commands of b, which comes into its ring, that are not to run since a dependency failed or will. It must be known
// now, before anything can depend on b: later, the packets of such a command may only be changed while the signal of what
// failed holds up all that depend on it, or these would run. That is poison's part.
func (b *batch) doom() {
	for i := range b.entries {
		if e := &b.entries[i]; e.cmd != nil && e.cmd.Poisoned() {
			e.status = hostqueue.ErrWaitList
		}
	}
}

// spread ends all commands in flight that depend on a failed one.
func (d *Device) spread() {
	for poisoned := d.poison(); len(poisoned) > 0; poisoned = d.poison() {
		for _, c := range poisoned {
			c.Keep()
			c.Complete(hostqueue.ErrWaitList, 0, 0)
		}
	}
}

// poison marks all commands in flight that depend on a failed one and were not marked yet, has their packets do nothing, and
// returns them.
func (d *Device) poison() (poisoned []*hostqueue.Command) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, rings := range d.rings {
		for _, r := range rings {
			poisoned = append(poisoned, r.poison()...)
		}
	}
	return poisoned
}

func (r *ring) poison() (poisoned []*hostqueue.Command) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for b := r.head; b != nil; b = b.next {
		for i := range b.entries {
			e := &b.entries[i]
			if e.cmd == nil || e.skipped() || b.ended() || !e.cmd.Poisoned() {
				continue
			}
			e.status = hostqueue.ErrWaitList
			if !e.part.more {
				poisoned = append(poisoned, e.cmd)
			}
			if b.written {
				r.cancel(b, e)
			}
		}
	}
	return poisoned
}

// cancel turns the packets of e, which are behind a barrier packet that waits for a failed command, into ones that do nothing.
func (r *ring) cancel(b *batch, e *entry) {
	for at := e.from; at < e.to; at++ {
		p := (*hsa.BarrierPacket)(r.queue.Packet(at))
		if t := hsa.Type(p.Header); t == hsa.PacketBarrierAnd {
			continue
		}
		header := p.Header&^0xff | uint16(hsa.PacketBarrierAnd)
		p.Reserved, p.Reserved2, p.Deps = 0, 0, [depsPerPacket]hsa.Signal{}
		r.queue.Publish(at, header, 0)
	}
}

// reopen gives the ring a new queue and writes into it what has not run. If there is no new queue it is all lost.
func (r *ring) reopen() (lost []*batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.open()
	r.last = 0
	r.unwritten = r.head
	if err == nil {
		r.refill()
		return nil
	}
	r.dead = true
	return r.lose(r.head)
}

// lose has first and what follows it fail, for want of a queue: end will retire them. r.mu is held.
func (r *ring) lose(first *batch) (lost []*batch) {
	for b := first; b != nil; b = b.next {
		if b.ended() {
			continue
		}
		for i := range b.entries {
			if e := &b.entries[i]; !e.skipped() {
				e.status = hostqueue.ErrOutOfResources
				if e.cmd != nil {
					e.cmd.Doom()
				}
			}
		}
		b.signal.Reset(1) // for the one Complete that ends it
		if !b.watched {
			b.watched = true
			r.device.agent.Watch(b.signal, b.id)
		}
		lost = append(lost, b)
	}
	return lost
}

// end retires batches that no agent will.
func (d *Device) end(lost []*batch) {
	for _, b := range lost {
		d.agent.Complete(b.signal)
	}
}

// serviceArg is how an agent dispatch packet names a HostFunc: entry index of batch id.
func serviceArg(id uintptr, index int) uint64 { return uint64(id)<<16 | uint64(index) }

// serve is the agent's service: it runs a HostFunc.
func (d *Device) serve(arg uint64) (err error) {
	b := d.batches.at(uintptr(arg >> 16))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return b.entries[arg&0xffff].op().(HostFunc).Run()
}
