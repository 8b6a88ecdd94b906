package roc

import (
	"slices"

	"aqueduct/hostqueue"
)

// dependencies are what a command has to wait for on the device.
type dependencies struct {
	foreign []*batch // in other rings; each holds a reference
	local   bool     // something in its own ring, which takes but a barrier bit
}

// place chooses the ring that c goes into, and finds what c has to wait for there. Commands of other queues that c depends on are in
// their rings already. v.mu is held.
//
// As a rule the ring is the one v was assigned. But a queue of which nothing is in flight follows what its next command depends on
// into that one's ring, where a barrier bit does what would take a signal and a barrier packet: two queues that take turns cost no
// more than one. A barrier bit waits for everything in front of it, so v stays there only while that is what c has to wait for
// anyway, and for commands that take no longer than is saved.
func (v *VirtualGPU) place(c *hostqueue.Command, heavy bool) (d dependencies) {
	wait := c.WaitList()
	if v.ring == v.home && len(wait) == 0 {
		return d
	}
	live := v.live[:0]
	for _, dep := range wait {
		b, _ := dep.DeviceData.(*batch)
		switch {
		case b == nil || !b.acquire(): // has ended, maybe without the device
		case dep.Status() <= hostqueue.Complete: // so that b may be another's by now
			b.release()
		default:
			live = append(live, b)
		}
	}
	switch {
	case v.idle():
		v.ring, v.debt = v.home, false
		if len(live) > 0 && !heavy && v.mayFollow(live) {
			v.ring = live[0].ring
		}
	case v.ring != v.home && (heavy || !v.ring.endsWith(v.last, live)):
		if len(v.open) > 0 {
			v.cut(hostqueue.CutForeign, hostqueue.Leaves)
		}
		v.settle()
		if v.inOrder && v.last.acquire() {
			live = append(live, v.last)
		}
		v.ring = v.home
	}
	foreign := 0
	for _, b := range live {
		if b.ring == v.ring {
			d.local = true
			b.release()
		} else {
			live[foreign] = b
			foreign++
		}
	}
	d.foreign = slices.Clone(live[:foreign])
	clear(live)
	v.live = live
	return d
}

// mayFollow reports whether v, which is idle, may use the ring of deps.
func (v *VirtualGPU) mayFollow(deps []*batch) bool {
	b := deps[0]
	for _, other := range deps[1:] {
		if other != b {
			return false
		}
	}
	return b.gpu.inOrder && !b.heavy && b.ring.class == v.ring.class && b.ring.tail.Load() == b
}

// endsWith reports whether the last batch in the ring, if there is any, is one of these.
func (r *ring) endsWith(last *batch, others []*batch) bool {
	tail := r.tail.Load()
	return tail == nil || tail == last || slices.Contains(others, tail)
}

// idle reports that nothing of v is in a ring, or about to be. v.mu is held.
func (v *VirtualGPU) idle() bool { return len(v.open) == 0 && v.flight.Load() == 0 }
