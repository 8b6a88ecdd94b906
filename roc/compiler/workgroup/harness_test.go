package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/llvm"

	"github.com/stretchr/testify/require"
)

// built is a program of native kernels in this process.
type built struct {
	t       *testing.T
	lib     kerneltest.Library
	kernels map[string]codeobject.KernelInfo
	ir      string // before code generation
}

// module compiles OpenCL C to a module of its own context.
func module(t *testing.T, source string, options ...string) (llvm.Module, llvm.TargetMachine) {
	t.Helper()
	tm, err := kerneltest.Target()
	require.NoError(t, err)
	code, err := kerneltest.Bitcode(source, options...)
	require.NoError(t, err)
	c := llvm.NewContext()
	t.Cleanup(c.Dispose)
	m, err := c.ParseBitcode(code)
	require.NoError(t, err)
	return m, tm
}

// build compiles, lowers and loads a program. Lowered IR is verified before and after optimisation.
func build(t *testing.T, source string, options ...string) *built {
	t.Helper()
	m, tm := module(t, source, options...)
	p := &built{t: t, kernels: map[string]codeobject.KernelInfo{}}
	args := map[string]codeobject.KernelInfo{}
	for _, f := range m.Functions() {
		if f.CallConv() == spirKernel {
			a, hidden := kerneltest.Arguments(m, f)
			args[f.Name()] = codeobject.KernelInfo{Name: f.Name(), Args: a, HiddenOffset: hidden}
		}
	}
	kernels, err := Prepare(m, tm, nil)
	require.NoError(t, err)
	require.NoError(t, m.Verify())
	for _, k := range kernels {
		info := args[k.Name()]
		r, err := Lower(m, k, Options{Args: info.Args, HiddenOffset: info.HiddenOffset})
		require.NoError(t, err)
		info.Symbol, info.GroupSegmentSize, info.PrivateSegmentSize = r.Symbol, r.GroupSegmentSize, r.PrivateSegmentSize
		info.FramePerItem, info.FrameFixed, info.HasBarrier, info.Width, info.Cost = r.FramePerItem, r.FrameFixed, r.HasBarrier, r.Width, r.Cost
		p.kernels[info.Name] = info
	}
	require.NoError(t, m.Verify(), "%v", m)
	require.NoError(t, m.RunPasses("default<O3>", tm, llvm.PassOptions{LoopVectorize: true, SLPVectorize: true, Unroll: true, Interleave: true}))
	p.ir = m.String()
	object, err := tm.Emit(m, llvm.Object)
	require.NoError(t, err)
	p.lib, err = kerneltest.Link(object, t.TempDir())
	require.NoError(t, err)
	return p
}

func (p *built) run(kernel string, n kerneltest.Launch, args ...any) {
	p.t.Helper()
	info, ok := p.kernels[kernel]
	require.True(p.t, ok)
	require.NoError(p.t, p.lib.Run(info, n, args...))
}
