package codeobject

// ArgKind says how a kernel argument travels in the kernarg segment.
type ArgKind uint8

const (
	ArgValue    ArgKind = iota // by value: Size bytes at Offset
	ArgGlobal                  // pointer to __global memory, 8 bytes
	ArgConstant                // pointer to __constant memory, 8 bytes
	ArgLocal                   // __local pointer: a 4-byte offset into the group segment (see package comment)
	ArgImage                   // image object, 8 bytes: address of its descriptor
	ArgSampler                 // sampler object, 8 bytes
	ArgQueue                   // queue_t, 8 bytes
	ArgPipe                    // pipe object, 8 bytes
)

// ArgInfo describes one explicit kernel argument. Address, access and type qualifiers are CL_KERNEL_ARG_* values of
// clGetKernelArgInfo (OpenCL API 3.0 section 5.9.4).
type ArgInfo struct {
	Name           string // as in the source
	TypeName       string // as in the source, e.g. "float4*", without qualifiers
	Kind           ArgKind
	ImageType      string // of an ArgImage: "image2d_t", "image1d_buffer_t" ...
	Size           uint32 // bytes clSetKernelArg expects; for ArgLocal the slot's 4
	Offset         uint32 // in the kernarg segment
	PointeeAlign   uint32 // alignment of what an ArgLocal points to, bytes
	AddressSpace   uint32 // CL_KERNEL_ARG_ADDRESS_*
	Access         uint32 // CL_KERNEL_ARG_ACCESS_*
	TypeQualifiers uint64 // CL_KERNEL_ARG_TYPE_* bit field
}

// KernelInfo describes one kernel of an executable.
type KernelInfo struct {
	Name               string // as in OpenCL C
	Symbol             string // of the ELF symbol with the signature of the package comment, or of the kernel descriptor for AMD's GPUs; "" while deferred
	Args               []ArgInfo
	KernargSize        uint32      // bytes, hidden arguments included
	HiddenOffset       uint32      // where HiddenArgs start, or what Hidden lists
	Hidden             []HiddenArg `json:",omitempty"` // hidden arguments that are not laid out as HiddenArgs; nil if they are
	GroupSegmentSize   uint32      // bytes of kernel-scope __local variables
	PrivateSegmentSize uint32      // bytes of private memory a work-item uses, as far as known
	MaxGroup           uint32      // work-items a work-group may have at most, 0 for all that the agent allows
	FramePerItem       uint32      // see Context.Frame
	FrameFixed         uint32
	ReqdWorkGroupSize  [3]uint32 // reqd_work_group_size, else zero
	ReqdSubGroupSize   uint32    // intel_reqd_sub_group_size, else zero
	WorkGroupSizeHint  [3]uint32
	VecTypeHint        string
	Attributes         string // text for CL_KERNEL_ATTRIBUTES: "reqd_work_group_size(8,8,1) vec_type_hint(float4)"
	HasBarrier         bool
	FlushesDenormals   bool       // runs with denormals as operands and results taken for zeros (-cl-denorms-are-zero)
	Prints             bool       // calls printf, see Context.Print; of GPUs' kernels: may call it, see package printf
	Enqueues           bool       // calls functions of on-device queues, see Context.Services
	Width              uint32     // work-items the code runs in lockstep (SIMD lanes); 1 for the scalar form
	Cost               uint32     // rough instruction count of one work-item, loops counted once; chooses chunk sizes
	Straight           bool       // there are no loops, so that no work-item takes more than Cost instructions
	Contends           bool       // work-items may hinder one another by atomic operations, and do not wait for one another
	Descriptor         string     // of a block: ELF symbol of its BlockDescriptor
	UniformGroups      bool       // of a block: all work-groups must have the same size
	Lines              *LineTable `json:",omitempty"` // of the code around Symbol, if it was built with -g
	HasArgInfo         bool       // names and types are present (-cl-kernel-arg-info, or built from source)
}
