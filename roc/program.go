package roc

import (
	"fmt"
	"slices"
	"sync/atomic"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// Program is an executable loaded on a device. Launches in flight keep it loaded.
type Program struct {
	device  *Device
	exe     hsa.Executable
	kernels map[string]*Kernel
	refs    atomic.Int32
}

// Kernel is a kernel of a loaded program.
type Kernel struct {
	Info codeobject.KernelInfo

	program *Program
	object  uint64 // what a dispatch packet names
}

// Load makes the kernels of an executable callable.
func (d *Device) Load(p *codeobject.Program) (*Program, error) {
	if p.Type != codeobject.Executable {
		return nil, fmt.Errorf("roc: cannot load a program binary of type %q", p.Type)
	}
	exe, err := d.agent.Load(p.Code)
	if err != nil {
		return nil, fmt.Errorf("roc: load program: %w", err)
	}
	prog := &Program{device: d, exe: exe, kernels: make(map[string]*Kernel, len(p.Kernels))}
	prog.refs.Store(1)
	infos := p.Kernels
	if p.Constructors != nil {
		infos = append(slices.Clone(infos), *p.Constructors)
	}
	for _, info := range infos {
		k := &Kernel{Info: info, program: prog}
		if k.object, err = exe.Kernel(&k.Info); err != nil {
			exe.Destroy()
			return nil, fmt.Errorf("roc: kernel %s: %w", info.Name, err)
		}
		prog.kernels[info.Name] = k
	}
	for i := range p.Blocks {
		if err := d.describeBlock(exe, &p.Blocks[i]); err != nil {
			exe.Destroy()
			return nil, fmt.Errorf("roc: block %s: %w", p.Blocks[i].Name, err)
		}
	}
	return prog, nil
}

// Kernel returns a kernel by its name in OpenCL C.
func (p *Program) Kernel(name string) (*Kernel, error) {
	k := p.kernels[name]
	if k == nil {
		return nil, fmt.Errorf("roc: the program has no kernel %q", name)
	}
	return k, nil
}

// Release gives the program up. It is unloaded when the last launch that uses it has ended.
func (p *Program) Release() {
	if p.refs.Add(-1) == 0 {
		p.exe.Destroy()
	}
}
