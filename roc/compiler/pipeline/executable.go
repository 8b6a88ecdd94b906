package pipeline

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/compiler/workgroup"
)

const triple = "x86_64-unknown-linux-gnu"

// host is the processor this process runs on.
var host = sync.OnceValues(func() (cpu, features string) { return llvm.HostCPU(), llvm.HostFeatures() })

// machine makes the code generator for a target.
func machine(t protocol.Target) (llvm.TargetMachine, error) {
	cpu, features := t.CPU, ""
	if cpu == "" {
		cpu, features = host()
	}
	if len(t.Features) > 0 {
		features = strings.TrimPrefix(features+","+strings.Join(t.Features, ","), ",")
	}
	return llvm.NewTargetMachine(triple, cpu, features)
}

// executable turns m into p.Code and describes its kernels.
func (b *build) executable(ctx context.Context, m llvm.Module, p *codeobject.Program) error {
	library, err := b.compiler.Library()
	if err != nil {
		return err
	}
	names := undefined(m, func(name string) bool { return workgroup.IsMarker(name) || library.find(name) != "" })
	if len(names) > 0 {
		return fmt.Errorf("error: undefined: %s", sourceNames(names))
	}
	tm, err := machine(b.request.Target)
	if err != nil {
		return err
	}
	defer tm.Dispose()
	kernels, infos, err := describeKernels(m)
	if err != nil {
		return err
	}
	for _, g := range m.Globals() {
		if g.Type().AddressSpace() == 1 {
			p.Globals += m.Layout().Size(g.ValueType())
		}
	}
	b.lap("describe kernels")
	if err := linkBuiltins(m, library); err != nil {
		return b.failed(err)
	}
	b.lap("link builtins")
	if err := lower(m, tm, infos); err != nil {
		return b.failed(err)
	}
	b.lap("work-groups")
	if err := optimise(m, tm, b.options.OptDisable); err != nil {
		return b.failed(err)
	}
	if err := m.Verify(); err != nil {
		return fmt.Errorf("internal error of the compiler: %w", err)
	}
	b.lap("optimise")
	object, err := tm.Emit(m, llvm.Object)
	if err == nil && b.err != nil { // told as a diagnostic
		err = b.err
	}
	if err != nil {
		return b.failed(err)
	}
	b.lap("generate code")
	for _, f := range kernels {
		p.Kernels = append(p.Kernels, *infos[f])
	}
	p.Code, err = sharedObject(ctx, object)
	b.lap("link")
	return err
}

// describeKernels describes each kernel, in the order of the source.
func describeKernels(m llvm.Module) (kernels []llvm.Value, infos map[llvm.Value]*codeobject.KernelInfo, err error) {
	infos = map[llvm.Value]*codeobject.KernelInfo{}
	for _, f := range m.Functions() {
		if f.CallConv() != spirKernel || f.IsDeclaration() {
			continue
		}
		k, err := describe(m, f)
		if err != nil {
			return nil, nil, err
		}
		kernels, infos[f] = append(kernels, f), &k
	}
	return kernels, infos, nil
}

// linkBuiltins links the library with everything of the program's own out of its way: a function or a kernel called fmod
// must not become the one that a builtin calls.
func linkBuiltins(m llvm.Module, library *Library) error {
	kernels := map[llvm.Value]string{}
	for _, g := range append(m.Functions(), m.Globals()...) {
		switch {
		case g.IsDeclaration():
		case g.IsFunction() && g.CallConv() == spirKernel:
			kernels[g] = g.Name()
			g.SetName("aqueduct.kernel." + kernels[g])
		default:
			g.SetLinkage(llvm.Internal)
		}
	}
	stripProcessor(m)
	if err := library.Link(m); err != nil {
		return err
	}
	for k, name := range kernels {
		k.SetName(name)
	}
	for _, g := range m.Globals() {
		if !g.IsDeclaration() {
			g.SetLinkage(llvm.Internal)
		}
	}
	return nil
}

// lower gives every kernel its native form.
func lower(m llvm.Module, tm llvm.TargetMachine, infos map[llvm.Value]*codeobject.KernelInfo) error {
	kernels, err := workgroup.Prepare(m, tm, func(string) bool { return true })
	if err != nil {
		return err
	}
	symbols := map[string]bool{}
	for _, f := range kernels {
		k := infos[f]
		if k == nil {
			return fmt.Errorf("kernel %s is not described", f.Name())
		}
		r, err := workgroup.Lower(m, f, workgroup.Options{Args: k.Args, HiddenOffset: k.HiddenOffset})
		if err != nil {
			return err
		}
		k.Symbol, k.GroupSegmentSize, k.PrivateSegmentSize = r.Symbol, r.GroupSegmentSize, r.PrivateSegmentSize
		k.FramePerItem, k.FrameFixed, k.HasBarrier = r.FramePerItem, r.FrameFixed, r.HasBarrier
		k.Width, k.Cost = r.Width, r.Cost
		symbols[r.Symbol] = true
	}
	for _, f := range m.Functions() {
		if !f.IsDeclaration() && !symbols[f.Name()] {
			f.SetLinkage(llvm.Internal)
		}
	}
	return nil
}

// optimise runs LLVM's passes on the native kernels.
func optimise(m llvm.Module, tm llvm.TargetMachine, disabled bool) error {
	if disabled {
		return m.RunPasses("default<O1>", tm, llvm.PassOptions{})
	}
	return m.RunPasses("default<O3>", tm, llvm.PassOptions{LoopVectorize: true, SLPVectorize: true, Unroll: true, Interleave: true})
}
