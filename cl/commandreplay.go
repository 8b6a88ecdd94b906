package cl

import (
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
	if len(queues) == 1 {
		return b.enqueue(q, s)
	}
	// All commands run from the ring of the first queue. In the others, one that does nothing and comes before them, and one that
	// comes after, have what else is there keep its order.
	first := Sync{Wait: s.Wait, Event: true}
	defer func() { releaseEvents(first.Wait[len(s.Wait):]) }()
	first.Wait = append([]*Event{}, s.Wait...)
	for _, other := range queues[1:] {
		e, st := other.nothing(Sync{Wait: s.Wait, Event: true})
		if st != CL_SUCCESS {
			return nil, st
		}
		first.Wait = append(first.Wait, e)
	}
	e, st := b.enqueue(q, first)
	if st != CL_SUCCESS {
		return nil, st
	}
	for _, other := range queues[1:] {
		if _, st := other.nothing(Sync{Wait: []*Event{e}}); st != CL_SUCCESS {
			e.Release()
			return nil, st
		}
	}
	if !s.Event {
		e.Release()
		e = nil
	}
	return e, CL_SUCCESS
}

func releaseEvents(es []*Event) {
	for _, e := range es {
		e.Release()
	}
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

// enqueue enqueues b, which is executable, as one command of q.
func (b *CommandBuffer) enqueue(q *Queue, s Sync) (*Event, Status) {
	if !b.Use() {
		return nil, CL_INVALID_COMMAND_BUFFER_KHR
	}
	replay := b.retainReplay()
	c, e := q.command(CL_COMMAND_COMMAND_BUFFER_KHR, hostqueue.KindCommand, replay, s)
	c.OnDone = func(*hostqueue.Command) {
		replay.Release()
		b.Unuse()
	}
	return q.submit(c, e, s, false)
}

// retainReplay is the commands as they are now, with a reference.
func (b *CommandBuffer) retainReplay() *roc.Replay {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.replay == nil {
		steps := make([]roc.Step, len(b.commands))
		for i, c := range b.commands {
			steps[i] = roc.Step{Do: c.prepared, After: c.after}
		}
		b.replay = roc.NewReplay(steps)
	}
	b.replay.Retain()
	return b.replay
}
