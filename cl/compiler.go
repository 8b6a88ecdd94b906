package cl

import (
	"context"
	"errors"
	"fmt"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"
)

// builder is what programs are built with: compiler.Client, which asks a process of its own.
type builder interface {
	// Build returns a program, which is shared and must not be changed, and the build log, also of a program that cannot be
	// built.
	Build(ctx context.Context, r compiler.Request) (*codeobject.Program, string, error)
	// Available says whether programs can be built from source, and linked.
	Available() (sources, links bool)
	// Unload ends the process, if there is one and nothing is being built. The next build starts another.
	Unload()
}

// UnloadCompiler is clUnloadPlatformCompiler.
func UnloadCompiler() { theBuilder.Unload() }

// theBuilder of all programs; tests put another in its place. Its process starts with the first build.
var theBuilder builder = new(compiler.Client)

// target is what programs for d are made for.
func (d *Device) target() compiler.Target {
	if d.kind == CL_DEVICE_TYPE_GPU {
		return compiler.AMD(d.roc.Info().ISA, d.CompilerExtensions(), []string{"CL1.0", "CL1.1", "CL1.2", "CL3.0"})
	}
	return compiler.Host(d.CompilerExtensions())
}

// compileOwn builds a program of the driver's own for d.
func (d *Device) compileOwn(source string) (*codeobject.Program, error) {
	p, log, err := theBuilder.Build(context.Background(), compiler.Request{Stage: compiler.Build, Target: d.target(), Source: []byte(source)})
	if err != nil && log != "" {
		err = fmt.Errorf("%w: %s", err, log)
	}
	return p, err
}

// compileFor builds r for d.
func compileFor(d *Device, r compiler.Request) build {
	r.Target, r.Defer = d.target(), true
	object, log, err := theBuilder.Build(context.Background(), r)
	b := build{status: CL_BUILD_ERROR, options: r.Options, log: log, missing: errors.Is(err, compiler.ErrUnavailable)}
	if err == nil {
		b.object = object
		b.binary, err = object.Marshal()
	}
	if err != nil {
		b.fail(err)
		return b
	}
	b.status = CL_BUILD_SUCCESS
	if object.Type == codeobject.Executable {
		b.load(d)
	}
	return b
}

// load makes the executable b.object callable.
func (b *build) load(d *Device) {
	var err error
	b.status = CL_BUILD_SUCCESS
	b.ahead = newAhead()
	if b.exe, err = d.roc.Load(b.object); err != nil {
		b.fail(err)
		return
	}
	if c := b.object.Constructors; c != nil {
		if err := d.construct(b.exe, c.Name); err != nil {
			b.unload()
			b.fail(err)
		}
	}
}

// fail ends b with a reason in its log, unless the compiler's own messages are there, which hold it.
func (b *build) fail(err error) {
	b.status = CL_BUILD_ERROR
	if b.log == "" {
		b.log = err.Error() + "\n"
	}
}
