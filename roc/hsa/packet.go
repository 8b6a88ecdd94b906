// Package hsa is the HSA contract that VirtualGPU drives: packet layouts as in the HSA Runtime Programmer's Reference
// Manual 1.2 and the HSA Platform System Architecture Specification 1.2, and the few runtime services beside them.
// Package rocr implements it over AMD's runtime, package soft in Go; nothing above this package knows which one it drives.
package hsa

import "unsafe"

// PacketType is bits 0–7 of a packet header (HSA system architecture, section 2.9.1).
type PacketType uint16

const (
	PacketVendorSpecific PacketType = 0
	PacketInvalid        PacketType = 1 // the slot is free or still being written
	PacketKernelDispatch PacketType = 2
	PacketBarrierAnd     PacketType = 3
	PacketAgentDispatch  PacketType = 4
	PacketBarrierOr      PacketType = 5
)

// Scope of a memory fence in a packet header.
type Scope uint16

const (
	ScopeNone   Scope = 0
	ScopeAgent  Scope = 1
	ScopeSystem Scope = 2
)

// Bit positions in a packet header.
const (
	headerBarrierBit   = 8
	headerAcquireShift = 9
	headerReleaseShift = 11
)

// Header builds a packet header. With barrier set the packet starts only after every earlier packet of its queue has completed.
func Header(t PacketType, barrier bool, acquire, release Scope) uint16 {
	h := uint16(t) | uint16(acquire)<<headerAcquireShift | uint16(release)<<headerReleaseShift
	if barrier {
		h |= 1 << headerBarrierBit
	}
	return h
}

// Type reads the packet type of header h.
func Type(h uint16) PacketType { return PacketType(h & 0xff) }

// Barrier reads the barrier bit of header h.
func Barrier(h uint16) bool { return h>>headerBarrierBit&1 != 0 }

// PacketSize is the size of every AQL packet, bytes. Reserved fields must be zero, whatever was in the slot before.
const PacketSize = 64

// KernelDispatchPacket is an AQL kernel dispatch packet (HSA system architecture, section 2.9.6).
type KernelDispatchPacket struct {
	Header             uint16
	Setup              uint16 // number of dimensions, bits 0–1
	WorkgroupSize      [3]uint16
	Reserved           uint16
	GridSize           [3]uint32 // work-items
	PrivateSegmentSize uint32    // bytes a work-item
	GroupSegmentSize   uint32    // bytes a work-group
	KernelObject       uint64
	KernargAddress     uint64
	Correlation        uint64 // reserved by HSA; as in AMD's CLR, the command that a profiler is to tell of
	Completion         Signal
}

// BarrierPacket is an AQL barrier-AND or barrier-OR packet (HSA system architecture, sections 2.9.8 and 2.9.9).
type BarrierPacket struct {
	Header     uint16
	_          uint16 // setup of Publish
	Reserved   uint32
	Deps       [5]Signal // null signals are ignored
	Reserved2  uint64
	Completion Signal
}

// AgentDispatchPacket is an AQL agent dispatch packet (HSA system architecture, section 2.9.7).
type AgentDispatchPacket struct {
	Header        uint16
	Function      uint16
	Reserved      uint32
	ReturnAddress uint64
	Args          [4]uint64
	Correlation   uint64 // see KernelDispatchPacket
	Completion    Signal
}

var (
	_ [PacketSize]byte = [unsafe.Sizeof(KernelDispatchPacket{})]byte{}
	_ [PacketSize]byte = [unsafe.Sizeof(BarrierPacket{})]byte{}
	_ [PacketSize]byte = [unsafe.Sizeof(AgentDispatchPacket{})]byte{}
)
