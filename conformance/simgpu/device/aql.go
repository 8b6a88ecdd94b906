package device

import (
	"encoding/binary"
	"sync/atomic"

	"aqueduct/conformance/simgpu/gcn"
)

const packetSize = 64

// Types of AQL packets (HSA System Architecture 2.9), and formats of those of the vendor.
const (
	typeVendor   = 0
	typeInvalid  = 1
	typeDispatch = 2
	typeAnd      = 3
	typeOr       = 5

	vendorBarrierValue = 2
)

// Offsets in a packet that all types share, and of barriers.
const (
	offsetCompletion = 56
	offsetDependency = 8
)

// Values of a queue's inactive signal, by which the packet processor tells ROCr of an error.
const (
	errorDimensions   = 0x2
	errorGroupMemory  = 0x4
	errorCodeObject   = 0x8
	errorPacketFormat = 0x20
	errorGroupSize    = 0x40
	errorAperture     = 0x20000000
	errorInstruction  = 0x40000000
	errorTrap         = 0x80000000
)

// aql is the packet processor of a queue.
type aql struct {
	*queue
	amd      uint64 // address of the amd_queue_t
	launched uint64 // packets taken
	retired  uint64 // packets whose slots are free again: all before are complete
	complete map[uint64]bool
	running  []*dispatch
	scratch  scratchSlots
	asked    bool // for scratch; ROCr has not answered
	bell     uint64
	unrung   uint64 // since when the next packet is there and the doorbell has not been rung for it; 0: it is not so
	fences   fences
}

// Offsets in amd_queue_t.
const (
	queueReadIndex       = 128
	queueScratchSRD      = 144
	queueScratchLocation = 160
	queueScratchSize     = 168
	queueScratchLane     = 176
	queueProperties      = 180
	queueInactive        = 192

	propertyProfiling = 1 << 3
)

func newAQL(q *queue, read uint64) *aql {
	return &aql{queue: q, amd: read - queueReadIndex, complete: map[uint64]bool{}, bell: neverRung}
}

// advance takes the next packet or lets a wave of a dispatch run, whichever the dice say.
func (a *aql) advance() bool {
	progress := false
	ok := a.guarded(func() {
		if len(a.running) == 0 || a.gpu.random.IntN(4) == 0 {
			progress = a.take()
		}
		if !progress && len(a.running) > 0 && !a.halted {
			a.running[a.gpu.random.IntN(len(a.running))].run()
			progress = true
		}
	})
	return progress || !ok
}

// rung is the last packet the host has rung the doorbell for. Threads may ring in another order than their packets have.
func (a *aql) rung() uint64 {
	if b := atomic.LoadUint64(a.doorbell); b != neverRung && (a.bell == neverRung || b > a.bell) {
		a.bell = b
	}
	return a.bell
}

// lostRing is how long a packet is there before its ring of the doorbell counts as lost, in nanoseconds.
const lostRing = 20e6

// overlooked is whether the host's ring for the next packet was lost. Hardware sees each; here, of two threads that ring at a time only the
// last is seen, which may be the one that rang for the earlier packet.
func (a *aql) overlooked() bool {
	full := (a.launched-a.retired)*packetSize == a.size
	if full || word16(a.ring+a.launched*packetSize%a.size)&0xff == typeInvalid {
		a.unrung = 0
		return false
	}
	if a.unrung == 0 {
		a.unrung = Now()
	}
	return Now()-a.unrung > lostRing
}

