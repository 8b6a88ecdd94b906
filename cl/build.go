package cl

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
)

// BuildArgs are the arguments that clBuildProgram, clCompileProgram and clLinkProgram share.
type BuildArgs struct {
	Devices []*Device      // nil: all of the program's
	Options *string        // nil if the caller gave none
	Notify  func(*Program) // pfn_notify; with it the build goes on after the call has returned
}

func (a *BuildArgs) options() string {
	if a.Options == nil {
		return ""
	}
	return *a.Options
}

// Header is an embedded header of clCompileProgram: a program, by the name it is included as.
type Header struct {
	Name    string
	Program *Program
}

// Build is clBuildProgram (OpenCL API 3.0 section 5.8.4).
func (p *Program) Build(a BuildArgs) Status {
	on, st := p.indices(a.Devices)
	if st != CL_SUCCESS {
		return st
	}
	// CL_INVALID_BUILD_OPTIONS if the build options specified by options are invalid
	parsed, err := frontend.Parse(compiler.Build, a.options())
	if err != nil {
		return p.refuse(on, CL_INVALID_BUILD_OPTIONS, err)
	}
	// CL_INVALID_OPERATION if program was not created with clCreateProgramWithSource, clCreateProgramWithIL or
	// clCreateProgramWithBinary
	if p.origin == fromLink {
		return CL_INVALID_OPERATION
	}
	before, st := p.begin(on, a.options())
	if st != CL_SUCCESS {
		return st
	}
	source, il := p.text()
	return p.run(on, CL_BUILD_PROGRAM_FAILURE, a.Notify, func(n int) build {
		if p.origin == fromBinary {
			return buildBinary(p.devices[on[n]], before[n], a.Options, parsed)
		}
		b := compileFor(p.devices[on[n]], compiler.Request{Stage: compiler.Build, Options: a.options(), Source: source, IL: il})
		b.uniform = p.needsUniform(parsed)
		return b
	})
}

// needsUniform reports whether p, built with options o can only run uniform work-groups: those of OpenCL C before 2.0,
// which is also what no -cl-std means, and those whose options promise it (OpenCL API 3.0 section 5.10).
func (p *Program) needsUniform(o *frontend.Options) bool {
	// "If the program was created with clCreateProgramWithIL or clCreateProgramWithBinary, then the program must be compiled or built
	// without the -cl-uniform-work-group-size build options."
	if p.origin == fromIL {
		return o.UniformWorkGroups
	}
	return o.UniformWorkGroups || o.Std == "" || strings.HasPrefix(o.Std, "CL1.")
}

// buildBinary makes what b was loaded from ready to run.
func buildBinary(d *Device, b build, options *string, parsed *frontend.Options) build {
	// "If the program was created using clCreateProgramWithBinary and options is a NULL pointer, the program will be built as if
	// options were the same as when the program binary was originally built."
	if options == nil {
		b.options = b.object.Options
		if o, err := frontend.Parse(compiler.Build, b.options); err == nil {
			parsed = o
		}
	} else {
		b.options = *options
	}
	object := b.object
	if object.Type == codeobject.Executable {
		b.load(d)
	} else {
		options := b.options
		b = compileFor(d, compiler.Request{Stage: compiler.Link, Inputs: []*codeobject.Program{object}})
		b.options = options
	}
	// Non-uniform work-groups: "If the program was created with clCreateProgramWithIL or clCreateProgramWithBinary, then the
	// program must be compiled or built without the -cl-uniform-work-group-size build options."
	b.uniform = parsed.UniformWorkGroups
	return b
}

