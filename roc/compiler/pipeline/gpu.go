package pipeline

import (
	"context"
	"errors"
	"fmt"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/protocol"
)

// gpuProcessor is the processor of a GPU, "" for other targets.
func gpuProcessor(t *protocol.Target) string {
	if t.GPU() {
		return t.CPU
	}
	return ""
}

// gpuExecutable turns a module for one of AMD's GPUs into p.Code, and describes its kernels: as clang does, and as the code object
// does, which must agree.
func (b *build) gpuExecutable(ctx context.Context, m llvm.Module, p *codeobject.Program) error {
	kernels, infos, err := describeKernels(m, b.options.DenormsAreZero)
	if err != nil {
		return err
	}
	if f := m.Function("printf"); f != 0 && f.HasUses() {
		return errors.New("error: printf is not supported on this device")
	}
	for _, f := range kernels {
		for _, a := range infos[f].Args {
			switch a.Kind {
			case codeobject.ArgImage, codeobject.ArgSampler, codeobject.ArgQueue, codeobject.ArgPipe:
				return fmt.Errorf("error: kernel %s: the device has no %s", infos[f].Name, a.TypeName)
			}
		}
	}
	for _, g := range m.Globals() {
		if g.Type().AddressSpace() == 1 {
			p.Globals += m.Layout().Size(g.ValueType())
		}
	}
	if err := internalise(m); err != nil {
		return b.failed(err)
	}
	b.lap("describe kernels")
	var log string
	p.Code, log, err = frontend.GPUCode(ctx, m.Bitcode(), b.options, b.request.Target.CPU)
	b.log.WriteString(log)
	b.lap("generate code")
	if err != nil {
		return err
	}
	if p.Code == nil {
		return errFailed
	}
	object, err := codeobject.ReadMetadata(p.Code)
	if err != nil {
		return fmt.Errorf("internal error of the compiler: %w", err)
	}
	for _, f := range kernels {
		k := infos[f]
		if err := object.Complete(k); err != nil {
			return fmt.Errorf("internal error of the compiler: %w", err)
		}
		p.Kernels = append(p.Kernels, *k)
	}
	return nil
}
