package pipeline

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// constructorsName is what the kernel is called that initialises variables; no kernel of a program can have the name.
const constructorsName = "aqueduct.constructors"

// collectConstructors makes one kernel of the functions that C++ for OpenCL wants to have run before all kernels: those that
// initialise variables of program scope. It is 0 if there are none. Clang makes a kernel of each translation unit's, and a list.
func collectConstructors(m llvm.Module) (llvm.Value, error) {
	const list = "llvm.global_ctors"
	g := m.Global(list)
	if g == 0 {
		return 0, nil
	}
	if f := m.Function("__cxa_atexit"); f != 0 && f.HasUses() {
		return 0, errors.New("error: a variable of program scope has a destructor, which nothing would run (__opencl_cpp_global_destructor is not defined)")
	}
	type constructor struct {
		priority int64
		f        llvm.Value
	}
	var all []constructor
	entries := g.Initializer()
	for i := range int(g.ValueType().ArrayLen()) {
		entry := entries.Element(i)
		if f := entry.Element(1); f.IsFunction() && !f.IsDeclaration() && f.NumParams() == 0 {
			all = append(all, constructor{entry.Element(0).Int(), f})
		}
	}
	g.DeleteGlobal()
	if len(all) == 0 {
		return 0, nil
	}
	slices.SortStableFunc(all, func(a, b constructor) int { return cmp.Compare(a.priority, b.priority) })
	c := m.Context()
	t := llvm.Function(c.Void())
	kernel := m.AddFunction(constructorsName, t)
	kernel.SetCallConv(spirKernel)
	kernel.SetGlobalMetadata(c.MDKind("kernel_arg_type"), c.MDNode()) // it is no block, see isBlock
	b := c.NewBuilder()
	defer b.Dispose()
	b.AtEnd(c.AppendBlock(kernel, "entry"))
	for _, x := range all {
		x.f.SetCallConv(0)
		b.Call(t, x.f)
	}
	b.RetVoid()
	for _, f := range m.Functions() {
		if strings.HasPrefix(f.Section(), ".text") {
			f.SetSection("")
		}
	}
	return kernel, nil
}
