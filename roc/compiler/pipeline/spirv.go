package pipeline

import (
	"context"
	"fmt"
	"strings"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/mangle"
	"aqueduct/roc/compiler/workgroup"
)

// layout is what clang says of memory for triple.
const layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

// spirvMark is metadata of modules that the translator made, also when they are linked with others.
const spirvMark = "spirv.MemoryModel"

// spirFunction is the calling convention of the translator's functions (llvm::CallingConv::SPIR_FUNC).
const spirFunction = 75

// fromSPIRV is the front end for SPIR-V: bitcode as clang would make it of OpenCL C, but for how arguments are passed.
func (b *build) fromSPIRV(ctx context.Context) ([]byte, error) {
	out, err := frontend.Translate(ctx, b.request.Source)
	if out != nil {
		b.log.WriteString(out.Log)
	}
	if err == nil && len(out.Bitcode) == 0 {
		err = errFailed
	}
	if err != nil {
		return nil, err
	}
	if err := llvm.Load(); err != nil {
		return nil, err
	}
	c := llvm.NewContext()
	c.OnDiagnostic(b.take)
	defer func() {
		c.OnDiagnostic(nil)
		c.Dispose()
	}()
	m, err := c.ParseBitcode(out.Bitcode)
	if err != nil {
		return nil, b.failed(err)
	}
	defer m.Dispose()
	m.StripDebug()
	m.SetTriple(triple)
	m.SetLayout(layout)
	mergeFences(m)
	for _, f := range m.Functions() {
		if err := adopt(f); err != nil {
			return nil, err
		}
	}
	if err := makeBlocks(m); err != nil {
		return nil, err
	}
	if err := m.Verify(); err != nil {
		return nil, fmt.Errorf("error: the SPIR-V module is not valid: %w", err)
	}
	return m.Bitcode(), nil
}

// mergeFences makes one function of those that OpGenericPtrMemSemantics becomes a call of: the translator has one for each type that
// pointers may point to, OpenCL C one for void.
func mergeFences(m llvm.Module) {
	const prefix, name = "_Z9get_fenceP", "_Z9get_fencePU9CLgenericKv"
	for _, f := range m.Functions() {
		if !f.IsDeclaration() || !strings.HasPrefix(f.Name(), prefix) {
			continue
		}
		if one := m.Function(name); one != 0 && one.ValueType() == f.ValueType() {
			f.ReplaceUses(one)
			f.DeleteFunction()
			continue
		}
		f.SetName(name)
	}
}

// adopt gives a function of the translator's the name and the calling convention that clang would give it.
func adopt(f llvm.Value) error {
	name := f.Name()
	if strings.HasPrefix(name, "aqueduct") {
		return fmt.Errorf("error: the name %s belongs to the compiler", name)
	}
	if f.CallConv() == spirFunction {
		f.SetCallConv(0)
	}
	for _, call := range f.Users() {
		if call.IsInstruction() && call.Opcode() == llvm.OpCall && call.Callee() == f && f.CallConv() != spirKernel {
			call.SetCallSiteConv(0)
		}
	}
	if !f.IsDeclaration() || strings.HasPrefix(name, "llvm.") {
		return nil
	}
	if builtin := mangle.Builtin(name); builtin != name {
		f.SetName(builtin)
		name = builtin
	}
	// What the transforms replace they take for what it is called.
	if workgroup.IsMarker(name) && name != "printf" && !integers(f.ValueType()) || name == "printf" && !f.ValueType().IsVariadic() {
		return fmt.Errorf("error: %s is declared with other parameters than it has", sourceName(name))
	}
	return nil
}

// integers reports whether a function takes integers only, and returns one, or nothing.
func integers(t llvm.Type) bool {
	for _, p := range t.Params() {
		if p.Kind() != llvm.IntegerKind || p.Bits() != 32 {
			return false
		}
	}
	r := t.Result().Kind()
	return r == llvm.IntegerKind || r == llvm.VoidKind
}
