package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/compiler/wfv"
	"aqueduct/roc/compiler/workgroup"
	"aqueduct/roc/settings"
)

const triple = "x86_64-unknown-linux-gnu"

// host is the processor this process runs on.
var host = sync.OnceValues(func() (cpu, features string) { return llvm.HostCPU(), llvm.HostFeatures() })

// machine makes the code generator for a target.
func machine(t protocol.Target, level llvm.CodeLevel) (llvm.TargetMachine, error) {
	cpu, features := t.CPU, ""
	if cpu == "" {
		cpu, features = host()
	}
	if len(t.Features) > 0 {
		features = strings.TrimPrefix(features+","+strings.Join(t.Features, ","), ",")
	}
	return llvm.NewTargetMachine(triple, cpu, features, level)
}

// executable turns the module made of units into p.Code and describes its kernels. A fault of the vectoriser, or in what it
// made, costs speed only: all kernels get their scalar form then.
func (b *build) executable(ctx context.Context, m llvm.Module, units [][]byte, p *codeobject.Program) error {
	log := b.log.String()
	err := b.native(ctx, m, p, b.options.OptDisable)
	var fault *vectorFault
	if !errors.As(err, &fault) {
		return err
	}
	if settings.Explain.On() {
		fmt.Fprintln(os.Stderr, fault)
	}
	b.log.Reset()
	b.log.WriteString(log)
	b.err = nil
	if m, err = b.link(units); err != nil {
		return err
	}
	defer m.Dispose()
	p.Kernels, p.Globals = nil, 0
	return b.native(ctx, m, p, true)
}

// native does so for a module, which is used up.
func (b *build) native(ctx context.Context, m llvm.Module, p *codeobject.Program, scalar bool) error {
	library, err := b.compiler.Library()
	if err != nil {
		return err
	}
	constructors, err := collectConstructors(m)
	if err != nil {
		return err
	}
	names := undefined(m, func(name string) bool { return workgroup.IsMarker(name) || library.find(name) != "" })
	if len(names) > 0 {
		return b.lacking(ctx, names)
	}
	prepareBlocks(m)
	kernels, infos, err := describeKernels(m, b.options.DenormsAreZero)
	if err != nil {
		return err
	}
	if err := b.checkSubGroups(ctx, kernels, infos); err != nil {
		return err
	}
	for _, g := range m.Globals() {
		if g.Type().AddressSpace() == 1 {
			p.Globals += m.Layout().Size(g.ValueType())
		}
	}
	if err := internalise(m); err != nil {
		return b.failed(err)
	}
	if data, _ := declared(m); data > mostData {
		return fmt.Errorf("error: the variables and tables of the program take more than %d bytes", mostData)
	}
	b.lap("describe kernels")
	if b.request.Defer && !scalar && !b.options.Debug && constructors == 0 && deferrable(m, kernels) {
		for _, f := range kernels {
			p.Kernels = append(p.Kernels, *infos[f])
		}
		p.Deferred, p.Code = true, m.Bitcode()
		return nil
	}
	t := b.translation(library, scalar)
	var objects [][]byte
	if parts := partition(m, kernels); len(parts) > 1 {
		byName := map[string]*codeobject.KernelInfo{}
		for f, k := range infos {
			byName[f.Name()] = k
		}
		objects, err = t.parallel(m.Bitcode(), byName, parts)
		b.lap("kernels, in parallel")
	} else {
		var object []byte
		object, err = t.translate(m, infos)
		objects = append(objects, object)
	}
	if err != nil {
		return b.failed(err)
	}
	for _, f := range kernels {
		k := infos[f]
		switch {
		case f == constructors:
			p.Constructors = k
		case k.Descriptor != "":
			p.Blocks = append(p.Blocks, *k)
		default:
			p.Kernels = append(p.Kernels, *k)
		}
	}
	p.Code, err = sharedObject(ctx, objects)
	b.lap("link")
	return err
}

// translation makes an object file of a module.
type translation struct {
	*diagnostics
	library   *Library
	target    protocol.Target
	disabled  bool // no optimisation
	scalar    bool // vectorise nothing
	lines     bool // the code says which lines it is of
	vectorise vectoriser
	lap       func(step string) // tells the end of a step
}

func (b *build) translation(library *Library, scalar bool) *translation {
	t := &translation{diagnostics: &b.diagnostics, library: library, target: b.request.Target,
		disabled: b.options.OptDisable, scalar: scalar, lines: b.options.Debug, vectorise: b.compiler.vectorise, lap: b.lap}
	if t.vectorise == nil {
		t.vectorise = wfv.Lower
	}
	return t
}