// Compile is clCompileProgram (OpenCL API 3.0 section 5.8.5).
func (p *Program) Compile(a BuildArgs, headers []Header) Status {
	// CL_INVALID_CONTEXT if the context associated with program and programs in input_headers are not the same
	for _, h := range headers {
		if h.Program.ctx != p.ctx {
			return CL_INVALID_CONTEXT
		}
	}
	on, st := p.indices(a.Devices)
	if st != CL_SUCCESS {
		return st
	}
	// CL_INVALID_COMPILER_OPTIONS if the compiler options specified by options are invalid
	parsed, err := frontend.Parse(compiler.Compile, a.options())
	if err != nil {
		return p.refuse(on, CL_INVALID_COMPILER_OPTIONS, err)
	}
	// CL_INVALID_OPERATION if program has no source or IL available
	if p.origin != fromSource && p.origin != fromIL {
		return CL_INVALID_OPERATION
	}
	// "If program was created using clCreateProgramWithIL, then num_input_headers, input_headers, and header_include_names are
	// ignored."
	if p.origin == fromIL {
		headers = nil
	}
	// "input_headers is an array of program embedded headers created with clCreateProgramWithSource."
	texts := make([]compiler.Header, len(headers))
	for i, h := range headers {
		if h.Program.origin != fromSource {
			return CL_INVALID_OPERATION
		}
		texts[i] = compiler.Header{Name: h.Name, Source: []byte(h.Program.source)}
	}
	if _, st := p.begin(on, a.options()); st != CL_SUCCESS {
		return st
	}
	source, il := p.text()
	return p.run(on, CL_COMPILE_PROGRAM_FAILURE, a.Notify, func(n int) build {
		b := compileFor(p.devices[on[n]], compiler.Request{Stage: compiler.Compile, Options: a.options(), Source: source, IL: il, Headers: texts})
		b.uniform = p.needsUniform(parsed)
		return b
	})
}

// Link is clLinkProgram (OpenCL API 3.0 section 5.8.5). A program comes back whenever linking could begin, be the status what
// it may. publish makes it known to the application, whom a.Notify may tell of it before Link returns; false if it cannot.
func (ctx *Context) Link(a BuildArgs, inputs []*Program, publish func(*Program) bool) (*Program, Status) {
	// CL_INVALID_CONTEXT if the context associated with programs in input_programs is not the same as context
	for _, in := range inputs {
		if in.ctx != ctx {
			return nil, CL_INVALID_CONTEXT
		}
	}
	// CL_INVALID_VALUE if num_input_programs is zero
	if len(inputs) == 0 {
		return nil, CL_INVALID_VALUE
	}
	devices := a.Devices
	if devices == nil {
		devices = ctx.devices
	}
	// CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with context
	if !contains(ctx.devices, devices) {
		return nil, CL_INVALID_DEVICE
	}
	// CL_INVALID_LINKER_OPTIONS if the linker options specified by options are invalid
	if err := compiler.CheckOptions(compiler.Link, a.options()); err != nil {
		ctx.Notify("clLinkProgram: " + err.Error())
		return nil, CL_INVALID_LINKER_OPTIONS
	}
	var on []int
	objects := make([][]*codeobject.Program, len(devices))
	uniform := make([]bool, len(devices))
	for i, d := range devices {
		for _, in := range inputs {
			b, st := in.compiled(d)
			if st != CL_SUCCESS {
				return nil, st
			}
			if b.object != nil {
				objects[i] = append(objects[i], b.object)
				uniform[i] = uniform[i] || b.uniform
			}
		}
		// "All programs specified by input_programs contain a compiled binary or library for the device. [...] None of the
		// programs contain a compiled binary or library for that device. [...] All other cases will return a
		// CL_INVALID_OPERATION error."
		switch len(objects[i]) {
		case 0:
		case len(inputs):
			on = append(on, i)
		default:
			return nil, CL_INVALID_OPERATION
		}
	}
	if len(on) == 0 {
		return nil, CL_INVALID_OPERATION
	}
	p := newProgram(ctx, devices, fromLink)
	p.begin(on, a.options()) // it is new, so nothing can be in the way
	if !publish(p) {
		p.Release()
		return nil, CL_OUT_OF_HOST_MEMORY
	}
	st := p.run(on, CL_LINK_PROGRAM_FAILURE, a.Notify, func(n int) build {
		i := on[n]
		b := compileFor(devices[i], compiler.Request{Stage: compiler.Link, Options: a.options(), Inputs: objects[i]})
		b.uniform = uniform[i]
		return b
	})
	return p, st
}

