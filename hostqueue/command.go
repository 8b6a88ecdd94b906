// Package hostqueue orders commands: it is OpenCL's execution model without OpenCL's API. A Command is also the Event that
// stands for it. Commands form a counted graph; one whose dependencies are met is handed to its queue's VirtualDevice by
// whichever thread met the last of them, so that a queue costs no thread and a wait holds back only what depends on it.
package hostqueue

import (
	"errors"
	"sync/atomic"
)

// Status is a command execution status (OpenCL API specification, section 5.11): it goes from Queued down to Complete, or to
// a negative error code, and never up.
type Status = int32

const (
	Complete  Status = 0
	Running   Status = 1
	Submitted Status = 2
	Queued    Status = 3

	// ErrOutOfResources (CL_OUT_OF_RESOURCES) ends a command that made its device panic.
	ErrOutOfResources Status = -5
	// ErrWaitList (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) ends a command one of whose explicit dependencies failed.
	ErrWaitList Status = -14
)

var (
	// ErrEnqueued is returned for a command that was enqueued before.
	ErrEnqueued = errors.New("hostqueue: the command is already enqueued")
	// ErrReleased is returned by a queue that was released.
	ErrReleased = errors.New("hostqueue: the queue is released")
	// ErrNotUser is returned when the status of something else than a user event is set.
	ErrNotUser = errors.New("hostqueue: not a user event")
	// ErrStatusSet is returned when the status of a user event is set again.
	ErrStatusSet = errors.New("hostqueue: the status of the user event is already set")
	// ErrStatus is returned for a status that does not end a user event.
	ErrStatus = errors.New("hostqueue: the status is neither complete nor an error")
)

// Op is what the device is to do. Its types belong to the device; a marker or barrier has none.
type Op any

// Kind tells how a command is ordered.
type Kind uint8

const (
	KindCommand Kind = iota // work for the device
	KindMarker              // ends when its wait list, or without one everything enqueued before it, has ended
	KindBarrier             // a marker that also holds back everything enqueued after it
	KindUser                // a user event; it is in no queue
)

// Flags in the state of a command, above the status.
const (
	handed = 1 << 32 // its device has it; added once
	doomed = 1 << 33 // it is known that it will fail, as a dependency has failed or is doomed

	statusBits = 1<<32 - 1
)

// Command is a command and its event. Make it with NewCommand or, inside a larger object, with Init; it must not be copied.
type Command struct {
	state    atomic.Int64 // low 32 bits: Status, except that Submitted is Queued with handed set; above: flags
	open     atomic.Int32 // dependencies still open
	postings atomic.Int32 // of callbacks: above zero while the callback thread has the command (callback.go)

	// Visible says that the application holds an event for the command. Set it before Enqueue.
	Visible bool
	// Awaited says that who enqueues the command waits for it at once, so that no other thread is needed. Set it before Enqueue.
	Awaited bool
	// Tag is of whoever enqueues the command, for the observer. Set it before Enqueue.
	Tag uint32
	// OnDone releases what the command held: called once, with no lock held, after the status is terminal and before those who
	// wait are woken. Set it before Enqueue.
	OnDone func(*Command)
	// Recycle takes back a command that is not Visible, and that who enqueues it does not look at again: called last, when nothing
	// refers to it any more. Set it before Enqueue.
	Recycle func(*Command)
	// DeviceData belongs to the VirtualDevice from Submit on.
	DeviceData any

	kind     Kind
	onHost   bool // ends on the host: user events, and markers and barriers of out-of-order queues
	inDevice bool // counted in queue.inDevice; written before Submit, read when retired
	op       Op
	queue    *Queue
	epoch    *epoch
	seq      uint64 // position in its queue, from 1
	times    *times // nil unless the queue profiles
	wait     atomic.Pointer[waitList]

	link     edge                 // the first edge into this command; when it is ready, its place in a worklist
	onSubmit atomic.Pointer[edge] // released when the device has the command
	onEnd    atomic.Pointer[edge] // released when it has ended

	callbacks atomic.Pointer[callback]
	parking   parking
}

