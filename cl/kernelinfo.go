package cl

import (
	"slices"

	"aqueduct/roc/compiler/codeobject"
)

// Info answers clGetKernelInfo (OpenCL API 3.0 section 5.9.4).
func (k *Kernel) Info(param uint32, out Out) Status { return kernelInfo.Get(k, param, out) }

var kernelInfo = Table[*Kernel]{
	CL_KERNEL_FUNCTION_NAME:   func(k *Kernel) Value { return String(k.info.Name) },
	CL_KERNEL_NUM_ARGS:        func(k *Kernel) Value { return Uint(len(k.info.Args)) },
	CL_KERNEL_REFERENCE_COUNT: func(k *Kernel) Value { return Uint(k.References()) },
	CL_KERNEL_CONTEXT:         func(k *Kernel) Value { return HandleOf(k.program.ctx) },
	CL_KERNEL_PROGRAM:         func(k *Kernel) Value { return HandleOf(k.program) },
	CL_KERNEL_ATTRIBUTES: func(k *Kernel) Value {
		// "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call the string returned from this
		// query will be empty."
		if k.program.origin == fromBinary || k.program.origin == fromIL {
			return String("")
		}
		return String(k.info.Attributes)
	},
}

// WorkGroupInfo answers clGetKernelWorkGroupInfo (OpenCL API 3.0 section 5.9.4). d is nil if the caller named no device.
func (k *Kernel) WorkGroupInfo(d *Device, param uint32, out Out) Status {
	code, st := k.queried(d)
	if st != CL_SUCCESS {
		return st
	}
	return workGroupInfo.Get(kernelOn{k, code}, param, out)
}

// queried finds k on the device of a query. A device for which no executable was built has no code: it is not "in the list of
// devices associated with kernel".
func (k *Kernel) queried(d *Device) (*kernelCode, Status) {
	// CL_INVALID_DEVICE if device is not in the list of devices associated with kernel or if device is NULL but there is more
	// than one device associated with kernel
	devices := k.program.devices
	if d == nil {
		if len(devices) != 1 {
			return nil, CL_INVALID_DEVICE
		}
		d = devices[0]
	}
	i := slices.Index(devices, d)
	if i < 0 || k.code[i] == nil {
		return nil, CL_INVALID_DEVICE
	}
	return k.code[i], CL_SUCCESS
}

type kernelOn struct {
	*Kernel
	code *kernelCode
}

// CL_KERNEL_GLOBAL_WORK_SIZE is not in the table: "If kernel is not a built-in kernel, querying CL_KERNEL_GLOBAL_WORK_SIZE
// returns the error CL_INVALID_VALUE."
var workGroupInfo = Table[kernelOn]{
	CL_KERNEL_WORK_GROUP_SIZE:         func(k kernelOn) Value { return Size(k.code.maxLocal) },
	CL_KERNEL_COMPILE_WORK_GROUP_SIZE: func(k kernelOn) Value { return Ulongs(k.code.required[:]...) },
	CL_KERNEL_LOCAL_MEM_SIZE: func(k kernelOn) Value {
		k.args.mu.Lock()
		defer k.args.mu.Unlock()
		return Ulong(k.args.localSize())
	},
	CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: func(k kernelOn) Value { return Size(max(k.code.kernel.Info.Width, 1)) },
	// "The meaning of this value will vary [...], however a return value of 0 will always indicate that compiler was able to compile
	// the kernel [...] without spilling registers": bytes of a work-item that are no registers. What LLVM spills is not counted, so
	// it is never 0.
	CL_KERNEL_SPILL_MEM_SIZE_INTEL: func(k kernelOn) Value {
		info := &k.code.kernel.Info
		return Ulong(uint64(max(info.PrivateSegmentSize+info.FramePerItem, 1)))
	},
	CL_KERNEL_PRIVATE_MEM_SIZE: func(k kernelOn) Value { return Ulong(uint64(k.code.kernel.Info.PrivateSegmentSize)) },
}

// ArgInfo answers clGetKernelArgInfo (OpenCL API 3.0 section 5.9.4).
func (k *Kernel) ArgInfo(index, param uint32, out Out) Status {
	// CL_INVALID_ARG_INDEX if arg_index is not a valid argument index
	if uint64(index) >= uint64(len(k.info.Args)) {
		return CL_INVALID_ARG_INDEX
	}
	// CL_INVALID_VALUE if param_name is not one of the supported values
	if argInfo[param] == nil {
		return CL_INVALID_VALUE
	}
	// CL_KERNEL_ARG_INFO_NOT_AVAILABLE if the argument information is not available for kernel
	if !k.info.HasArgInfo {
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE
	}
	return argInfo.Get(&k.info.Args[index], param, out)
}

var argInfo = Table[*codeobject.ArgInfo]{
	CL_KERNEL_ARG_ADDRESS_QUALIFIER: func(a *codeobject.ArgInfo) Value { return Uint(a.AddressSpace) },
	CL_KERNEL_ARG_ACCESS_QUALIFIER:  func(a *codeobject.ArgInfo) Value { return Uint(a.Access) },
	CL_KERNEL_ARG_TYPE_NAME:         func(a *codeobject.ArgInfo) Value { return String(a.TypeName) },
	CL_KERNEL_ARG_TYPE_QUALIFIER:    func(a *codeobject.ArgInfo) Value { return Ulong(a.TypeQualifiers) },
	CL_KERNEL_ARG_NAME:              func(a *codeobject.ArgInfo) Value { return String(a.Name) },
}
