package hostqueue

// VirtualDevice is what a Queue submits to: one for each queue, as in AMD's CLR. roc.VirtualGPU implements it.
type VirtualDevice interface {
	// Submit hands over a command all of whose dependencies are complete or were themselves submitted to a VirtualDevice of
	// the same Domain. The device orders it behind those and behind the earlier commands of an in-order queue; it calls
	// c.Complete once, from any thread, but never inside Submit with a lock held. It may keep the command in an open batch.
	Submit(c *Command)
	// Flush cuts the open batch. With waiting set the caller is about to wait and Help.
	Flush(cut Cut, waiting bool)
	// Help runs a bounded piece of the device's outstanding work on the calling thread; false if there was none.
	Help() bool
	// Domain identifies the hardware: commands submitted within one domain are ordered by it, without the host.
	Domain() any
	// Close frees what the queue held, once its last command has ended.
	Close()
}

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
