package cl

import "slices"

// Remap is clRemapCommandBufferKHR: a copy of b whose commands are for queues. If automatic, which of them is for the driver to
// decide, and there may be more or fewer than b has. It returns the copies of handles, too.
func (b *CommandBuffer) Remap(automatic bool, queues []*Queue, handles []*MutableCommand) (*CommandBuffer, []*MutableCommand, Status) {
	// CL_INVALID_VALUE if num_queues is 0, or if automatic is CL_FALSE and num_queues is not equal to the number of queues used on
	// creation of command_buffer
	if len(queues) == 0 || !automatic && len(queues) != len(b.queues) {
		return nil, nil, CL_INVALID_VALUE
	}
	// CL_INVALID_VALUE if any handle in handles is not a valid command handle belonging to command_buffer
	for _, c := range handles {
		if c == nil || c.buffer != b {
			return nil, nil, CL_INVALID_VALUE
		}
	}
	// CL_INVALID_CONTEXT if command_buffer and all the command-queues in queues do not have the same OpenCL context
	for _, q := range queues {
		if q.ctx != b.ctx {
			return nil, nil, CL_INVALID_CONTEXT
		}
	}
	if st := checkTogether(queues, b.flags); st != CL_SUCCESS {
		return nil, nil, st
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	to := &CommandBuffer{
		ctx: b.ctx, queues: queues, properties: b.properties, flags: b.flags, asserts: b.asserts,
		points: slices.Clone(b.points), floor: b.floor, last: make([]int, len(queues)), finalized: b.finalized,
	}
	for _, c := range b.commands {
		copied, st := c.remapped(to)
		if st != CL_SUCCESS {
			to.drop()
			return nil, nil, st
		}
		to.commands = append(to.commands, copied)
		to.last[copied.queue] = len(to.commands)
	}
	copies := make([]*MutableCommand, len(handles))
	for i, c := range handles {
		copies[i] = to.commands[slices.Index(b.commands, c)]
	}
	to.start()
	return to, copies, CL_SUCCESS
}

// remapped is a copy of c, whose buffer is locked, for a buffer that is being made. If the driver is to
// decide, commands that were in one queue stay so.
func (c *MutableCommand) remapped(to *CommandBuffer) (*MutableCommand, Status) {
	n := &MutableCommand{buffer: to, queue: c.queue % len(to.queues), kind: c.kind, properties: c.properties, after: c.after}
	q := to.queues[n.queue]
	if c.launch == nil {
		p, err := c.prepared.On(q.device.roc)
		if err != nil {
			return nil, CL_OUT_OF_RESOURCES
		}
		n.prepared = p
	} else {
		l := *c.launch
		l.kernel.Use()
		l.args = c.launch.args.Clone()
		p, st := q.prepare(&l)
		if st != CL_SUCCESS {
			l.drop()
			return nil, st
		}
		n.launch, n.prepared = &l, p
	}
	n.init(KindMutableCommand, nil)
	return n, CL_SUCCESS
}
