package pipeline

import (
	"context"
	"fmt"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/printf"
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
	prints := guardFormats(m)
	b.lap("describe kernels")
	var log string
	p.Code, log, err = frontend.GPUCode(ctx, m.Bitcode(), b.options, b.request.Target.CPU, prints)
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

// guardFormats makes the format strings of printf, and strings that it prints, ready for the code object's metadata, and reports whether there are any.
func guardFormats(m llvm.Module) bool {
	f := m.Function("printf")
	if f == 0 {
		return false
	}
	calls := f.Users()
	for _, call := range calls {
		call.RemoveCallAttribute(llvm.FunctionIndex, "nobuiltin") // by which clang would leave it alone
		guard := printf.Guard
		for i := range call.NumOperands() - 1 { // the last is printf
			if text := call.Operand(i); isText(m, text) {
				guarded := m.Context().ConstBytes(append(guard(constantText(text)), 0))
				g := m.AddGlobal("printed", guarded.Type(), constantSpace)
				g.SetInitializer(guarded)
				g.SetConstant(true)
				g.SetLinkage(llvm.Private)
				call.SetOperand(i, g)
			}
			guard = printf.GuardString
		}
	}
	return len(calls) > 0
}

// isText reports whether v is a string literal.
func isText(m llvm.Module, v llvm.Value) bool {
	if !v.IsGlobal() || v.Type().AddressSpace() != constantSpace || v.Initializer() == 0 {
		return false
	}
	t := v.ValueType()
	return t.Kind() == llvm.ArrayKind && m.Layout().Size(t) == t.ArrayLen()
}

// constantSpace is the constant address space of GPUs.
const constantSpace = 4

// constantText is the string that a constant holds.
func constantText(g llvm.Value) (text []byte) {
	for i := range g.ValueType().ArrayLen() {
		c := g.Initializer().Element(int(i)).Uint()
		if c == 0 {
			break
		}
		text = append(text, byte(c))
	}
	return text
}
