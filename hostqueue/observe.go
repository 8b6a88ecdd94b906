package hostqueue

// Observer is told what becomes of a queue's commands: for a timeline. It is called by any thread, sometimes several at once, and
// must neither block nor use the queue. What it sees does not depend on it: an observed queue does all that it would do otherwise.
type Observer interface {
	// Sample reports whether the next command, or wait, is to be observed. Of the others it is told nothing.
	Sample() bool
	// Enqueued tells of a command that is about to wait for wait, or to be submitted.
	Enqueued(c *Command, wait []*Command)
	// Ended tells of a command whose status is terminal, before anyone who waits for it is woken.
	Ended(c *Command, t Moments)
	// Called tells that the application's function for c ran from start to end.
	Called(c *Command, start, end uint64)
	// Waited tells that a thread waited on the queue from start to end, in words for what.
	Waited(what string, start, end uint64)
}

// Moments are the times of a command, nanoseconds of CLOCK_MONOTONIC: zero where it did not come to it. Start and End are both
// the time it was complete where the device did not say.
type Moments struct {
	Queued, Submit, Start, End, Complete uint64

	Batch uint64 // of the device that it was in, 0 if none
	Cut   Cut    // why that ended
}

// observe has the observer told of c from now on, if it wants to be. Called before c is enqueued.
func (q *Queue) observe() bool { return q.observer != nil && q.observer.Sample() }

// ID identifies an observed command in the process: Config.ID above 40 bits of the position in the queue. Others have zero.
func (c *Command) ID() uint64 {
	if c.times == nil || !c.times.observed {
		return 0
	}
	return uint64(c.queue.id)<<40 | c.seq&(1<<40-1)
}

// Waits returns how many commands and user events an observed command was enqueued behind, as its wait list says.
func (c *Command) Waits() int {
	if c.times == nil {
		return 0
	}
	return int(c.times.waits)
}

// InBatch notes for the observer which batch of its device c is in, and why that ends. It is for the device, before it ends c: the
// observer may be told so late that the device has done away with the batch.
func (c *Command) InBatch(number uint64, why Cut) {
	if t := c.times; t != nil {
		t.batch, t.cut = number, why
	}
}

// observeEnd tells the observer that c has ended.
func (c *Command) observeEnd() {
	if t := c.times; t != nil && t.observed {
		c.queue.observer.Ended(c, Moments{t.queued.Load(), t.submit.Load(), t.start.Load(), t.end.Load(), t.complete.Load(), t.batch, t.cut})
	}
}

// observeWait calls wait, and tells the observer how long it took if it wants to know.
func (q *Queue) observeWait(what string, wait func()) {
	if !q.observer.Sample() {
		wait()
		return
	}
	start := nanotime()
	wait()
	q.observer.Waited(what, uint64(start), uint64(nanotime()))
}