type vectoriser = func(llvm.Module, llvm.TargetMachine, []wfv.Kernel, wfv.Options) ([]wfv.Result, error)

// translate is for one module, which is used up; infos gets what becomes of its kernels.
func (t *translation) translate(m llvm.Module, infos map[llvm.Value]*codeobject.KernelInfo) ([]byte, error) {
	tm, err := machine(t.target, llvm.CodeBest)
	if err != nil {
		return nil, err
	}
	defer tm.Dispose()
	if err := linkBuiltins(m, t.library); err != nil {
		return nil, t.failed(err)
	}
	t.lap("link builtins")
	forms, err := t.lower(m, tm, infos)
	if err != nil {
		return nil, t.failed(err)
	}
	if settings.Explain.On() {
		for _, f := range forms {
			fmt.Fprint(os.Stderr, f.Explain.String())
		}
	}
	t.lap("work-groups")
	if err := t.settleLines(m); err != nil {
		return nil, t.failed(err)
	}
	large := hasLarge(m, forms)
	if err := optimise(m, tm, forms, t.disabled, large); err != nil {
		return nil, t.failed(err)
	}
	wfv.CompareInFloats(m, tm)
	if err := m.Verify(); err != nil {
		if !t.scalar {
			return nil, &vectorFault{err}
		}
		return nil, fmt.Errorf("internal error of the compiler: %w", err)
	}
	t.lap("optimise")
	stage(m, "optimised")
	probeStacks(m)
	emitter := tm
	if level := codeLevel(m, large); level != llvm.CodeBest {
		if emitter, err = machine(t.target, level); err != nil {
			return nil, err
		}
		defer emitter.Dispose()
	}
	object, err := emitter.Emit(m, llvm.Object)
	if err = t.failed(err); err != nil { // also one that was told as a diagnostic
		return nil, err
	}
	t.lap("generate code")
	if t.lines {
		for _, k := range infos {
			k.Lines = lineTable(object, k.Symbol)
		}
	}
	return object, nil
}

// probeStacks has functions touch every page of a large frame, so that one that does not fit ends in the guard page of its
// stack, not beyond.
func probeStacks(m llvm.Module) {
	a := m.Context().StringAttribute("probe-stack", "inline-asm")
	for _, f := range m.Functions() {
		if !f.IsDeclaration() {
			f.AddAttribute(llvm.FunctionIndex, a)
		}
	}
}

// describeKernels describes each kernel, in the order of the source. flush is whether the link asks for denormals to be flushed; what
// the compilation asked for, clang has left on each function.
func describeKernels(m llvm.Module, flush bool) (kernels []llvm.Value, infos map[llvm.Value]*codeobject.KernelInfo, err error) {
	infos = map[llvm.Value]*codeobject.KernelInfo{}
	for _, f := range m.Functions() {
		if !isKernel(f) || f.IsDeclaration() {
			continue
		}
		if isBlock(m, f) {
			k := describeBlock(m, f)
			kernels, infos[f] = append(kernels, f), &k
			continue
		}
		k, err := describe(m, f)
		k.FlushesDenormals = k.FlushesDenormals || flush
		if err != nil {
			return nil, nil, err
		}
		kernels, infos[f] = append(kernels, f), &k
	}
	return kernels, infos, nil
}

// internalise leaves nothing in sight but kernels, and nothing in the module but what they use: headers of functions are common.
func internalise(m llvm.Module) error {
	for _, g := range append(m.Functions(), m.Globals()...) {
		if !g.IsDeclaration() && !isDescriptor(g) && !isKernel(g) {
			g.SetLinkage(llvm.Internal)
		}
	}
	return m.RunPasses("globaldce", 0, llvm.PassOptions{})
}

// linkBuiltins links the library with everything of the program's own out of its way: a function or a kernel called fmod
// must not become the one that a builtin calls.
func linkBuiltins(m llvm.Module, library *Library) error {
	kernels := map[llvm.Value]string{}
	for _, g := range m.Functions() {
		if !g.IsDeclaration() && g.CallConv() == spirKernel {
			kernels[g] = g.Name()
			g.SetName("aqueduct.kernel." + kernels[g])
		}
	}
	stripProcessor(m)
	if err := library.Link(m, workgroup.LinkedLate); err != nil {
		return err
	}
	if len(m.NamedMetadata(spirvMark)) > 0 {
		if err := adaptCalls(m); err != nil {
			return err
		}
	}
	for k, name := range kernels {
		k.SetName(name)
	}
	for _, g := range m.Globals() {
		if !g.IsDeclaration() && !isDescriptor(g) {
			g.SetLinkage(llvm.Internal)
		}
	}
	return nil
}
