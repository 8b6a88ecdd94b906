package cl

import (
	"aqueduct/roc"
	"aqueduct/roc/compiler/codeobject"
)

// Kernel is a kernel object (OpenCL API 3.0 section 5.9): a function of a program and the values of its arguments. Its uses
// are launches in flight, through the argument set they share.
type Kernel struct {
	Object
	program *Program
	info    *codeobject.KernelInfo
	code    []*kernelCode // for each device of program, nil where no executable has been built
	args    kernelArgs
}

// kernelCode is a kernel on one device.
type kernelCode struct {
	kernel   *roc.Kernel
	maxLocal uint64    // CL_KERNEL_WORK_GROUP_SIZE
	required [3]uint64 // CL_KERNEL_COMPILE_WORK_GROUP_SIZE, or zeros
	uniform  bool      // work-groups must all have the same size
}

// CreateKernel is clCreateKernel.
func (p *Program) CreateKernel(name string) (*Kernel, Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program
	if !p.executable() {
		return nil, CL_INVALID_PROGRAM_EXECUTABLE
	}
	if st := p.makeKernels(func(n string) bool { return n == name }); st != CL_SUCCESS {
		return nil, st
	}
	k, st := p.lookup(name)
	if st == CL_SUCCESS {
		p.attach(k)
	}
	return k, st
}

// CreateKernels is clCreateKernelsInProgram: all kernels of p that are alike on its devices. limit is how many the caller has
// room for, negative if it only asks for their number.
func (p *Program) CreateKernels(limit int) (ks []*Kernel, n int, st Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in program
	if !p.executable() {
		return nil, 0, CL_INVALID_PROGRAM_EXECUTABLE
	}
	if st := p.makeKernels(func(string) bool { return true }); st != CL_SUCCESS {
		return nil, 0, st
	}
	for _, info := range p.kernelInfos() {
		if k, st := p.lookup(info.Name); st == CL_SUCCESS {
			ks = append(ks, k)
		}
	}
	if limit < 0 {
		return nil, len(ks), CL_SUCCESS
	}
	// CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of kernels in program
	if limit < len(ks) {
		return nil, 0, CL_INVALID_VALUE
	}
	for _, k := range ks {
		p.attach(k)
	}
	return ks, len(ks), CL_SUCCESS
}

// lookup finds a kernel on each device with an executable; p is locked. The kernel is not alive yet: see attach.
func (p *Program) lookup(name string) (*Kernel, Status) {
	k := &Kernel{program: p, code: make([]*kernelCode, len(p.devices))}
	for i, b := range p.builds {
		if b.exe == nil {
			continue
		}
		rk, err := b.exe.Kernel(name)
		// CL_INVALID_KERNEL_NAME if kernel_name is not found in program
		if err != nil {
			return nil, CL_INVALID_KERNEL_NAME
		}
		// CL_INVALID_KERNEL_DEFINITION if the function definition for the __kernel function given by kernel_name such as the
		// number of arguments, the argument types are not the same for all devices for which the program executable has been built
		if k.info != nil && !sameArgs(k.info, &rk.Info) {
			return nil, CL_INVALID_KERNEL_DEFINITION
		}
		if k.info == nil {
			k.info = &rk.Info
		}
		c := &kernelCode{kernel: rk, maxLocal: uint64(p.devices[i].roc.MaxLocal(rk)), uniform: b.uniform}
		for d, n := range rk.Info.ReqdWorkGroupSize {
			c.required[d] = uint64(n)
		}
		k.code[i] = c
	}
	k.args.init(k.info)
	return k, CL_SUCCESS
}

// sameArgs reports whether a and b take the same arguments. Package codeobject lays equal arguments out alike on all devices.
func sameArgs(a, b *codeobject.KernelInfo) bool {
	if len(a.Args) != len(b.Args) || a.HiddenOffset != b.HiddenOffset {
		return false
	}
	for i, x := range a.Args {
		y := b.Args[i]
		if x.Kind != y.Kind || x.Size != y.Size || x.TypeName != y.TypeName || x.Offset != y.Offset {
			return false
		}
	}
	return true
}

// attach brings k to life; p is locked.
func (p *Program) attach(k *Kernel) {
	p.Use()
	p.kernels++
	k.init(KindKernel, k)
}

func (k *Kernel) end() {
	p := k.program
	p.mu.Lock()
	p.kernels--
	p.mu.Unlock()
	p.Unuse()
}

// Clone is clCloneKernel.
func (k *Kernel) Clone() *Kernel {
	c := &Kernel{program: k.program, info: k.info, code: k.code}
	k.args.copyTo(&c.args)
	p := k.program
	p.mu.Lock()
	defer p.mu.Unlock()
	p.attach(c)
	return c
}

// on is k on device d, nil if there is no executable for it.
func (k *Kernel) on(d *Device) *kernelCode {
	for i, other := range k.program.devices {
		if other == d {
			return k.code[i]
		}
	}
	return nil
}
