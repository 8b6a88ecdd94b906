// Package pipeline is what the compiler process does with a request: OpenCL C or SPIR-V to bitcode, bitcode to a program.
//
//  1. Front end: clang makes bitcode of the source, the translator of SPIR-V (package frontend; fromSPIRV).
//  2. Link: the inputs of a link become one module; recursion and undefined functions are errors.
//  3. Builtins: the library modules that define what the program calls are linked in (Library).
//  4. Work-groups: each kernel becomes a function that runs whole work-groups (package workgroup).
//  5. Optimise, verify, generate code.
//  6. Shared object: the object file becomes an ELF shared object without undefined symbols (package elflink).
//
// Every build has an LLVM context of its own, so builds run in parallel.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/settings"
)

// Compiler builds programs.
type Compiler struct {
	// Library is the builtin library; it may be called from several goroutines.
	Library func() (*Library, error)

	vectorise vectoriser // wfv.Lower if nil; others are for tests
}

// Result of a build.
type Result struct {
	Program *codeobject.Program // nil if the build failed
	Log     string
	Deps    []string // files the source includes
	Steps   []Step   // what took how long
}

// Step is a part of a build, the time it took, and how long this process's thread worked on it.
type Step struct {
	Name      string
	Took, CPU time.Duration
}

// threadTime is how long the calling thread has worked so far. (getrusage knows it to a tick only.)
func threadTime() time.Duration {
	const clockThread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThread, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

// Build does what r asks for. Whatever goes wrong is told in the log.
func (c *Compiler) Build(ctx context.Context, r *protocol.Request) (res Result) {
	b := &build{compiler: c, request: r, last: time.Now()}
	defer func() {
		err := b.err
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error of the compiler: %v\n%s", p, debug.Stack())
		}
		res.Deps, res.Log, res.Steps = b.deps, b.log.String(), b.steps
		if err != nil {
			res.Program = nil
			if !errors.Is(err, errFailed) {
				res.Log += err.Error() + "\n"
			}
		}
	}()
	res.Program, b.err = b.run(ctx)
	return res
}

// build is one build under way.
type build struct {
	compiler *Compiler
	request  *protocol.Request
	options  *frontend.Options
	diagnostics
	deps    []string
	context llvm.Context
	steps   []Step
	last    time.Time // when the last step ended
	cpu     time.Duration
}

// lap ends a step.
func (b *build) lap(name string) {
	now, cpu := time.Now(), threadTime()
	b.steps = append(b.steps, Step{name, now.Sub(b.last), max(cpu-b.cpu, 0)})
	b.last, b.cpu = now, cpu
}

