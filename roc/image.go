package roc

import (
	"fmt"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
)

// LoadFunctions makes functions of the builtin library callable by kernels, and returns the addresses of those named. They
// stay for the life of the device: descriptors that kernels read hold their addresses.
func (d *Device) LoadFunctions(p *codeobject.Program, names ...string) ([]uint64, error) {
	if p.Type != codeobject.Functions {
		return nil, fmt.Errorf("roc: a program binary of type %q has no functions", p.Type)
	}
	exe, err := d.agent.Load(p.Code)
	if err != nil {
		return nil, fmt.Errorf("roc: load functions: %w", err)
	}
	addresses := make([]uint64, len(names))
	for i, name := range names {
		if addresses[i], err = exe.Function(name); err != nil {
			exe.Destroy()
			return nil, fmt.Errorf("roc: function %s: %w", name, err)
		}
	}
	return addresses, nil
}

// NewImageDescriptor puts a descriptor where kernels can read it: the value of an argument of kind ArgImage is its address.
func (d *Device) NewImageDescriptor(i *codeobject.ImageDescriptor) (*Memory, error) {
	m, err := d.Alloc(uint64(unsafe.Sizeof(*i)))
	if err != nil {
		return nil, fmt.Errorf("roc: image descriptor: %w", err)
	}
	*(*codeobject.ImageDescriptor)(m.Ptr) = *i
	return m, nil
}
