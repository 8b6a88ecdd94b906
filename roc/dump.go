package roc

import (
	"fmt"
	"strings"
)

// Dump says in words what is in the rings, and what the agent makes of it: for hangs.
func (d *Device) Dump() string {
	var b strings.Builder
	d.mu.Lock()
	for _, rings := range d.rings {
		for i, r := range rings {
			r.dump(&b, fmt.Sprintf("ring %d of priority %d, throttled: %v", i, r.priority, r.throttled))
		}
	}
	d.mu.Unlock()
	if agent, ok := d.agent.(interface{ Dump() string }); ok {
		b.WriteString(agent.Dump())
	}
	return b.String()
}

func (r *ring) dump(b *strings.Builder, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	batches, waiting := 0, 0
	for x := r.head; x != nil; x = x.next {
		batches++
		if !x.written {
			waiting++
		}
	}
	fmt.Fprintf(b, "%s: %d users, %d batches in flight, %d of them without room, %d packets written\n", name, r.users, batches, waiting, r.last)
	if x := r.head; x != nil {
		fmt.Fprintf(b, "  oldest: %d commands, signal %#x is %d, written %v\n", len(x.entries), uint64(x.signal), x.signal.Load(), x.written)
	}
}
