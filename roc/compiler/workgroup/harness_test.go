package workgroup

import (
	"fmt"
	"strings"
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
	kept    []string // functions that stay
	ir      string   // before code generation
}

// build compiles, lowers and loads a program.
func build(t *testing.T, source string, o Options) *built {
	t.Helper()
	p, err := compile(t, source, o)
	require.NoError(t, err)
	return p
}

func compile(t *testing.T, source string, o Options) (*built, error) {
	return compileWithin(t, source, o, usualLimits)
}

// compileWithin is compile with other limits of inlining.
func compileWithin(t *testing.T, source string, o Options, l limits) (*built, error) {
	p := &built{t: t, kernels: map[string]codeobject.KernelInfo{}}
	tm, err := kerneltest.Target()
	if err != nil {
		return p, err
	}
	code, err := kerneltest.Bitcode(source)
	if err != nil {
		return p, err
	}
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseBitcode(code)
	if err != nil {
		return p, err
	}
	defer m.Dispose()
	kerneltest.StripProcessor(m)
	for _, f := range m.Functions() {
		if f.CallConv() == spirKernel {
			args, hidden := kerneltest.Arguments(m, f)
			p.kernels[f.Name()] = codeobject.KernelInfo{Name: f.Name(), Args: args, HiddenOffset: hidden}
		}
	}
	kernels, err := prepare(m, tm, nil, l)
	if err != nil {
		return p, err
	}
	if err := SettleSubGroups(m, tm, kernels); err != nil {
		return p, err
	}
	if err := m.Verify(); err != nil {
		return p, fmt.Errorf("after Prepare: %w", err)
	}
	for _, f := range Kept(m) {
		p.kept = append(p.kept, strings.TrimPrefix(f.Name(), keptPrefix))
	}
	for _, k := range kernels {
		info := p.kernels[k.Name()]
		o.Args, o.HiddenOffset = info.Args, info.HiddenOffset
		r, err := Lower(m, k, o)
		if err != nil {
			return p, err
		}
		info.Symbol, info.GroupSegmentSize, info.PrivateSegmentSize = r.Symbol, r.GroupSegmentSize, r.PrivateSegmentSize
		info.FramePerItem, info.FrameFixed, info.HasBarrier, info.Width, info.Cost = r.FramePerItem, r.FrameFixed, r.HasBarrier, r.Width, r.Cost
		info.Straight, info.Contends = r.Straight, r.Contends
		p.kernels[info.Name] = info
	}
	DefinePrint(m)
	if err := m.Verify(); err != nil {
		return p, fmt.Errorf("after Lower: %w", err)
	}
	if err := m.RunPasses("default<O3>", tm, llvm.PassOptions{LoopVectorize: true, SLPVectorize: true, Unroll: true, Interleave: true}); err != nil {
		return p, err
	}
	p.ir = m.String()
	object, err := tm.Emit(m, llvm.Object)
	if err != nil {
		return p, err
	}
	p.lib, err = kerneltest.Link(object, t.TempDir())
	return p, err
}

func (p *built) run(kernel string, n kerneltest.Launch, args ...any) {
	p.t.Helper()
	info, ok := p.kernels[kernel]
	require.True(p.t, ok)
	require.NoError(p.t, p.lib.Run(info, n, args...))
}
