package cl

import (
	"slices"
	"strings"
	"sync"

	"aqueduct/roc"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/spirv"
)

// Program is a program object (OpenCL API 3.0 section 5.8). Its uses are its kernels and builds that have not ended.
type Program struct {
	Object
	ctx     *Context
	devices []*Device
	origin  origin
	source  string        // of fromSource
	il      []byte        // of fromIL, as given
	module  *spirv.Module // il, read

	mu        sync.Mutex        // guards all below
	builds    []build           // for each device
	kernels   int               // kernel objects attached
	constants map[uint32][]byte // values of specialization constants of fromIL, by id
}

// origin is which call made a program.
type origin uint8

const (
	fromSource origin = iota
	fromBinary
	fromLink
	fromIL
)

// build is what was last made of a program for one device.
type build struct {
	status  int32 // CL_BUILD_*
	options string
	log     string
	object  *codeobject.Program // nil if there is no binary
	binary  []byte              // object, marshalled
	exe     *roc.Program        // of executables that were built, else nil
	ahead   *ahead              // of deferred ones
	missing bool                // it failed since there is no compiler
	uniform bool                // work-groups must all have the same size
	lent    bool                // it is the parent device's
}

func newProgram(ctx *Context, devices []*Device, from origin) *Program {
	p := &Program{ctx: ctx, devices: devices, origin: from, builds: make([]build, len(devices))}
	for i := range p.builds {
		p.builds[i].status = CL_BUILD_NONE
	}
	ctx.Use()
	p.init(KindProgram, p)
	return p
}

// end runs when the program and all its kernels are gone.
func (p *Program) end() {
	for i := range p.builds {
		p.builds[i].unload()
	}
	p.ctx.Unuse()
}

// unload gives the executable back.
func (b *build) unload() {
	if b.exe != nil {
		b.exe.Release()
		b.exe = nil
	}
}

// CreateProgramWithSource is clCreateProgramWithSource; texts are the strings, at least one.
func (ctx *Context) CreateProgramWithSource(texts []string) *Program {
	p := newProgram(ctx, ctx.devices, fromSource)
	// "The source string returned is a concatenation of all source strings [...] The concatenation strips any nulls in the
	// original source strings." (CL_PROGRAM_SOURCE)
	p.source = strings.ReplaceAll(strings.Join(texts, ""), "\x00", "")
	return p
}

// CreateProgramWithBinary is clCreateProgramWithBinary. binaries has an entry, perhaps empty, for each of devices; so has what
// comes back beside the program, for binary_status.
func (ctx *Context) CreateProgramWithBinary(devices []*Device, binaries [][]byte) (*Program, []Status, Status) {
	// CL_INVALID_VALUE if device_list is NULL or num_devices is zero
	if len(devices) == 0 {
		return nil, nil, CL_INVALID_VALUE
	}
	// CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with context
	if !contains(ctx.devices, devices) {
		return nil, nil, CL_INVALID_DEVICE
	}
	statuses := make([]Status, len(devices))
	builds := make([]build, len(devices))
	result := CL_SUCCESS
	for i, bin := range binaries {
		b, st := loadBinary(devices[i], bin)
		builds[i], statuses[i] = b, st
		if st != CL_SUCCESS && result != CL_INVALID_VALUE {
			result = st
		}
	}
	if result != CL_SUCCESS {
		return nil, statuses, result
	}
	p := newProgram(ctx, devices, fromBinary)
	p.builds = builds
	return p, statuses, CL_SUCCESS
}

// loadBinary reads a program binary for d.
func loadBinary(d *Device, bin []byte) (build, Status) {
	// CL_INVALID_VALUE if any entry in lengths[i] is zero or binaries[i] is NULL
	if len(bin) == 0 {
		return build{}, CL_INVALID_VALUE
	}
	// CL_INVALID_BINARY if an invalid program binary was encountered for any device
	bin = slices.Clone(bin)
	object, err := codeobject.Read(bin)
	if err != nil || object.Target != d.target().ID {
		return build{}, CL_INVALID_BINARY
	}
	return build{status: CL_BUILD_NONE, object: object, binary: bin}, CL_SUCCESS
}

// CreateProgramWithBuiltInKernels is clCreateProgramWithBuiltInKernels. No device has any.
func (ctx *Context) CreateProgramWithBuiltInKernels(devices []*Device) Status {
	// CL_INVALID_VALUE if device_list is NULL or num_devices is zero
	if len(devices) == 0 {
		return CL_INVALID_VALUE
	}
	// CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with context
	if !contains(ctx.devices, devices) {
		return CL_INVALID_DEVICE
	}
	// CL_INVALID_VALUE if kernel_names is NULL or contains a kernel name that is not supported by any of the devices
	return CL_INVALID_VALUE
}

// contains reports whether all of some are in all.
func contains(all, some []*Device) bool {
	for _, d := range some {
		if !slices.Contains(all, d) {
			return false
		}
	}
	return true
}

// text is what the compiler makes the program of: a request's Source and IL.
func (p *Program) text() (source []byte, il bool) {
	if p.origin != fromIL {
		return []byte(p.source), false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.module.Bytes(p.constants), true
}

// executable reports whether an executable has been built for any device; p is locked.
func (p *Program) executable() bool {
	return slices.ContainsFunc(p.builds, func(b build) bool { return b.exe != nil })
}

// kernelInfos describes the kernels of p, nil if there is no executable; p is locked.
func (p *Program) kernelInfos() []codeobject.KernelInfo {
	for _, b := range p.builds {
		if b.exe != nil {
			return b.object.Kernels
		}
	}
	return nil
}
