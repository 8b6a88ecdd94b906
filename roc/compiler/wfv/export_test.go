package wfv

import (
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/llvm"
)

// Program is a module of native kernels, for tests in package wfv_test: those that link the builtin library, which takes package
// pipeline, which imports this one.
type Program struct {
	kerneltest.Library
	Kernels map[string]codeobject.KernelInfo
	Reports map[string]Report
}

// Compile builds a program of kernels that call what link defines.
func Compile(dir, source string, tm llvm.TargetMachine, o Options, link func(llvm.Module) error, options ...string) (*Program, error) {
	p, err := compileLinked(dir, source, tm, o, link, options...)
	if err != nil {
		return nil, err
	}
	return &Program{p.lib, p.kernels, p.reports}, nil
}
