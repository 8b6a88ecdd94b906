package cl

import "aqueduct/roc"

// Update is a cl_mutable_dispatch_config_khr, decoded: what is to change of one launch.
type Update struct {
	Command *MutableCommand // nil for none
	Dims    uint32          // 0: as they are
	// The new sizes, nil for those that stay, of as many dimensions as the launch has.
	Offset, Global, Local *[3]uint64

	Args, Infos bool                   // Set gives arguments, or execution information
	Set         func(k *Kernel) Status // sets both, in a kernel that is the launch's own
}

// Dims is how many dimensions the launch has, 0 if c is no launch.
func (c *MutableCommand) Dims() uint32 {
	c.buffer.mu.Lock()
	defer c.buffer.mu.Unlock()
	if c.launch == nil {
		return 0
	}
	return c.launch.r.Dims
}

// CheckMutable is what clUpdateMutableCommandsKHR checks of the buffer itself.
func (b *CommandBuffer) CheckMutable() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	// CL_INVALID_OPERATION if command_buffer has not been finalized, or was not created with CL_COMMAND_BUFFER_MUTABLE_KHR
	if !b.finalized || b.flags&CL_COMMAND_BUFFER_MUTABLE_KHR == 0 {
		return CL_INVALID_OPERATION
	}
	return CL_SUCCESS
}

// Update is clUpdateMutableCommandsKHR: all of us take effect, or none does. Replays in flight stay as they were enqueued.
func (b *CommandBuffer) Update(us []Update) Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	changed := make(map[*MutableCommand]*changedLaunch)
	defer func() {
		for _, n := range changed {
			n.drop()
		}
	}()
	for _, u := range us {
		c := u.Command
		// CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object returned from clCommandNDRangeKernelKHR,
		// or created from command_buffer
		if c == nil || c.buffer != b || c.launch == nil {
			return CL_INVALID_MUTABLE_COMMAND_KHR
		}
		before := c.launch
		if n := changed[c]; n != nil {
			before = n.launch
		}
		n, st := b.change(c, before, &u)
		if st != CL_SUCCESS {
			return st
		}
		if old := changed[c]; old != nil {
			old.drop()
		}
		changed[c] = n
	}
	for c, n := range changed {
		c.launch, n.launch = n.launch, c.launch
		c.prepared, n.prepared = n.prepared, c.prepared
	}
	if len(changed) > 0 {
		b.forget()
	}
	return CL_SUCCESS
}

// changedLaunch is what a launch is to become or, once it has, what it was.
type changedLaunch struct {
	launch   *recordedLaunch
	prepared *roc.Prepared
}

func (n *changedLaunch) drop() {
	if n.prepared != nil {
		n.prepared.Release()
	}
	n.launch.drop()
}

// change is launch l of c as u wants it. b is locked.
func (b *CommandBuffer) change(c *MutableCommand, l *recordedLaunch, u *Update) (*changedLaunch, Status) {
	// CL_INVALID_OPERATION if work_dim is not zero and different from the work_dim set on command recording, or if a field is given
	// that was not to be updated
	if u.Dims != 0 && u.Dims != l.r.Dims ||
		u.Offset != nil && l.fields&CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR == 0 ||
		u.Global != nil && l.fields&CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR == 0 ||
		u.Local != nil && l.fields&CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR == 0 ||
		u.Args && l.fields&CL_MUTABLE_DISPATCH_ARGUMENTS_KHR == 0 ||
		u.Infos && l.fields&CL_MUTABLE_DISPATCH_EXEC_INFO_KHR == 0 {
		return nil, CL_INVALID_OPERATION
	}
	next := *l
	if u.Offset != nil {
		next.r.Offset = *u.Offset
	}
	if u.Global != nil {
		next.r.Global, next.r.HasGlobal = *u.Global, true
	}
	if u.Local != nil {
		next.r.Local, next.r.HasLocal = *u.Local, true
	}
	l.kernel.Use()
	next.args = l.args.Clone()
	n := &changedLaunch{launch: &next}
	st := u.Set(next.args)
	if st == CL_SUCCESS {
		n.prepared, st = b.queues[c.queue].prepare(&next)
	}
	// CL_INVALID_OPERATION if the values of local_work_size and/or global_work_size result in a change to work-group uniformity
	if st == CL_SUCCESS && (u.Global != nil || u.Local != nil) && next.r.HasLocal && l.sh.uniform() != next.sh.uniform() {
		st = CL_INVALID_OPERATION
	}
	if st != CL_SUCCESS {
		n.drop()
		return nil, st
	}
	return n, CL_SUCCESS
}

// uniform reports whether all work-groups have the same size.
func (sh *shape) uniform() bool {
	for i := range sh.global {
		if sh.global[i]%sh.local[i] != 0 {
			return false
		}
	}
	return true
}

// launched is an answer about the launch of a command; for other commands "the implementation must return param_value_size_ret equal
// to 0".
func launched(get func(l *recordedLaunch) Value) func(*MutableCommand) Value {
	return func(c *MutableCommand) Value {
		c.buffer.mu.Lock()
		defer c.buffer.mu.Unlock()
		if c.launch == nil {
			return Bytes(nil)
		}
		return get(c.launch)
	}
}

var mutableCommandInfo = Table[*MutableCommand]{
	CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:    func(c *MutableCommand) Value { return HandleOf(c.buffer.queues[c.queue]) },
	CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:   func(c *MutableCommand) Value { return HandleOf(c.buffer) },
	CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:     func(c *MutableCommand) Value { return Uint(c.kind) },
	CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: func(c *MutableCommand) Value { return Ulongs(c.properties...) },
	CL_MUTABLE_DISPATCH_KERNEL_KHR:          launched(func(l *recordedLaunch) Value { return HandleOf(l.kernel) }),
	CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:      launched(func(l *recordedLaunch) Value { return Uint(l.r.Dims) }),
	CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR: launched(func(l *recordedLaunch) Value {
		offset := l.r.offset()
		return Ulongs(offset[:l.r.Dims]...)
	}),
	CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR: launched(func(l *recordedLaunch) Value { return Ulongs(l.r.Global[:l.r.Dims]...) }),
	CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:  launched(func(l *recordedLaunch) Value { return Ulongs(l.r.Local[:l.r.Dims]...) }),
}

// Info is clGetMutableCommandInfoKHR.
func (c *MutableCommand) Info(param uint32, out Out) Status {
	return mutableCommandInfo.Get(c, param, out)
}
