package roc

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
	"aqueduct/roc/printf"
)

// Program is an executable loaded on a device. Launches in flight keep it loaded.
type Program struct {
	device  *Device
	exes    []hsa.Executable // several where kernels were added
	kernels map[string]*Kernel
	formats printf.Formats // of what kernels print, where agents are no CPUs
	refs    atomic.Int32
}

// Kernel is a kernel of a loaded program.
type Kernel struct {
	Info codeobject.KernelInfo

	program *Program
	object  uint64 // what a dispatch packet names
}

// Load makes the kernels of an executable callable: none at first if it is deferred.
func (d *Device) Load(p *codeobject.Program) (*Program, error) {
	prog := &Program{device: d, kernels: make(map[string]*Kernel, len(p.Kernels))}
	prog.refs.Store(1)
	if p.Deferred {
		return prog, nil
	}
	if err := prog.Add(p); err != nil {
		return nil, err
	}
	return prog, nil
}

// Add makes more kernels callable, those of a deferred executable that p has the code of. No other call may be looking for kernels.
func (prog *Program) Add(p *codeobject.Program) error {
	d := prog.device
	if p.Type != codeobject.Executable || p.Deferred {
		return fmt.Errorf("roc: cannot load a program binary of type %q", p.Type)
	}
	if err := prog.readFormats(p); err != nil {
		return fmt.Errorf("roc: load program: %w", err)
	}
	exe, err := d.agent.Load(p.Code)
	if err != nil {
		return fmt.Errorf("roc: load program: %w", err)
	}
	infos := p.Kernels
	if p.Constructors != nil {
		infos = append(slices.Clone(infos), *p.Constructors)
	}
	kernels := map[string]*Kernel{}
	for _, info := range infos {
		k := &Kernel{Info: info, program: prog}
		if k.object, err = exe.Kernel(&k.Info); err != nil {
			exe.Destroy()
			return fmt.Errorf("roc: kernel %s: %w", info.Name, err)
		}
		kernels[info.Name] = k
	}
	for i := range p.Blocks {
		if err := d.describeBlock(exe, &p.Blocks[i]); err != nil {
			exe.Destroy()
			return fmt.Errorf("roc: block %s: %w", p.Blocks[i].Name, err)
		}
	}
	prog.exes = append(prog.exes, exe)
	maps.Copy(prog.kernels, kernels)
	return nil
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
		for _, exe := range p.exes {
			exe.Destroy()
		}
	}
}
