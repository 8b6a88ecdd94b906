// Package codeobject is the contract between the compiler and those who run what it makes: the layout of a kernel's
// arguments, the calling convention of native kernels, and the container a program binary travels in.
// It imports nothing of the compiler, so the driver can read binaries without starting one.
package codeobject

import "unsafe"

// # Native kernels (embedded agent)
//
// A kernel of the embedded agent is an ELF symbol with the C signature
//
//	void kernel(const void *kernarg, const struct Context *ctx, uint64_t first, uint64_t last);
//
// It runs the work-groups with linear index [first, last), dimension 0 fastest, of the NDRange that the hidden
// arguments describe: with n[d] = BlockCount[d] + (Remainder[d] != 0), group (x, y, z) has index x + n[0]*(y + n[1]*z).
// A group whose coordinate d equals BlockCount[d] has Remainder[d] work-items in that dimension, every other has
// GroupSize[d] (non-uniform work-groups, OpenCL C 3.0 section 6.15.1).
//
// kernarg holds the explicit arguments at the offsets that KernelInfo.Args names, then, at KernelInfo.HiddenOffset, a
// HiddenArgs. An argument of kind ArgLocal occupies four bytes: the offset of its memory from Context.Local, as on
// AMD GPUs (value kind dynamic_shared_pointer). Everything else is passed by value, pointers as eight bytes.

// Context is what a worker lends to a native kernel for the length of one call.
type Context struct {
	// Local is the group segment: KernelInfo.GroupSegmentSize bytes of kernel-scope variables from offset 0, then the
	// local-memory arguments. 256-byte aligned. Its contents are undefined when a group starts.
	Local unsafe.Pointer
	// Frame is what lives across barriers: at least KernelInfo.FrameFixed + KernelInfo.FramePerItem*items bytes, where
	// items is the size of a whole work-group rounded up to a multiple of 64. 256-byte aligned, contents undefined.
	Frame unsafe.Pointer
	// Services is the devicequeue.Enqueues of the thread if KernelInfo.Enqueues says that the kernel uses it, else nil.
	Services unsafe.Pointer
	// Print is where KernelInfo.Prints says that the kernel prints to, else nil.
	Print *PrintBuffer
	// Ends of Local and Frame, and the stack: what lies between is local or private memory, all else is global. So a generic
	// pointer is told (OpenCL C 3.0 section 6.15.13).
	LocalEnd, FrameEnd, StackStart, StackEnd uintptr
}

// HiddenArgs are the implicit arguments, laid out as code object v5 of AMD GPUs has them (LLVM's AMDGPUUsage, "Code Object
// V5 Metadata"), so that one piece of VirtualGPU fills both. Size 256 bytes, alignment 8.
type HiddenArgs struct {
	BlockCount       [3]uint32 // offset 0: whole work-groups in each dimension
	GroupSize        [3]uint16 // 12: enqueued local size
	Remainder        [3]uint16 // 18: work-items of the last, partial group, 0 if there is none
	GroupBase        [3]uint32 // 24: (reserved by AMD) the first group, when one NDRange is cut into several dispatches; native kernels are told by first
	GlobalBlocks     [1]uint32 // 36: reserved
	GlobalOffset     [3]uint64 // 40: global work offset
	GridDims         uint16    // 64: work dimension
	_                [6]byte
	PrintfBuffer     uint64 // 72
	HostcallBuffer   uint64 // 80
	MultigridSync    uint64 // 88
	HeapV1           uint64 // 96
	DefaultQueue     uint64 // 104
	CompletionAction uint64 // 112
	DynamicLDSSize   uint32 // 120
	_                [68]byte
	PrivateBase      uint32 // 192
	SharedBase       uint32 // 196
	QueuePtr         uint64 // 200
	_                [48]byte
}

// HiddenSize is the size of HiddenArgs in bytes.
const HiddenSize = 256

var _ [HiddenSize]byte = [unsafe.Sizeof(HiddenArgs{})]byte{}
