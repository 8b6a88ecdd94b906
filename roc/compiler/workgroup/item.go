package workgroup

import (
	"cmp"
	"maps"
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// item is a kernel as a function of one work-item: the kernel's body with, after its own parameters, the answers to the
// queries it makes. It is internal, and meant to be inlined into loops over work-items.
type item struct {
	f       llvm.Value
	queries []Query // parameter kernelParams+i is the answer to queries[i]
	params  int     // of the kernel
	extra   int     // index of the first parameter after the answers
}

// newItem moves the kernel's body into the new function; what is left of the kernel is deleted. It gets extra parameters at
// the end, and the body's returns, if result is not void, are left for the caller to change.
func newItem(m llvm.Module, kernel llvm.Value, result llvm.Type, extra ...llvm.Type) *item {
	c := m.Context()
	calls := Queries(m, kernel)
	it := &item{params: kernel.NumParams()}
	it.queries = slices.SortedFunc(maps.Keys(calls), func(a, b Query) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Dim, b.Dim))
	})
	types := kernel.ValueType().Params()
	for _, q := range it.queries {
		types = append(types, q.Type(c))
	}
	it.extra = len(types)
	types = append(types, extra...)
	name := kernel.Name()
	it.f = m.AddFunction(name+".item", llvm.Function(result, types...))
	it.f.SetLinkage(llvm.Internal)
	copyAttributes(kernel, it.f)
	for i := range it.params {
		at := llvm.Index(i + 1)
		for _, a := range kernel.Attributes(at) {
			it.f.AddAttribute(at, a)
		}
		kernel.Param(i).ReplaceUses(it.f.Param(i))
	}
	for i, q := range it.queries {
		for _, call := range calls[q] {
			call.ReplaceUses(it.f.Param(it.params + i))
			call.Erase()
		}
	}
	for _, b := range kernel.Blocks() {
		b.MoveTo(it.f)
	}
	Discard(m, kernel)
	return it
}

// Discard takes the body of a kernel away, and the kernel itself unless something still names it: metadata or a block's
// descriptor, say.
func Discard(m llvm.Module, kernel llvm.Value) {
	if !kernel.HasUses() {
		kernel.DeleteFunction()
		return
	}
	body := m.AddFunction("", kernel.ValueType()) // blocks that name each other go together
	for _, b := range kernel.Blocks() {
		b.MoveTo(body)
	}
	body.DeleteFunction()
	kernel.SetLinkage(llvm.External)
}

// call runs the item with local id lid in the wrapper's group.
func (it *item) call(w *Wrapper, lid [3]llvm.Value, extra ...llvm.Value) llvm.Value {
	args := slices.Clone(w.Args)
	for _, q := range it.queries {
		args = append(args, w.Answer(q, lid))
	}
	args = append(args, extra...)
	return w.B.Call(it.f.ValueType(), it.f, args...)
}
