package cl

import (
	"cmp"
	"context"
	"strings"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"
)

// makeKernels has the code made of the wanted kernels that deferred executables have not got yet; p is locked, but not while the
// application is told of a failure.
func (p *Program) makeKernels(wanted func(name string) bool) Status {
	for i, b := range p.builds {
		if b.exe == nil || !b.object.Deferred {
			continue
		}
		var names []string
		for _, k := range b.object.Kernels {
			if _, err := b.exe.Kernel(k.Name); err != nil && wanted(k.Name) {
				names = append(names, k.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		code, log, err := theBuilder.Build(context.Background(), compiler.Request{Stage: compiler.Kernels, Target: p.devices[i].target(),
			Source: []byte(strings.Join(names, " ")), Inputs: []*codeobject.Program{b.object}})
		if err == nil {
			err = b.exe.Add(code)
		}
		// CL_OUT_OF_RESOURCES if there is a failure to allocate resources required by the OpenCL implementation on the device
		if err != nil {
			p.mu.Unlock()
			p.ctx.Notify("clCreateKernel: " + cmp.Or(log, err.Error()))
			p.mu.Lock()
			return CL_OUT_OF_RESOURCES
		}
	}
	return CL_SUCCESS
}