// take starts the next packet if it may start, and reports whether it did.
func (a *aql) take() bool {
	if b := a.rung(); b == neverRung || a.launched > b && !a.overlooked() {
		return false
	}
	a.unrung = 0
	slot := a.ring + a.launched*packetSize%a.size
	header := word16(slot)
	kind := header & 0xff
	if kind == typeInvalid {
		return false
	}
	packet := hostBytes(slot, packetSize)
	if header>>8&1 == 1 && a.retired < a.launched { // the barrier bit: all before must be complete
		return false
	}
	switch kind {
	case typeDispatch:
		return a.dispatch(packet, slot)
	case typeAnd, typeOr:
		if a.gpu.Strict && (binary.LittleEndian.Uint32(packet[4:]) != 0 || binary.LittleEndian.Uint64(packet[48:]) != 0) {
			a.fail(errorPacketFormat, "a reserved field of the barrier packet is not zero")
			return true
		}
		if !a.dependenciesMet(packet, kind) {
			return false
		}
	case typeVendor:
		if packet[2] == vendorBarrierValue && !a.valueReached(packet) {
			return false
		}
	default:
		a.fail(errorPacketFormat, "packet type %d does not exist", kind)
		return true
	}
	a.gpu.logf("queue %d packet %d: type %d header %#x", a.id, a.launched, kind, header)
	// Nothing is between the fences of a barrier packet: together they order all before it and all behind.
	a.release(0, header)
	a.acquire(header)
	a.launched++
	a.finish(a.launched-1, Clock(), 0)
	return true
}

func (a *aql) dependenciesMet(packet []byte, kind uint16) bool {
	pending, met := false, false
	for k := range 5 {
		s := signal(binary.LittleEndian.Uint64(packet[offsetDependency+8*k:]))
		if s == 0 {
			continue
		}
		if a.gpu.signalValue(s) == 0 {
			met = true
		} else {
			pending = true
		}
	}
	return !pending || kind == typeOr && met
}

// valueReached is whether the condition of AMD's barrier-value packet holds.
func (a *aql) valueReached(packet []byte) bool {
	s := signal(binary.LittleEndian.Uint64(packet[8:]))
	value, mask := int64(binary.LittleEndian.Uint64(packet[16:])), int64(binary.LittleEndian.Uint64(packet[24:]))
	if s == 0 {
		return true
	}
	v := a.gpu.signalValue(s) & mask
	switch binary.LittleEndian.Uint32(packet[32:]) { // hsa_signal_condition_t
	case 0:
		return v == value
	case 1:
		return v != value
	case 2:
		return v < value
	}
	return v >= value
}

// finish completes packet index, which began at a time and wrote memory as writer, and gives the slots of the oldest complete ones back.
func (a *aql) finish(index, began uint64, writer uint32) {
	packet := hostBytes(a.ring+index*packetSize%a.size, packetSize)
	s := signal(binary.LittleEndian.Uint64(packet[offsetCompletion:]))
	a.release(writer, binary.LittleEndian.Uint16(packet))
	a.complete[index] = true
	for a.complete[a.retired] {
		delete(a.complete, a.retired)
		header := word32(a.ring + a.retired*packetSize%a.size)
		atomic.StoreUint32(header, atomic.LoadUint32(header)&^0xffff|typeInvalid)
		a.retired++
	}
	atomic.StoreUint64(a.read, a.retired)
	if s == 0 {
		return
	}
	if a.queueWord(queueProperties)&propertyProfiling != 0 {
		*a.gpu.word64(uint64(s)+signalStart, true) = began
		*a.gpu.word64(uint64(s)+signalEnd, true) = Clock()
	}
	a.gpu.complete(s)
}

// fail halts the queue with an error, as the packet processor's firmware does.
func (a *aql) fail(code int64, format string, args ...any) {
	a.halted = true
	a.gpu.report("queue %d: "+format, append([]any{a.id}, args...)...)
	for _, d := range a.running {
		d.drop()
	}
	a.running = nil
	a.gpu.setSignal(a.inactive(), code)
}

// violation halts the queue for a wave that accessed memory that is not mapped. The kernel driver tells of the fault, and the trap handler
// that each such wave enters tells of the queue. ROCr listens to the first fault of a process only, so that the latter matters.
func (a *aql) violation(f *gcn.Fault) {
	a.gpu.raiseFault(f.Address)
	a.fail(errorAperture, "%v", f)
}

func (a *aql) inactive() signal { return signal(*word64(a.amd + queueInactive)) }
