package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/wfv"
)

// functions makes native code of functions of the builtin library by themselves: those that are called through pointers in
// the descriptors of images, say. The source is their names; one module defines them all.
func (b *build) functions(ctx context.Context) (*codeobject.Program, error) {
	library, err := b.compiler.Library()
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(b.request.Source))
	if len(names) == 0 {
		return nil, fmt.Errorf("error: no function is named")
	}
	module := library.find(names[0])
	for _, name := range names {
		if m := library.find(name); m == "" || m != module {
			return nil, fmt.Errorf("error: the builtin library does not define %s beside %s", name, names[0])
		}
	}
	code, err := library.read(module)
	if err != nil {
		return nil, err
	}
	m, err := b.context.ParseBitcode(code)
	if err != nil {
		return nil, b.failed(err)
	}
	defer m.Dispose()
	for _, g := range append(m.Functions(), m.Globals()...) {
		switch {
		case g.IsDeclaration():
		case slices.Contains(names, g.Name()):
			g.SetLinkage(llvm.External)
		default:
			g.SetLinkage(llvm.Internal)
		}
	}
	tm, err := machine(b.request.Target, llvm.CodeBest)
	if err != nil {
		return nil, err
	}
	defer tm.Dispose()
	if wfv.TargetOf(tm).AVX512 {
		for _, name := range names {
			wfv.UseFullRegisters(m.Function(name))
		}
	}
	if err := m.RunPasses("globaldce,default<O3>", tm, llvm.PassOptions{Unroll: true}); err != nil {
		return nil, b.failed(err)
	}
	object, err := tm.Emit(m, llvm.Object)
	if err = b.failed(err); err != nil {
		return nil, err
	}
	p := &codeobject.Program{Type: codeobject.Functions, Target: b.request.Target.ID}
	p.Code, err = sharedObject(ctx, [][]byte{object})
	b.lap("functions")
	return p, err
}
