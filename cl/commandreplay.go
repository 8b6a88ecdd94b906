package cl

import (
	"slices"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// Enqueue is clEnqueueCommandBufferKHR. queues is nil if the caller gave none.
func (b *CommandBuffer) Enqueue(queues []*Queue, s Sync) (*Event, Status) {
	b.mu.Lock()
	state := b.state()
	b.mu.Unlock()
	// CL_INVALID_OPERATION if command_buffer is not in the Executable state
	if state != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR {
		return nil, CL_INVALID_OPERATION
	}
	if queues == nil {
		queues = b.queues
	} else if st := b.substitutes(queues); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_CONTEXT if context associated with command_buffer and events in event_wait_list are not the same
	q := queues[0]
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	segments, ok := b.segments()
	if !ok {
		return nil, CL_INVALID_COMMAND_BUFFER_KHR
	}
	if len(queues) == 1 {
		return b.enqueue(q, segments[0].replay, s)
	}
	return b.enqueueAll(segments, queues, s)
}

// segment is a run of commands for one device. It goes into the queue of its first command.
type segment struct {
	queue  int
	replay *roc.Replay
}

// enqueueAll enqueues b on several queues: its segments, each behind the one before it. In the queues that the first and the last
// are not in, commands that do nothing come before all and behind all, so that what else is there keeps its order.
func (b *CommandBuffer) enqueueAll(segments []segment, queues []*Queue, s Sync) (*Event, Status) {
	first, last := segments[0].queue, segments[len(segments)-1].queue
	wait := Sync{Wait: append([]*Event{}, s.Wait...), Event: true}
	var made []*Event
	defer func() {
		for _, e := range made {
			e.Release()
		}
	}()
	var st Status
	enqueued := 0 // of segments
	defer func() {
		for range segments[enqueued:] { // what will not be
			b.unuse(segments[enqueued].replay)
			enqueued++
		}
	}()
	add := func(e *Event, status Status) bool {
		if st = status; e != nil {
			made = append(made, e)
		}
		return st == CL_SUCCESS
	}
	for i, q := range queues {
		if i != first && !add(q.nothing(Sync{Wait: s.Wait, Event: true})) {
			return nil, st
		}
	}
	wait.Wait = append(wait.Wait, made...)
	for _, seg := range segments {
		enqueued++
		if !add(b.enqueue(queues[seg.queue], seg.replay, wait)) {
			return nil, st
		}
		wait.Wait = made[len(made)-1:]
	}
	for i, q := range queues {
		if i == last {
			continue
		}
		if _, st := q.nothing(Sync{Wait: wait.Wait}); st != CL_SUCCESS {
			return nil, st
		}
	}
	e := wait.Wait[0]
	if s.Event {
		e.Retain()
		return e, CL_SUCCESS
	}
	return nil, CL_SUCCESS
}

// substitutes checks queues given in place of those b was created with.
func (b *CommandBuffer) substitutes(queues []*Queue) Status {
	// CL_INVALID_VALUE if num_queues is > 0 and not the same value as num_queues set on command_buffer creation
	if len(queues) != len(b.queues) {
		return CL_INVALID_VALUE
	}
	for i, q := range queues {
		// CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if the properties of any command-queue in queues contains a property not specified by
		// CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
		if q.bits&^hostQueueProperties != 0 {
			return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR
		}
		// CL_INVALID_DEVICE if any element of queues does not have the same device as the command-queue set on command_buffer creation
		// at the same list index
		if q.device != b.queues[i].device {
			return CL_INVALID_DEVICE
		}
		// CL_INVALID_CONTEXT if any element of queues does not have the same context as the command-queue set on command_buffer
		// creation at the same list index
		if q.ctx != b.ctx {
			return CL_INVALID_CONTEXT
		}
	}
	return CL_SUCCESS
}

// nothing enqueues a command that only takes its place in the order.
func (q *Queue) nothing(s Sync) (*Event, Status) {
	c, e := q.command(CL_COMMAND_COMMAND_BUFFER_KHR, hostqueue.KindCommand, roc.Nothing{}, s)
	return q.submit(c, e, s, false)
}

// enqueue enqueues a segment of b as one command of q, which ends its use.
func (b *CommandBuffer) enqueue(q *Queue, replay *roc.Replay, s Sync) (*Event, Status) {
	c, e := q.command(CL_COMMAND_COMMAND_BUFFER_KHR, hostqueue.KindCommand, replay, s)
	c.OnDone = func(*hostqueue.Command) { b.unuse(replay) }
	return q.submit(c, e, s, false)
}

// segments are the commands as they are now, at least one segment, each to be given to unuse; false if b is gone.
func (b *CommandBuffer) segments() ([]segment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.replays == nil {
		b.replays = b.makeSegments()
	}
	for i, seg := range b.replays {
		if !b.Use() {
			for _, seg := range b.replays[:i] {
				seg.replay.Release()
				b.Unuse()
			}
			return nil, false
		}
		seg.replay.Retain()
	}
	return slices.Clone(b.replays), true
}

// makeSegments prepares the commands. b is locked.
func (b *CommandBuffer) makeSegments() (all []segment) {
	var steps []roc.Step
	first := 0 // command of the segment
	cut := func(end int) {
		queue := 0
		if first < end {
			queue = b.commands[first].queue
		}
		all = append(all, segment{queue, roc.NewReplay(steps)})
		steps, first = nil, end
	}
	for i, c := range b.commands {
		if i > first && b.queues[c.queue].device != b.queues[b.commands[first].queue].device {
			cut(i)
		}
		steps = append(steps, roc.Step{Do: c.prepared, After: max(c.after-first, 0)})
	}
	if first < len(b.commands) || all == nil {
		cut(len(b.commands))
	}
	return all
}

func (b *CommandBuffer) unuse(replay *roc.Replay) {
	replay.Release()
	b.Unuse()
}

// forget has segments made again, as the commands are others. b is locked.
func (b *CommandBuffer) forget() {
	for _, seg := range b.replays {
		seg.replay.Release()
	}
	b.replays = nil
}
