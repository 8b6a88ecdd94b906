package cl

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler/codeobject"
)

// Info answers clGetProgramInfo (OpenCL API 3.0 section 5.8.10).
func (p *Program) Info(param uint32, out Out) Status {
	if param == CL_PROGRAM_BINARIES {
		return p.putBinaries(out)
	}
	return programInfo.Get(p, param, out)
}

var programInfo = Table[*Program]{
	CL_PROGRAM_REFERENCE_COUNT: func(p *Program) Value { return Uint(p.References()) },
	CL_PROGRAM_CONTEXT:         func(p *Program) Value { return HandleOf(p.ctx) },
	CL_PROGRAM_NUM_DEVICES:     func(p *Program) Value { return Uint(len(p.devices)) },
	CL_PROGRAM_DEVICES:         func(p *Program) Value { return Handles(p.devices) },
	CL_PROGRAM_SOURCE:          func(p *Program) Value { return String(p.source) },
	CL_PROGRAM_IL:              func(p *Program) Value { return Bytes(p.il) },
	CL_PROGRAM_BINARY_SIZES: func(p *Program) Value {
		p.mu.Lock()
		defer p.mu.Unlock()
		sizes := make([]uint64, len(p.builds))
		for i, b := range p.builds {
			sizes[i] = uint64(len(b.binary))
		}
		return Ulongs(sizes...)
	},
	CL_PROGRAM_NUM_KERNELS: ofExecutable(func(p *Program) Value { return Size(len(p.kernelInfos())) }),
	CL_PROGRAM_KERNEL_NAMES: ofExecutable(func(p *Program) Value {
		var names []string
		for _, k := range p.kernelInfos() {
			names = append(names, k.Name)
		}
		return String(strings.Join(names, ";"))
	}),
	CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT: ofExecutable(func(p *Program) Value {
		return Bool(slices.ContainsFunc(p.builds, func(b build) bool { return b.exe != nil && b.object.Constructors != nil }))
	}),
	CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: ofExecutable(func(*Program) Value { return Bool(false) }),
}

// ofExecutable is a getter of what only executables have.
func ofExecutable(get func(*Program) Value) func(*Program) Value {
	return func(p *Program) Value {
		p.mu.Lock()
		defer p.mu.Unlock()
		// CL_INVALID_PROGRAM_EXECUTABLE if a successful program executable has not been built for at least one device in the list
		// of devices associated with program
		if !p.executable() {
			return Fail(CL_INVALID_PROGRAM_EXECUTABLE)
		}
		return get(p)
	}
}

// putBinaries answers CL_PROGRAM_BINARIES: "param_value points to an array of n pointers allocated by the caller [...] Each
// entry in this array is used by the implementation as the location in memory where to copy the program binary for a specific
// device, if there is a binary available." Entries of NULL are skipped.
func (p *Program) putBinaries(out Out) Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := uintptr(8 * len(p.builds))
	if out.Value != 0 {
		if out.Size < size {
			return CL_INVALID_VALUE
		}
		for i, b := range p.builds {
			if to := *(*Addr)((out.Value + Addr(8*i)).Pointer()); to != 0 {
				copy(to.Bytes(uintptr(len(b.binary))), b.binary)
			}
		}
	}
	if out.SizeRet != 0 {
		out.SizeRet.PutSize(size)
	}
	return CL_SUCCESS
}

// BuildInfo answers clGetProgramBuildInfo (OpenCL API 3.0 section 5.8.10).
func (p *Program) BuildInfo(d *Device, param uint32, out Out) Status {
	// CL_INVALID_DEVICE if device is not in the list of devices associated with program
	i := slices.Index(p.devices, d)
	if i < 0 {
		return CL_INVALID_DEVICE
	}
	p.mu.Lock()
	b := p.builds[i]
	p.mu.Unlock()
	return buildInfo.Get(&b, param, out)
}

var buildInfo = Table[*build]{
	CL_PROGRAM_BUILD_STATUS:  func(b *build) Value { return Uint(b.status) },
	CL_PROGRAM_BUILD_OPTIONS: func(b *build) Value { return String(b.options) },
	CL_PROGRAM_BUILD_LOG:     func(b *build) Value { return String(b.log) },
	CL_PROGRAM_BINARY_TYPE: func(b *build) Value {
		if b.object == nil {
			return Uint(uint32(CL_PROGRAM_BINARY_TYPE_NONE))
		}
		return Uint(binaryTypes[b.object.Type])
	},
	CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: func(b *build) Value {
		if b.object == nil {
			return Size(0)
		}
		return Size(b.object.Globals)
	},
}

var binaryTypes = map[codeobject.Type]uint32{
	codeobject.CompiledObject: CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
	codeobject.Library:        CL_PROGRAM_BINARY_TYPE_LIBRARY,
	codeobject.Executable:     CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
}