// compiled is the build of p for d if that is a compiled binary or library, else one with no object.
func (p *Program) compiled(d *Device) (build, Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.devices, d)
	if i < 0 {
		return build{}, CL_SUCCESS
	}
	b := p.builds[i]
	// CL_INVALID_OPERATION if the compilation or build of a program executable for any of the devices listed in device_list by
	// a previous call to clCompileProgram or clBuildProgram for program has not completed
	if b.status == CL_BUILD_IN_PROGRESS {
		return build{}, CL_INVALID_OPERATION
	}
	if b.object != nil && b.object.Type == codeobject.Executable {
		return build{}, CL_SUCCESS
	}
	return b, CL_SUCCESS
}

// indices says where in p.devices the devices are.
func (p *Program) indices(devices []*Device) ([]int, Status) {
	if devices == nil {
		devices = p.devices
	}
	on := make([]int, len(devices))
	for n, d := range devices {
		// CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with program
		if on[n] = slices.Index(p.devices, d); on[n] < 0 {
			return nil, CL_INVALID_DEVICE
		}
	}
	slices.Sort(on)
	return slices.Compact(on), CL_SUCCESS
}

// refuse leaves in the build logs why options are refused, which a program that asks for the log of a failed build shows.
func (p *Program) refuse(on []int, st Status, err error) Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range on {
		if b := &p.builds[i]; b.status != CL_BUILD_IN_PROGRESS {
			b.log = err.Error() + "\n"
		}
	}
	return st
}

// begin marks the builds of devices on as in progress and returns what they were.
func (p *Program) begin(on []int, options string) ([]build, Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// CL_INVALID_OPERATION if the build of a program executable for any of the devices listed in device_list by a previous call
	// for program has not completed
	for _, i := range on {
		if p.builds[i].status == CL_BUILD_IN_PROGRESS {
			return nil, CL_INVALID_OPERATION
		}
	}
	// CL_INVALID_OPERATION if there are kernel objects attached to program
	if p.kernels > 0 {
		return nil, CL_INVALID_OPERATION
	}
	before := make([]build, len(on))
	for n, i := range on {
		b := &p.builds[i]
		b.unload()
		before[n] = *b
		*b = build{status: CL_BUILD_IN_PROGRESS, options: options, object: b.object, binary: b.binary}
	}
	return before, CL_SUCCESS
}

// run does the builds begun, one after the other, here or, with notify, behind the caller's back. failure is the status if one
// of them fails. do builds for device on[n].
func (p *Program) run(on []int, failure Status, notify func(*Program), do func(n int) build) Status {
	all := func() Status {
		st := CL_SUCCESS
		for n, i := range on {
			b := do(n)
			switch {
			case b.status == CL_BUILD_SUCCESS:
			// CL_COMPILER_NOT_AVAILABLE if program is created with clCreateProgramWithSource and a compiler is not available, i.e.
			// CL_DEVICE_COMPILER_AVAILABLE [...] is set to CL_FALSE
			case b.missing && failure != CL_LINK_PROGRAM_FAILURE:
				st = CL_COMPILER_NOT_AVAILABLE
			// CL_LINKER_NOT_AVAILABLE if a linker is not available i.e. CL_DEVICE_LINKER_AVAILABLE is set to CL_FALSE
			case b.missing:
				st = CL_LINKER_NOT_AVAILABLE
			default:
				st = failure
			}
			p.mu.Lock()
			p.builds[i] = b
			p.mu.Unlock()
			p.lend(i, b)
		}
		return st
	}
	if notify == nil {
		return all()
	}
	p.Use()
	go func() {
		all()
		notify(p)
		p.Unuse()
	}()
	return CL_SUCCESS
}
