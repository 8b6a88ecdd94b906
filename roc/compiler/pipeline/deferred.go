package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Programs of many kernels, few of which are launched, are common: libraries put all they have into one source. A deferred
// executable holds the module that kernels are made of, and their descriptions; stage Kernels makes the code of those wanted.

// deferAbove is the number of kernels above which an executable is deferred, if it can be. Fewer are made at once, in parallel.
const deferAbove = 16

// modest is how many bytes of local and private memory in all are certainly not too many for any kernel.
const modest = 1 << 20

// deferrable says whether the kernels of m can be made one by one, and whether nothing that a source can be blamed for is left to
// be found then: a build tells all errors.
func deferrable(m llvm.Module, kernels []llvm.Value) bool {
	if len(kernels) <= deferAbove || sharesVariables(m) || m.Function("printf") != 0 {
		return false
	}
	if slices.ContainsFunc(kernels, func(f llvm.Value) bool { return isBlock(m, f) }) {
		return false
	}
	if _, other := declared(m); other > modest {
		return false
	}
	for _, f := range m.Functions() {
		if slices.ContainsFunc(f.Users(), func(u llvm.Value) bool { return !u.IsInstruction() || u.Opcode() != llvm.OpCall || u.Callee() != f }) {
			return false // a call through a pointer is an error
		}
	}
	return true
}

// kernels makes an executable of some kernels of a deferred one.
func (b *build) kernels(ctx context.Context) (*codeobject.Program, error) {
	if len(b.request.Inputs) != 1 {
		return nil, errors.New("error: kernels are of one program")
	}
	whole, err := codeobject.Unmarshal(b.request.Inputs[0])
	if err != nil {
		return nil, err
	}
	if !whole.Deferred {
		return nil, errors.New("error: the program has all its kernels")
	}
	library, err := b.compiler.Library()
	if err != nil {
		return nil, err
	}
	p := &codeobject.Program{Type: codeobject.Executable, Target: b.request.Target.ID}
	byName := map[string]*codeobject.KernelInfo{}
	names := strings.Fields(string(b.request.Source))
	for _, name := range names {
		i := slices.IndexFunc(whole.Kernels, func(k codeobject.KernelInfo) bool { return k.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("error: the program has no kernel %s", name)
		}
		byName[name] = &whole.Kernels[i]
	}
	if len(names) == 0 {
		return nil, errors.New("error: no kernel is named")
	}
	objects, err := b.translation(library, false).parallel(whole.Code, byName, deal(names))
	var fault *vectorFault
	if errors.As(err, &fault) {
		b.log.Reset()
		b.err = nil
		objects, err = b.translation(library, true).parallel(whole.Code, byName, deal(names))
	}
	b.lap("kernels, in parallel")
	if err != nil {
		return nil, b.failed(err)
	}
	for _, name := range names {
		p.Kernels = append(p.Kernels, *byName[name])
	}
	p.Code, err = sharedObject(ctx, objects)
	b.lap("link")
	return p, err
}
