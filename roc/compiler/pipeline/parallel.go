package pipeline

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// workers bounds how many modules are translated at a time, in all builds together.
var workers = make(chan struct{}, runtime.GOMAXPROCS(0))

// partition divides a program's kernels among modules that are translated in parallel, several a processor, since some
// take longer than others. Kernels that share variables stay together: each module has its own.
func partition(m llvm.Module, kernels []llvm.Value) [][]string {
	n := min(len(kernels), 4*cap(workers))
	if cap(workers) == 1 || n < 2 {
		return nil
	}
	for _, g := range m.Globals() {
		const local = 3 // kernels do not share these
		if !g.IsGlobalConst() && g.Type().AddressSpace() != local {
			return nil
		}
	}
	parts := make([][]string, n)
	for i, k := range kernels {
		parts[i%n] = append(parts[i%n], k.Name())
	}
	return parts
}

// parallel translates each part of m in a context of its own.
func (t *translation) parallel(m llvm.Module, infos map[llvm.Value]*codeobject.KernelInfo, parts [][]string) ([][]byte, error) {
	code := m.Bitcode()
	byName := map[string]*codeobject.KernelInfo{}
	for f, k := range infos {
		byName[f.Name()] = k
	}
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
