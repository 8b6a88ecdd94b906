package codeobject

import "unsafe"

// Pipe is what an argument of kind ArgPipe points to, in memory that the agent reads and writes: a ring of packets (OpenCL C 3.0
// section 6.15.17), which is empty while it is all zero but for the sizes and addresses. What the rest means is told by the
// builtin library, pipe.h.
type Pipe struct {
	PacketSize uint32 // 0: bytes
	MaxPackets uint32 // 4
	Packets    uint64 // 8: address of MaxPackets*PacketSize bytes, aligned to 128
	Filled     uint64 // 16: address of MaxPackets bytes
	_          [5]uint64
	Written    uint64 // 64: how many packets writers have reserved so far
	_          [7]uint64
	Read       uint64 // 128: how many packets readers have reserved so far
	_          [7]uint64
}

// PipeSize is the size of Pipe in bytes.
const PipeSize = 192

var _ [PipeSize]byte = [unsafe.Sizeof(Pipe{})]byte{}
