package hsa

import (
	"errors"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
)

// Priority of a queue (hsa_amd_queue_priority_t).
type Priority int

const (
	PriorityLow Priority = iota
	PriorityNormal
	PriorityHigh
)

// Domain is a part of the memory system that compute units may share.
type Domain int

// Domains, the outermost first.
const (
	DomainNUMA Domain = iota
	DomainL4
	DomainL3
	DomainL2
	DomainL1
)

// Agent is one device of an HSA runtime.
type Agent interface {
	// Info describes the agent; it never changes.
	Info() *Info
	// SetHandler names the one function that Watch calls. It must be set before the first Watch.
	SetHandler(func(arg uintptr))
	// Watch has the handler called with arg, once, from a thread of the runtime or a helping one, when the value of s has
	// come down to zero or below (hsa_amd_signal_async_handler with condition LT 1). The handler must not block.
	Watch(s Signal, arg uintptr)
	// NewSignal returns a signal with value 1; FreeSignal gives it back, once no packet in flight names it.
	NewSignal() (Signal, error)
	FreeSignal(Signal)
	// Complete takes one from the value of s, as the completion of a packet does.
	Complete(s Signal)
	// Times returns when the dispatch that completed s started and ended, in nanoseconds of CLOCK_MONOTONIC. start is zero
	// while it has not started.
	Times(s Signal) (start, end uint64)
	// NewQueue creates an AQL queue of size packets (a power of two). onError is called once, from a thread of the runtime,
	// when packets have failed and nothing of the queue runs any more. Other packets before its ReadIndex have completed, those
	// from it on have not started, and the queue processes nothing more.
	NewQueue(size uint32, p Priority, onError func([]Fault)) (Queue, error)
	// Alloc returns size bytes aligned to at least 256 in the agent's global memory, which on an agent that shares the host's
	// memory is host memory. Free gives them back.
	Alloc(size uint64) (unsafe.Pointer, error)
	Free(unsafe.Pointer)
	// AllocHost is Alloc from memory that the host, this agent and all others of the same kind read and write at the same address.
	AllocHost(size uint64) (unsafe.Pointer, error)
	// Pin makes memory of the host's, of whatever origin, usable by the agent, and returns its address there. unpin undoes it, once
	// no packet in flight uses it; nil if there is nothing to undo.
	Pin(host unsafe.Pointer, size uint64) (p unsafe.Pointer, unpin func(), err error)
	// Write copies size bytes from the host's memory to dst, in memory of Alloc, at once.
	Write(dst, src unsafe.Pointer, size uint64) error
	// Engine returns what copies between the memory that dst and src are in, beside the agent's queues; nil if nothing does.
	Engine(dst, src unsafe.Pointer) Engine
	// NewDeviceQueue creates an on-device queue of size bytes, for kernels to enqueue kernels; ErrNoDeviceQueues where there are
	// none.
	NewDeviceQueue(size uint32) (DeviceQueue, error)
	// Load makes the kernels of a code object (ELF) callable.
	Load(code []byte) (Executable, error)
	// Blit returns the object that a dispatch packet names to run one of the agent's own kernels; 0 if it has none, and they are
	// to be built from BlitSource.
	Blit(b Blit) (object uint64)
	// SetService names the one function that agent dispatch packets call, with their Args[0], on a thread of the agent or a
	// helping one; its error is the failure of the packet. It must be set before the first such packet. Only agents that are the
	// CPU run such packets.
	SetService(func(arg uint64) error)
	// Partition returns an agent that is some of the compute units of this one, by their numbers, and shares its memory.
	Partition(units []int) (Agent, error)
	// Affinity groups the compute units by what they share; nil if that is not known.
	Affinity(d Domain) [][]int
	// Help runs a bounded piece of the agent's outstanding work on the calling thread and reports whether there was any for it. What
	// may take long, or wait for the application, is left to threads of the agent's own unless w needs it. Agents that are not the CPU
	// always return false.
	Help(w Waiter, awaited any) bool
}

