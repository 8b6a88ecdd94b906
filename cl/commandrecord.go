package cl

import (
	"slices"

	"aqueduct/hostqueue"
)

// Recording is a command on its way into a command buffer: what every clCommand* function is given beside its own arguments. The
// function of the queue that would enqueue the command checks it, and then finds the Recording in its Sync.
type Recording struct {
	buffer     *CommandBuffer
	queue      int // of buffer.queues
	properties []uint64
	after      int // by sync-points
	waits      bool
	command    *MutableCommand // once it is recorded; nil for a barrier
	point      uint32          // its sync-point
}

// CommandProperties are the names of properties that a command may have: launches alone have any.
func CommandProperties(launch bool) []uint64 {
	if launch {
		return []uint64{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ASSERTS_KHR}
	}
	return nil
}

// Record begins to record a command. queue is nil if the caller gave none, properties nil or a list that ends in 0, points the
// sync-points to wait for.
func (b *CommandBuffer) Record(queue *Queue, properties []uint64, launch bool, points []uint32) (*Recording, Status) {
	r := &Recording{buffer: b, properties: properties, waits: len(points) > 0}
	// CL_INVALID_COMMAND_QUEUE if command_queue is NULL and command_buffer was created with more than one queue, or command_queue
	// is not NULL and not a command-queue listed on command_buffer creation
	if queue != nil {
		// CL_INVALID_CONTEXT if command_queue is not NULL, and the context associated with command_queue and command_buffer is not
		// the same
		if queue.ctx != b.ctx {
			return nil, CL_INVALID_CONTEXT
		}
		r.queue = slices.Index(b.queues, queue)
	} else if len(b.queues) > 1 {
		r.queue = -1
	}
	if r.queue < 0 {
		return nil, CL_INVALID_COMMAND_QUEUE
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	// CL_INVALID_OPERATION if command_buffer has been finalized
	if b.finalized {
		return nil, CL_INVALID_OPERATION
	}
	// CL_INVALID_VALUE if values specified in properties are not valid
	for i := 0; i+1 < len(properties); i += 2 {
		if !slices.Contains(CommandProperties(launch), properties[i]) {
			return nil, CL_INVALID_VALUE
		}
	}
	for _, p := range points {
		// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if synchronization-point objects in sync_point_wait_list are not valid
		if p == 0 || int(p) > len(b.points) {
			return nil, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR
		}
		r.after = max(r.after, b.points[p-1])
	}
	return r, CL_SUCCESS
}

// Queue is the one the command is recorded for; Sync is what its function is to be given.
func (r *Recording) Queue() *Queue { return r.buffer.queues[r.queue] }
func (r *Recording) Sync() Sync    { return Sync{record: r} }

// Point is the sync-point of the command that was recorded, Command the command, nil for a barrier.
func (r *Recording) Point() uint32            { return r.point }
func (r *Recording) Command() *MutableCommand { return r.command }

// enqueue is for Queue.enqueue: op is recorded in place of being enqueued. release ends the use of what op names.
func (r *Recording) enqueue(kind uint32, op hostqueue.Op, release func()) Status {
	p, err := r.Queue().device.roc.Prepare(op, release)
	if err != nil {
		release()
		return CL_OUT_OF_RESOURCES
	}
	st := r.add(&MutableCommand{kind: kind, prepared: p})
	if st != CL_SUCCESS {
		p.Release()
	}
	return st
}

// add puts a command in the buffer.
func (r *Recording) add(c *MutableCommand) Status {
	b := r.buffer
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finalized { // meanwhile
		return CL_INVALID_OPERATION
	}
	c.buffer, c.queue, c.properties = b, r.queue, r.properties
	c.after = max(r.after, b.floor, b.before(r.queue))
	c.init(KindMutableCommand, nil)
	b.commands = append(b.commands, c)
	b.last[r.queue] = len(b.commands)
	r.command = c
	b.reach(r, len(b.commands))
	return CL_SUCCESS
}

// before is how many commands a command recorded to queue waits for implicitly. b is locked.
func (b *CommandBuffer) before(queue int) int {
	// "If the queue is an in-order queue, then an additional dependency is created on the last command appended to the
	// command-buffer using the same queue parameter."
	if b.queues[queue].bits&CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0 {
		return b.last[queue]
	}
	return 0
}

// reach gives r a sync-point, which is reached when n commands have ended. b is locked.
func (b *CommandBuffer) reach(r *Recording, n int) {
	b.points = append(b.points, n)
	r.point = uint32(len(b.points))
}

// Barrier is clCommandBarrierWithWaitListKHR. "This command blocks command execution, that is, any following commands recorded after
// it do not execute until it completes." It takes no time, so it is no command of its own.
func (r *Recording) Barrier() Status {
	b := r.buffer
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finalized { // meanwhile
		return CL_INVALID_OPERATION
	}
	// "if the list is empty it waits for all commands previously recorded in command_buffer to complete before it completes"
	n := max(r.after, b.before(r.queue))
	if !r.waits {
		n = len(b.commands)
	}
	b.floor = max(b.floor, n)
	b.reach(r, b.floor)
	return CL_SUCCESS
}
