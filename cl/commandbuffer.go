package cl

import (
	"slices"
	"sync"

	"aqueduct/roc"
)

// CommandBuffer is a command-buffer object (cl_khr_command_buffer, OpenCL API section "Command-Buffers"): commands recorded once
// and replayed any number of times. Its uses are replays in flight.
//
// Each command has its packets from the moment it is recorded; all together become a roc.Replay, or one for each run of commands
// for one device, when they are enqueued first, and again after an update. What is in flight keeps those it was enqueued with.
type CommandBuffer struct {
	Object
	ctx        *Context
	queues     []*Queue
	properties []uint64 // as given, the terminating zero included; nil for NULL
	flags      uint64   // CL_COMMAND_BUFFER_FLAGS_KHR
	asserts    uint64   // CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR

	mu        sync.Mutex // guards what follows
	commands  []*MutableCommand
	points    []int // for each sync-point, from 1 on, how many commands have ended when it is reached
	floor     int   // how many have to have ended before the next, by the last barrier
	last      []int // for each of queues how many were recorded when it was last recorded to
	finalized bool
	replays   []segment // of commands as they are now; nil before they were enqueued
}

// MutableCommand is a command of a command buffer. It lives as long as that.
type MutableCommand struct {
	Object
	buffer     *CommandBuffer
	queue      int // of buffer.queues
	kind       uint32
	properties []uint64        // as given, the terminating zero included; nil for NULL
	after      int             // it starts when so many commands have ended
	launch     *recordedLaunch // of clCommandNDRangeKernelKHR, else nil; guarded by buffer.mu, as is prepared
	prepared   *roc.Prepared   // nil while arguments are missing
}

// CommandBufferProperties are the names of properties that a command buffer may have.
var CommandBufferProperties = []uint64{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR}

// CreateCommandBuffer is clCreateCommandBufferKHR, less what it checks of the pointers. properties is nil or a list that ends in 0.
func CreateCommandBuffer(queues []*Queue, properties []uint64) (*CommandBuffer, Status) {
	// CL_INVALID_VALUE if num_queues is zero
	if len(queues) == 0 {
		return nil, CL_INVALID_VALUE
	}
	b := &CommandBuffer{ctx: queues[0].ctx, queues: queues, properties: properties, last: make([]int, len(queues))}
	var seen []uint64
	for i := 0; i+1 < len(properties); i += 2 {
		name, value := properties[i], properties[i+1]
		// CL_INVALID_VALUE if values specified in properties are not valid, or if the same property name is specified more than once
		if slices.Contains(seen, name) {
			return nil, CL_INVALID_VALUE
		}
		seen = append(seen, name)
		switch name {
		case CL_COMMAND_BUFFER_FLAGS_KHR:
			const known = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR
			if value&^known != 0 {
				return nil, CL_INVALID_VALUE
			}
			b.flags = value
		case CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR:
			if value&^CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR != 0 {
				return nil, CL_INVALID_VALUE
			}
			b.asserts = value
		default:
			return nil, CL_INVALID_VALUE
		}
	}
	if st := checkTogether(queues, b.flags); st != CL_SUCCESS {
		return nil, st
	}
	b.start()
	return b, CL_SUCCESS
}

// checkTogether checks the queues of one command buffer with flags.
func checkTogether(queues []*Queue, flags uint64) Status {
	for _, q := range queues {
		// CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue: one of a device without command buffers
		if !q.device.hasExtension("cl_khr_command_buffer") {
			return CL_INVALID_COMMAND_QUEUE
		}
		// CL_INVALID_CONTEXT if all the command-queues in queues do not have the same OpenCL context
		if q.ctx != queues[0].ctx {
			return CL_INVALID_CONTEXT
		}
		// CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if the CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR flag is set, and any device associated with
		// a command-queue in queues cannot natively synchronize with the other devices: what is part of one device can
		if flags&CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR != 0 && q.device.root() != queues[0].device.root() {
			return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR
		}
	}
	return CL_SUCCESS
}

// start brings b to life.
func (b *CommandBuffer) start() {
	b.ctx.Use()
	for _, q := range b.queues {
		q.Use()
	}
	b.init(KindCommandBuffer, b)
}

func (b *CommandBuffer) end() {
	b.drop()
	for _, q := range b.queues {
		q.Unuse()
	}
	b.ctx.Unuse()
}

// drop gives up the commands.
func (b *CommandBuffer) drop() {
	b.forget()
	for _, c := range b.commands {
		if c.prepared != nil {
			c.prepared.Release()
		}
		if c.launch != nil {
			c.launch.drop()
		}
		c.Release()
	}
}

// Finalize is clFinalizeCommandBufferKHR.
func (b *CommandBuffer) Finalize() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	// CL_INVALID_OPERATION if command_buffer is not in the Recording state
	if b.finalized {
		return CL_INVALID_OPERATION
	}
	b.finalized = true
	return CL_SUCCESS
}

// state is CL_COMMAND_BUFFER_STATE_KHR. b is locked.
func (b *CommandBuffer) state() uint32 {
	switch {
	case !b.finalized:
		return CL_COMMAND_BUFFER_STATE_RECORDING_KHR
	case slices.ContainsFunc(b.commands, func(c *MutableCommand) bool { return c.prepared == nil }):
		return CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
	}
	return CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
}

var commandBufferInfo = Table[*CommandBuffer]{
	CL_COMMAND_BUFFER_NUM_QUEUES_KHR:       func(b *CommandBuffer) Value { return Uint(uint32(len(b.queues))) },
	CL_COMMAND_BUFFER_QUEUES_KHR:           func(b *CommandBuffer) Value { return Handles(b.queues) },
	CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:  func(b *CommandBuffer) Value { return Uint(b.References()) },
	CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: func(b *CommandBuffer) Value { return Ulongs(b.properties...) },
	CL_COMMAND_BUFFER_CONTEXT_KHR:          func(b *CommandBuffer) Value { return HandleOf(b.ctx) },
	CL_COMMAND_BUFFER_STATE_KHR: func(b *CommandBuffer) Value {
		b.mu.Lock()
		defer b.mu.Unlock()
		return Uint(b.state())
	},
}

// Info is clGetCommandBufferInfoKHR.
func (b *CommandBuffer) Info(param uint32, out Out) Status {
	return commandBufferInfo.Get(b, param, out)
}

// What devices and the platform can do with command buffers.
const (
	commandBufferCapabilities = CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
		CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR
	commandBufferPlatform = CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR | CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR
	mutableFields         = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
		CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR
)
