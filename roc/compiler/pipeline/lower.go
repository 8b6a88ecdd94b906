package pipeline

import (
	"fmt"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/wfv"
	"aqueduct/roc/compiler/workgroup"
	"aqueduct/roc/settings"
)

// vectorFault is a fault of the vectoriser, or one in what it made of a module.
type vectorFault struct{ cause any }

func (f *vectorFault) Error() string {
	return fmt.Sprintf("a fault of the vectoriser, all kernels get their scalar form: %v", f.cause)
}

// nativeForms is wfv.Lower. Where vectors are allowed, all that can go wrong is a vectorFault.
func (t *translation) nativeForms(m llvm.Module, tm llvm.TargetMachine, kernels []wfv.Kernel) (results []wfv.Result, err error) {
	if t.scalar {
		return wfv.Lower(m, tm, kernels, vectorOptions(true))
	}
	defer func() {
		if p := recover(); p != nil {
			err = &vectorFault{p}
		}
	}()
	if results, err = t.vectorise(m, tm, kernels, vectorOptions(false)); err != nil {
		return nil, &vectorFault{err}
	}
	return results, nil
}

// lower gives every kernel its native form: vectorised where that is possible, unless the build asks for no optimisation.
func (t *translation) lower(m llvm.Module, tm llvm.TargetMachine, infos map[llvm.Value]*codeobject.KernelInfo) ([]wfv.Result, error) {
	if !t.lines && !settings.Explain.On() {
		m.StripDebug()
	}
	stage(m, "linked")
	prepared, err := workgroup.Prepare(m, tm, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	var kernels []wfv.Kernel
	var described []*codeobject.KernelInfo
	for _, f := range prepared {
		k := infos[f]
		if k == nil {
			return nil, fmt.Errorf("kernel %s is not described", f.Name())
		}
		described = append(described, k)
		kernels = append(kernels, wfv.Kernel{F: f, Args: k.Args, HiddenOffset: k.HiddenOffset})
	}
	results, err := t.nativeForms(m, tm, kernels)
	if err != nil {
		return nil, err
	}
	workgroup.DefineImageAccess(m)
	workgroup.DefinePrint(m)
	if err := t.library.Link(m, func(string) bool { return false }); err != nil {
		return nil, err
	}
	symbols := map[string]bool{}
	for i, r := range results {
		k := described[i]
		k.Symbol, k.GroupSegmentSize, k.PrivateSegmentSize = r.Symbol, r.GroupSegmentSize, r.PrivateSegmentSize
		k.FramePerItem, k.FrameFixed, k.HasBarrier = r.FramePerItem, r.FrameFixed, r.HasBarrier
		k.Width, k.Cost, k.Straight, k.Contends, k.Prints, k.Enqueues = r.Width, r.Cost, r.Straight, r.Contends, r.Prints, r.Enqueues
		symbols[r.Symbol] = true
	}
	for _, f := range m.Functions() {
		if !f.IsDeclaration() && !symbols[f.Name()] {
			f.SetLinkage(llvm.Internal)
		}
	}
	return results, nil
}

// vectorOptions are the model's choice but for two settings. The program cache does not know of them.
func vectorOptions(scalar bool) wfv.Options {
	o := wfv.Options{Scalar: scalar, Width: settings.Lanes.Value(), Rows: settings.Rows.Value(), Stage: stage}
	if o.Width == 1 {
		o.Scalar = true
	}
	return o
}