func (b *build) run(ctx context.Context) (*codeobject.Program, error) {
	r := b.request
	var err error
	if b.options, err = frontend.Parse(r.Stage, r.Options); err != nil {
		return nil, err
	}
	if std, v := b.options.Std, r.Target.Versions; std != "" && len(v) > 0 && !slices.Contains(v, std) {
		return nil, fmt.Errorf("error: the device does not support %s", std)
	}
	var units [][]byte
	switch r.Stage {
	case frontend.Functions, frontend.Kernels:
	case frontend.Link:
		if units, err = inputs(r); err != nil {
			return nil, err
		}
	default:
		unit, err := b.unit(ctx)
		if err != nil {
			return nil, err
		}
		units = [][]byte{unit}
	}
	b.lap("front end")
	if err := llvm.Load(); err != nil {
		return nil, err
	}
	runtime.LockOSThread() // a thread's stack and caches stay warm
	defer runtime.UnlockOSThread()
	b.cpu = threadTime()
	b.lap("open LLVM")
	if r.Stage == frontend.Kernels {
		return b.kernels(ctx)
	}
	b.context = llvm.NewContext()
	b.context.DiscardNames()
	b.context.OnDiagnostic(b.take)
	defer func() {
		b.context.OnDiagnostic(nil)
		b.context.Dispose()
	}()
	if r.Stage == frontend.Functions {
		return b.functions(ctx)
	}
	m, err := b.link(units)
	if err != nil {
		return nil, err
	}
	b.lap("read bitcode")
	stage(m, "source")
	defer m.Dispose()
	if call := recursive(m); call != 0 {
		return nil, b.recursion(ctx, call)
	}
	native := !r.Target.GPU()
	enqueues := native && r.Stage != frontend.Link && hideBlocks(m)
	if native && r.Stage != frontend.Link && !b.options.Debug {
		enqueues = coarsen(m) || enqueues
	}
	p := &codeobject.Program{Target: r.Target.ID, Options: r.Options}
	switch {
	case r.Stage == frontend.Compile:
		p.Type, p.Code = codeobject.CompiledObject, units[0]
		if enqueues {
			p.Code = m.Bitcode()
		}
	case b.options.CreateLibrary:
		p.Type, p.Code = codeobject.Library, m.Bitcode()
	default:
		p.Type = codeobject.Executable
		if r.Target.GPU() {
			return p, b.gpuExecutable(ctx, m, p)
		}
		if err := b.executable(ctx, m, units, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// unit is the module of the request's source or SPIR-V.
func (b *build) unit(ctx context.Context) ([]byte, error) {
	if b.request.IL {
		if b.request.Target.GPU() {
			return nil, errors.New("error: SPIR-V is not supported for GPUs")
		}
		return b.fromSPIRV(ctx)
	}
	return b.clang(ctx, b.options.Debug || settings.Explain.On(), true)
}

// clang runs the front end; lines asks for line numbers, and first is whether what it says is new.
func (b *build) clang(ctx context.Context, lines, first bool) ([]byte, error) {
	r := b.request
	out, err := frontend.Run(ctx, &frontend.Unit{Source: r.Source, Headers: r.Headers, Options: b.options,
		Extensions: r.Target.Extensions, Dir: r.Dir, Lines: lines, Processor: gpuProcessor(&r.Target)})
	if out != nil && first {
		b.log.WriteString(out.Log)
		b.deps = out.Deps
	}
	if err == nil && len(out.Bitcode) == 0 {
		err = errFailed
	}
	if err != nil {
		return nil, err
	}
	return out.Bitcode, nil
}

// inputs are the modules of a link request.
func inputs(r *protocol.Request) (units [][]byte, err error) {
	for i, data := range r.Inputs {
		p, err := codeobject.Unmarshal(data)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		if p.Type == codeobject.Executable {
			return nil, fmt.Errorf("input %d is an executable, which cannot be linked again", i)
		}
		units = append(units, p.Code)
	}
	if len(units) == 0 {
		return nil, errors.New("nothing to link")
	}
	return units, nil
}

// link makes one module of several.
func (b *build) link(units [][]byte) (llvm.Module, error) {
	var m llvm.Module
	for i, u := range units {
		part, err := b.context.ParseBitcode(u)
		if err == nil {
			definePadding(part)
		}
		if err == nil && i == 0 {
			m = part
			continue
		}
		if err == nil {
			err = m.Link(part)
		}
		if err != nil {
			if m != 0 {
				m.Dispose()
			}
			return 0, b.failed(err)
		}
	}
	return m, nil
}

// withLines reads the source once more, with line numbers, for an error to name one; zero if there is no source.
func (b *build) withLines(ctx context.Context) llvm.Module {
	if b.request.Stage == frontend.Link || b.request.IL {
		return 0
	}
	code, err := b.clang(ctx, true, false)
	if err != nil {
		return 0
	}
	m, err := b.context.ParseBitcode(code)
	if err != nil {
		return 0
	}
	return m
}

// recursion words the error for a call that closes a cycle.
func (b *build) recursion(ctx context.Context, call llvm.Value) error {
	m := b.withLines(ctx)
	if m == 0 {
		return recursionError(call)
	}
	defer m.Dispose()
	return recursionError(recursive(m))
}

// lacking words the error for symbols that nobody defines.
func (b *build) lacking(ctx context.Context, symbols []string) error {
	m := b.withLines(ctx)
	if m != 0 {
		defer m.Dispose()
	}
	return undefinedError(m, symbols)
}