// Waiter knows what a thread that Helps waits for.
type Waiter interface {
	// Needs reports that what is awaited cannot end before what q has to do next, or is doing, which stays so until it returns.
	Needs(q Queue, awaited any) bool
}

// Fault is the failure of the packet with an index. Its completion signal has not been touched.
type Fault struct {
	Index uint64
	Err   error
}

// Queue is a user-mode AQL queue (hsa_queue_t). Producers reserve an index, write the packet in place, its header last, and
// ring the doorbell.
type Queue interface {
	Size() uint32
	// Reserve returns the index of n consecutive packets, or false if the ring is too full for them now.
	Reserve(n uint32) (index uint64, ok bool)
	// Packet returns the 64 bytes of slot index. The header in it is PacketInvalid until Publish. A published packet may be
	// rewritten only while a barrier packet before it waits for a signal.
	Packet(index uint64) unsafe.Pointer
	// Publish stores header (and, for dispatches, setup) of packet index with release order.
	Publish(index uint64, header, setup uint16)
	// ReadIndex is the index of the oldest packet whose slot is still in use.
	ReadIndex() uint64
	// Throttle has each dispatch of the queue use one compute unit, to save energy. It comes before the first packet.
	Throttle()
	// Doorbell tells the agent that packets up to index are published. With waiting set the caller is about to wait for them
	// and to Help, or to Assist, so an agent that lets waiters help need not wake a thread of its own.
	Doorbell(index uint64, waiting bool)
	// Assist runs packets on the calling thread for as long as it knows each to take no longer than having another thread run it, and
	// leaves the rest to threads of the agent's own. It waits for nothing. Agents that are not the CPU do nothing.
	Assist()
	Destroy()
}

// Engine copies memory by itself, in a queue of its own.
type Engine interface {
	// Copy begins to copy size bytes, and takes one from the value of s at the end. The copy waits for nothing but the engine. If it
	// fails after Copy has returned, failed is called in place of that, on a thread of its own.
	Copy(dst, src unsafe.Pointer, size uint64, s Signal, failed func(error)) error
	// Ended forgets the copy that s tells of, which has ended, and returns when it started and ended, in nanoseconds of CLOCK_MONOTONIC; zeros
	// if that is not known.
	Ended(s Signal) (start, end uint64)
}

// DeviceQueue is an on-device queue.
type DeviceQueue interface {
	// Address is what a kernel gets as its queue_t, or as codeobject.HiddenArgs.DefaultQueue.
	Address() uint64
	// Destroy gives it up, once no packet in flight can enqueue in it.
	Destroy()
}

// ErrNoDeviceQueues is returned by agents whose kernels cannot enqueue kernels.
var ErrNoDeviceQueues = errors.New("kernels of this agent cannot enqueue kernels")

// Executable is a loaded code object.
type Executable interface {
	// Kernel returns the object a dispatch packet names, for the kernel that info describes (info.Symbol is its ELF symbol).
	Kernel(info *codeobject.KernelInfo) (object uint64, err error)
	// Function returns the address of a function that is no kernel (an indirect function of HSA), or of a variable.
	Function(symbol string) (address uint64, err error)
	// Destroy unloads it, once no packet in flight names one of its kernels.
	Destroy()
}

// Info describes an agent. Sizes are bytes, clocks MHz.
type Info struct {
	Name, Vendor string
	CPU          bool // shares memory with the host and lets waiters help
	DeviceQueues bool // kernels can enqueue kernels
	ISA          string
	VendorID     uint32
	ComputeUnits uint32
	WaveSize     uint32
	ClockMHz     uint32
	GlobalMemory uint64
	MaxAlloc     uint64
	LocalMemory  uint32
	CacheSize    uint64
	CacheLine    uint32
	MaxWorkGroup uint32
	UUID         [16]byte
	Features     []string // of the ISA, as LLVM names them, with + or -
}
