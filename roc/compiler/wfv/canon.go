package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// canonical brings a kernel to the form the analyses take: loops rotated, in simplified and closed form, one exit, no switch,
// reducible. Nothing is unrolled or vectorised before widening. Early promotion and the first clean-up were Prepare's.
const canonical = "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,lower-switch,mergereturn,fix-irreducible,loop-simplify,lcssa)"

// lean is what the wide functions need once they are inlined into the loops over work-groups: the variables of the emission
// become values, uniform work moves out of loops, small constant loops over private arrays are unrolled. It costs a third
// of default<O3>.
const lean = "function(mem2reg),always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop-mssa(licm),gvn,loop(indvars,loop-unroll-full),sroa,instcombine<no-verify-fixpoint>,loop-mssa(licm),loop-unroll<O2;no-runtime>,dse,adce,simplifycfg)"

// plain is for the scalar forms that only large grids run: small code, made fast.
const plain = "always-inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>)"

// runOn runs a pipeline on some functions of a module only.
func runOn(m llvm.Module, tm llvm.TargetMachine, pipeline string, only map[llvm.Value]bool) error {
	return runOnWith(m, tm, pipeline, only, llvm.PassOptions{})
}

func runOnWith(m llvm.Module, tm llvm.TargetMachine, pipeline string, only map[llvm.Value]bool, o llvm.PassOptions) error {
	const mark = "aqueduct-apart" // and what of its attributes comes back: passes drop functions that nothing calls any more
	c := m.Context()
	for _, f := range m.Functions() {
		if f.IsDeclaration() || only[f] || f.Attribute(llvm.FunctionIndex, "optnone") != 0 {
			continue
		}
		was := ""
		for _, name := range []string{"alwaysinline", "noinline"} {
			if f.Attribute(llvm.FunctionIndex, name) != 0 {
				was = name
			}
		}
		f.AddAttribute(llvm.FunctionIndex, c.StringAttribute(mark, was))
		f.RemoveAttribute(llvm.FunctionIndex, "alwaysinline")
		f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute("noinline", 0)) // optnone wants it
		f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute("optnone", 0))
	}
	err := m.RunPasses(pipeline, tm, o)
	for _, f := range m.Functions() {
		was, apart := f.StringAttribute(llvm.FunctionIndex, mark)
		if !apart {
			continue
		}
		f.RemoveStringAttribute(llvm.FunctionIndex, mark)
		f.RemoveAttribute(llvm.FunctionIndex, "optnone")
		f.RemoveAttribute(llvm.FunctionIndex, "noinline")
		if was != "" {
			f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(was, 0))
		}
	}
	return err
}

// smallGrid is the bound of global ids the vector form of a kernel that narrows them is for, exclusive. Larger grids run in
// scalar form.
const smallGrid = 1 << 31

// smallGroup bounds the size of a group, exclusive: codeobject.HiddenArgs.GroupSize has 16 bits.
const smallGroup = 1 << 16

// boundIDs tells the passes that ids are small: `(long)(int)get_global_id(0)` is then the id itself. Local ones always are,
// global ones if they are assumed to be.
func boundIDs(m llvm.Module, f llvm.Value, global bool) {
	c := m.Context()
	kind := c.MDKind("range")
	below := func(n int64) llvm.Metadata {
		return c.MDNode(c.I64().ConstInt(0).AsMetadata(), c.I64().ConstInt(n).AsMetadata())
	}
	for q, calls := range workgroup.Queries(m, f) {
		var limit llvm.Metadata
		switch {
		case q.Kind == workgroup.LocalID || q.Kind == workgroup.LocalSize || q.Kind == workgroup.EnqueuedLocalSize:
			limit = below(smallGroup)
		case global && slices.Contains(workgroup.Unbounded, q.Kind):
			limit = below(smallGrid)
		default:
			continue
		}
		for _, call := range calls {
			call.SetMetadata(c, kind, limit)
		}
	}
}
