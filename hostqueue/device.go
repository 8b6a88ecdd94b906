package hostqueue

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// VirtualDevice is what a Queue submits to: one for each queue, as in AMD's CLR. roc.VirtualGPU implements it.
type VirtualDevice interface {
	// Submit hands over a command all of whose dependencies are complete or were themselves submitted to a VirtualDevice of
	// the same Domain. The device orders it behind those and behind the earlier commands of an in-order queue; it calls
	// c.Complete once, from any thread, also inside Submit, but with no lock held. It may keep the command in an open batch.
	// Commands of an in-order queue are handed over one at a time, those of an out-of-order queue by several threads at once.
	Submit(c *Command, then Then)
	// Flush cuts the open batch, if there is one: its packets are in rings when Flush returns. It is called by any thread, several
	// at once.
	Flush(cut Cut, then Then)
	// Assist runs what the caller, which said that it would, handed over, as long as that takes no longer than leaving it to
	// another thread. It never waits.
	Assist()
	// Began reports whether a command that was submitted and has not ended is being executed, as far as the device knows.
	Began(c *Command) bool
	// Help runs a bounded piece of the device's outstanding work on the calling thread, which waits for a; false if there was none for
	// it. What may take long, or wait for the application, it runs only as long as a cannot end without that; for a nil a never.
	Help(a Awaited) bool
	// Domain identifies the hardware: commands submitted within one domain are ordered by it, without the host.
	Domain() any
	// Close frees what the queue held, once its last command has ended. The Complete of that command may be what calls it.
	Close()
}

// Awaited is what a thread waits for: a *Command, or everything that was enqueued before a Finish.
type Awaited interface {
	// Over reports that the thread waits no longer.
	Over() bool
}

// Then is what the thread that hands work over does next for it, so that no other need be woken.
type Then int

const (
	Leaves  Then = iota // nothing
	Assists             // it calls Assist
	Waits               // it waits, and Helps until nothing is left of the queue
)

// Cut is why a batch ended (invariant 7 of the architecture).
type Cut int

const (
	CutFlush   Cut = iota // clFlush
	CutWait               // clFinish, clWaitForEvents, a blocking call
	CutEvent              // an event someone can see
	CutForeign            // another queue or device depends on it
	CutSize               // the batch was full
	CutIdle               // the device would otherwise have idled
	cutCount
)

var cutNames = [cutCount]string{"flush", "wait", "event", "foreign", "size", "idle"}

func (c Cut) String() string { return cutNames[c] }

// Cuts counts the batches of a queue by the reason they ended. The device counts, as it alone knows what it had in a batch.
type Cuts [cutCount]atomic.Uint64

// Count adds a batch.
func (c *Cuts) Count(why Cut) { c[why].Add(1) }

func (c *Cuts) String() string {
	var parts []string
	for i := range c {
		if n := c[i].Load(); n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", Cut(i), n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
