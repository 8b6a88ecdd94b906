package cl

import (
	"slices"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
)

// Limits of pipes (OpenCL API 3.0 section 4.2). Reservations need no memory beyond the pipe's.
const (
	maxPipeArgs         = 16
	maxPipeReservations = 1 << 16
	maxPacketSize       = 1 << 10 // bytes
)

// pipes reports whether kernels of the device have pipes: those of CPUs do.
func (d *Device) pipes() bool { return d.kind == CL_DEVICE_TYPE_CPU }

// pipe is what a Mem has that is a pipe.
type pipe struct{ packetSize, maxPackets uint32 }

// CreatePipe is clCreatePipe (OpenCL API 3.0 section 5.4.1). properties is whether the caller gave any.
func (ctx *Context) CreatePipe(flags uint64, packetSize, maxPackets uint32, properties bool) (*Mem, Status) {
	// CL_INVALID_OPERATION if no devices in context support pipes
	if !slices.ContainsFunc(ctx.devices, (*Device).pipes) {
		return nil, CL_INVALID_OPERATION
	}
	// CL_INVALID_VALUE if values specified in flags are not as defined above: "Only CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS
	// can be specified when creating a pipe object."
	const allowed = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS
	if flags&^allowed != 0 {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_VALUE if properties is not NULL
	if properties {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_PIPE_SIZE if pipe_packet_size is 0 or the pipe_packet_size exceeds CL_DEVICE_PIPE_MAX_PACKET_SIZE for all devices
	// in context or if pipe_max_packets is 0
	if packetSize == 0 || packetSize > maxPacketSize || maxPackets == 0 {
		return nil, CL_INVALID_PIPE_SIZE
	}
	m := &Mem{ctx: ctx, flags: CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, size: uint64(packetSize) * uint64(maxPackets),
		pipe: &pipe{packetSize, maxPackets}}
	const align = 128
	packets := (codeobject.PipeSize + uint64(maxPackets) + align - 1) &^ (align - 1)
	// CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the pipe object
	if packets+m.size > ctx.maxAlloc() {
		return nil, CL_MEM_OBJECT_ALLOCATION_FAILURE
	}
	var err error
	if m.store, err = ctx.alloc(packets+m.size, true); err != nil {
		return nil, CL_MEM_OBJECT_ALLOCATION_FAILURE
	}
	clear(unsafe.Slice((*byte)(m.store.Ptr), packets))
	start := uint64(uintptr(m.store.Ptr))
	p := (*codeobject.Pipe)(m.store.Ptr)
	p.PacketSize, p.MaxPackets = packetSize, maxPackets
	p.Packets, p.Filled = start+packets, start+codeobject.PipeSize
	m.start()
	return m, CL_SUCCESS
}

// PipeInfo answers clGetPipeInfo (OpenCL API 3.0 section 5.4.2).
func (m *Mem) PipeInfo(param uint32, out Out) Status {
	// CL_INVALID_MEM_OBJECT if pipe is a not a valid pipe object
	if m.pipe == nil {
		return CL_INVALID_MEM_OBJECT
	}
	return pipeInfo.Get(m.pipe, param, out)
}

var pipeInfo = Table[*pipe]{
	CL_PIPE_PACKET_SIZE: func(p *pipe) Value { return Uint(p.packetSize) },
	CL_PIPE_MAX_PACKETS: func(p *pipe) Value { return Uint(p.maxPackets) },
	// "If the properties argument specified in clCreatePipe used to create pipe was NULL, the implementation must return
	// param_value_size_ret equal to 0"
	CL_PIPE_PROPERTIES: func(*pipe) Value { return Bytes(nil) },
}