// NewCommand returns a command that is in no queue yet.
func NewCommand(kind Kind, op Op) *Command {
	c := new(Command)
	c.Init(kind, op)
	return c
}

// Init makes c, part of a larger object, what NewCommand returns.
func (c *Command) Init(kind Kind, op Op) {
	c.kind, c.op = kind, op
	c.state.Store(int64(Queued))
}

// NewUser returns a user event (clCreateUserEvent): Submitted until SetUserStatus.
func NewUser() *Command {
	c := new(Command)
	c.InitUser()
	return c
}

// InitUser makes c, part of a larger object, what NewUser returns.
func (c *Command) InitUser() {
	c.kind, c.onHost, c.Visible = KindUser, true, true
	c.state.Store(handed | int64(Queued))
}

// SetUserStatus ends a user event (clSetUserEventStatus) with Complete or an error code. Commands that become ready are
// submitted before it returns. then is Assists for a thread of the application's own.
func (c *Command) SetUserStatus(s Status, then Then) error {
	switch {
	case c.kind != KindUser:
		return ErrNotUser
	case s > Complete:
		return ErrStatus
	}
	if _, first := c.end(s, 0, 0); !first {
		return ErrStatusSet
	}
	w := work{then: then}
	c.retire(&w)
	w.run()
	return nil
}

// Keep has c not recycled. It is for a device that looks at c after it has called Complete.
func (c *Command) Keep() { c.Recycle = nil }

// Status returns the execution status.
func (c *Command) Status() Status { return statusOf(c.state.Load()) }

func statusOf(state int64) Status {
	if s := Status(state); s != Queued || state&handed == 0 {
		return s
	}
	return Submitted
}

func (c *Command) ended() bool { return Status(c.state.Load()) <= Complete }

// Over implements Awaited.
func (c *Command) Over() bool { return c.ended() }

// passed reports whether the device has the command, or it has ended.
func (c *Command) passed() bool {
	s := c.state.Load()
	return s&handed != 0 || Status(s) <= Complete
}

// Kind returns how the command is ordered.
func (c *Command) Kind() Kind { return c.kind }

// Op returns what the device is to do.
func (c *Command) Op() Op { return c.op }

// Queue returns the queue the command was enqueued to: nil for user events.
func (c *Command) Queue() *Queue { return c.queue }

// Observe returns the execution status as an application sees it: Running once the device says so. Nobody else needs to know,
// so the device is asked here, and commands that nobody looks at cost nothing.
func (c *Command) Observe() Status {
	if s := c.Status(); s != Submitted || c.onHost || !c.queue.dev.Began(c) {
		return s
	}
	c.Started()
	return c.Status()
}

// Started sets the status to Running.
func (c *Command) Started() {
	for {
		old := c.state.Load()
		if Status(old) != Queued {
			return
		}
		if c.state.CompareAndSwap(old, old+int64(Running-Queued)) {
			c.post()
			return
		}
	}
}

// Complete ends the command with s, Complete or an error code: the device calls it once, with no lock held, after which c is
// not its any more; further calls do nothing. start and end are when the device started and ended the work, nanoseconds of
// CLOCK_MONOTONIC, or zero where it did none. Commands that become ready are submitted before it returns.
func (c *Command) Complete(s Status, start, end uint64) {
	s = min(s, Complete)
	if s == Complete && c.Poisoned() {
		s = ErrWaitList
	}
	old, first := c.end(s, start, end)
	if !first || old&handed == 0 {
		return // without handed this is still inside Submit of c: the thread that submits it will find it ended, and retire it
	}
	var w work
	c.retire(&w)
	w.run()
}

// end sets a terminal status. It returns the state before, and whether it was this call that ended c.
func (c *Command) end(s Status, start, end uint64) (old int64, first bool) {
	if c.times != nil && !c.times.finish(s, start, end) {
		return 0, false
	}
	for {
		old = c.state.Load()
		if Status(old) <= Complete {
			return old, false
		}
		if c.state.CompareAndSwap(old, old&^statusBits|int64(uint32(s))) {
			return old, true
		}
	}
}
