package roc

import (
	"fmt"
	"sync"

	"aqueduct/hostqueue"
	"aqueduct/roc/hsa"
)

// engineCopy is a copy that one of the agent's copy engines does. Two barrier packets stand for it in the ring: the first is through
// when the copy may begin, which the host is told of, and the second waits for its end.
type engineCopy struct {
	device      *Device
	engine      hsa.Engine
	op          CopyRect // as the agent has the memory
	ready, done *batch   // for their signals

	mu      sync.Mutex // guards what follows; taken before ring.mu
	batch   *batch     // that has it as entry index, from when it is written on
	index   int
	watched bool
	begun   bool
	over    bool // its command has ended
}

// engineFor is op as a copy of an engine, where there is one and it is the faster way; else nil. pinned is where the agent has the memory.
func (d *Device) engineFor(op CopyRect, pinned *pinned) (*engineCopy, error) {
	if d.limits.engine == 0 || op.Size[0] < d.limits.engine || op.Size[1]*op.Size[2] != 1 || pinned == nil {
		return nil, nil
	}
	op.Dst, op.Src = pinned.dst, pinned.src
	e := d.agent.Engine(op.Dst, op.Src)
	if e == nil {
		return nil, nil
	}
	c := &engineCopy{device: d, engine: e, op: op}
	var err error
	if c.ready, err = d.batches.get(); err != nil {
		return nil, err
	}
	if c.done, err = d.batches.get(); err != nil {
		d.batches.put(c.ready)
		return nil, err
	}
	c.ready.copy.Store(c)
	return c, nil
}

// waits reports that the first packet has not run, in this queue or one before it.
func (c *engineCopy) waits() bool { return c.ready.signal.Load() > 0 }

// count is how many packets there are to write.
func (c *engineCopy) count() int {
	if c.waits() {
		return 2
	}
	return 1
}

// byEngine writes the packets for entry index of b. ring.mu is held.
func (w *encoder) byEngine(b *batch, index int, completion hsa.Signal) {
	c := b.entries[index].engine
	if c.waits() {
		c.batch, c.index = b, index // nobody reads them before the packet has run
		if !c.watched {
			c.watched = true
			c.device.agent.Watch(c.ready.signal, c.ready.id)
		}
		w.wait(nil, c.ready.signal)
	}
	w.wait([]hsa.Signal{c.done.signal}, completion)
}

// begin gives the copy to the engine: all that it waits for has happened.
func (c *engineCopy) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = true
	if c.over {
		c.recycle()
		return
	}
	if c.skipped() {
		c.device.agent.Complete(c.done.signal)
		return
	}
	err := c.engine.Copy(c.op.Dst, c.op.Src, c.op.Size[0], c.done.signal, c.fail)
	if err != nil {
		go c.fail(err) // elsewhere, as others may wait for this thread
		return
	}
	c.batch.began.Store(true)
}

// skipped reports that the command has failed since.
func (c *engineCopy) skipped() bool {
	r := c.batch.ring
	r.mu.Lock()
	defer r.mu.Unlock()
	return c.batch.entries[c.index].skipped()
}

// fail ends the command, and those that depend on it, before the ring goes on.
func (c *engineCopy) fail(err error) {
	d, v := c.device, c.batch.gpu
	d.failing.Lock()
	defer d.failing.Unlock()
	c.batch.ring.mu.Lock()
	e := &c.batch.entries[c.index]
	known, cmd := e.skipped(), e.cmd
	if !known {
		e.status = hostqueue.ErrOutOfResources
	}
	c.batch.ring.mu.Unlock()
	if !known {
		v.report(cmd, fmt.Sprintf("a copy failed: %v", err))
		cmd.Complete(hostqueue.ErrOutOfResources, 0, 0)
		d.spread()
	}
	d.agent.Complete(c.done.signal)
}

// times is when the copy started and ended, which it has.
func (c *engineCopy) times() (start, end uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begun {
		return 0, 0
	}
	return c.engine.Ended(c.done.signal)
}

// release ends the use of c, and reports whether its memory may be used for something else: where a ring is lost, the engine may still
// be at it.
func (c *engineCopy) release() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	switch {
	case c.begun && c.done.signal.Load() > 0:
		return false
	case c.begun || !c.watched:
		c.recycle()
	case c.waits(): // and nothing will bring it down: begin has the rest
		c.device.agent.Complete(c.ready.signal)
	}
	return true
}

func (c *engineCopy) recycle() {
	c.device.batches.put(c.ready)
	c.device.batches.put(c.done)
}
