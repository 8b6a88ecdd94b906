package cl

import (
	"cmp"
	"context"
	"runtime"
	"slices"
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
		lacks := func(k codeobject.KernelInfo) bool {
			_, err := b.exe.Kernel(k.Name)
			return err != nil
		}
		var names []string
		for _, k := range b.object.Kernels {
			if wanted(k.Name) && lacks(k) {
				names = append(names, k.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		target := p.devices[i].target()
		b.ahead.look(b.object, target, names, lacks)
		code, log, err := b.ahead.take(b.object, target, names)
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

// ahead has kernels of a deferred executable made before they are wanted, by other processors, for an application that creates them one
// after the other as they stand in the source. The program's lock guards it.
type ahead struct {
	last   int // position of the kernel wanted last
	making map[string]chan *codeobject.Program
}

func newAhead() *ahead { return &ahead{last: -2, making: map[string]chan *codeobject.Program{}} }

// look starts on what follows if names is the kernel behind the one that was wanted last.
func (a *ahead) look(object *codeobject.Program, target compiler.Target, names []string, lacks func(codeobject.KernelInfo) bool) {
	if len(names) > 1 {
		return
	}
	at := slices.IndexFunc(object.Kernels, func(k codeobject.KernelInfo) bool { return k.Name == names[0] })
	follows := at == a.last+1
	a.last = at
	if !follows {
		return
	}
	rest := object.Kernels[at+1:]
	for _, k := range rest[:min(len(rest), runtime.NumCPU()-1)] {
		if a.making[k.Name] != nil || !lacks(k) {
			continue
		}
		made, b := make(chan *codeobject.Program, 1), theBuilder
		a.making[k.Name] = made
		go func() {
			code, _, _ := buildKernels(b, object, target, k.Name) // whoever wants the kernel tries again if it fails
			made <- code
		}()
	}
}

// take is the code of kernels.
func (a *ahead) take(object *codeobject.Program, target compiler.Target, names []string) (*codeobject.Program, string, error) {
	if made := a.making[names[0]]; made != nil && len(names) == 1 {
		delete(a.making, names[0])
		if code := <-made; code != nil {
			return code, "", nil
		}
	}
	return buildKernels(theBuilder, object, target, names...)
}

func buildKernels(b builder, object *codeobject.Program, target compiler.Target, names ...string) (*codeobject.Program, string, error) {
	return b.Build(context.Background(), compiler.Request{Stage: compiler.Kernels, Target: target, Source: []byte(strings.Join(names, " ")),
		Inputs: []*codeobject.Program{object}})
}
