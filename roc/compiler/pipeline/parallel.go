package pipeline

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// workers bounds how many modules are translated at a time, in all builds together.
var workers = make(chan struct{}, runtime.GOMAXPROCS(0))

// partition divides a program's kernels among modules that are translated in parallel, several a processor, since some
// take longer than others. Kernels that share variables stay together: each module has its own.
func partition(m llvm.Module, kernels []llvm.Value) [][]string {
	if cap(workers) == 1 || sharesVariables(m) {
		return nil
	}
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = k.Name()
	}
	return deal(names)
}

// sharesVariables says whether m has variables that its kernels may share.
func sharesVariables(m llvm.Module) bool {
	const local = 3 // kernels do not share these
	return slices.ContainsFunc(m.Globals(), func(g llvm.Value) bool { return !g.IsGlobalConst() && g.Type().AddressSpace() != local })
}

// deal makes parts of the kernels with these names.
func deal(names []string) [][]string {
	parts := make([][]string, min(len(names), 4*cap(workers)))
	for i, name := range names {
		parts[i%len(parts)] = append(parts[i%len(parts)], name)
	}
	return parts
}

// parallel translates each part of the module in code in a context of its own. byName describes its kernels.
func (t *translation) parallel(code []byte, byName map[string]*codeobject.KernelInfo, parts [][]string) ([][]byte, error) {
	objects := make([][]byte, len(parts))
	errs := make([]error, len(parts))
	logs := make([]diagnostics, len(parts))
	var wg sync.WaitGroup
	for i, names := range parts {
		wg.Go(func() {
			workers <- struct{}{}
			defer func() { <-workers }()
			part := *t
			part.diagnostics, part.lap = &logs[i], func(string) {}
			mine := map[string]*codeobject.KernelInfo{}
			for _, name := range names {
				mine[name] = byName[name]
			}
			objects[i], errs[i] = part.translatePart(code, mine)
		})
	}
	wg.Wait()
	for i := range logs {
		t.log.WriteString(logs[i].log.String())
	}
	return objects, errors.Join(errs...)
}

// translatePart is translate for the kernels in infos of the module in code.
func (t *translation) translatePart(code []byte, infos map[string]*codeobject.KernelInfo) (object []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error of the compiler: %v\n%s", p, debug.Stack())
		}
	}()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := llvm.NewContext()
	c.DiscardNames()
	defer c.Dispose()
	c.OnDiagnostic(t.take)
	defer c.OnDiagnostic(nil)
	m, err := c.ParseBitcode(code)
	if err != nil {
		return nil, t.failed(err)
	}
	defer m.Dispose()
	mine := map[llvm.Value]*codeobject.KernelInfo{}
	for _, f := range m.Functions() {
		if f.CallConv() != spirKernel {
			continue
		}
		if k := infos[f.Name()]; k != nil {
			mine[f] = k
			continue
		}
		// Another part's: a function like others if a kernel calls it, else nothing.
		if !f.HasUses() {
			f.DeleteFunction()
			continue
		}
		f.SetCallConv(0)
		f.SetLinkage(llvm.Internal)
		for _, u := range f.Users() {
			if u.IsInstruction() && u.Opcode() == llvm.OpCall {
				u.SetCallSiteConv(0)
			}
		}
	}
	if err := internalise(m); err != nil {
		return nil, t.failed(err)
	}
	return t.translate(m, mine)
}
