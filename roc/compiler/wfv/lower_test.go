package wfv

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kernelgen"
	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"

	"github.com/stretchr/testify/require"
)

// program is a module of native kernels, made for a test.
type program struct {
	lib     kerneltest.Library
	kernels map[string]codeobject.KernelInfo
	reports map[string]Report
	ir      string
}

// compile builds a program of vectorised kernels.
func compile(dir, source string, o Options, options ...string) (*program, error) {
	return compileAt("", dir, source, o, options...)
}

// compileAt is compile at a level of the processor's instructions.
func compileAt(level, dir, source string, o Options, options ...string) (*program, error) {
	tm, err := kerneltest.TargetAt(level)
	if err != nil {
		return nil, err
	}
	return compileLinked(dir, source, tm, o, func(llvm.Module) error { return nil }, options...)
}

// compileLinked is compile for a processor, and for kernels that call what link defines.
func compileLinked(dir, source string, tm llvm.TargetMachine, o Options, link func(llvm.Module) error, options ...string) (*program, error) {
	code, err := kerneltest.Bitcode(source, options...)
	if err != nil {
		return nil, err
	}
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseBitcode(code)
	if err != nil {
		return nil, err
	}
	if err := link(m); err != nil {
		return nil, err
	}
	kerneltest.StripProcessor(m)
	infos := map[string]codeobject.KernelInfo{}
	for _, f := range m.Functions() {
		if f.CallConv() == 76 {
			args, hidden := kerneltest.Arguments(m, f)
			infos[f.Name()] = codeobject.KernelInfo{Name: f.Name(), Args: args, HiddenOffset: hidden}
		}
	}
	prepared, err := workgroup.Prepare(m, tm, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	var kernels []Kernel
	for _, f := range prepared {
		info := infos[f.Name()]
		kernels = append(kernels, Kernel{f, info.Args, info.HiddenOffset})
	}
	results, err := Lower(m, tm, kernels, o)
	if err != nil {
		return nil, err
	}
	workgroup.DefineImageAccess(m)
	workgroup.DefinePrint(m)
	if err := OptimiseRest(m, tm, results, "default<O1>", llvm.PassOptions{}); err != nil {
		return nil, err
	}
	CompareInFloats(m, tm)
	if err := m.Verify(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, m)
	}
	p := &program{kernels: map[string]codeobject.KernelInfo{}, reports: map[string]Report{}, ir: m.String()}
	for _, r := range results {
		info := infos[r.Explain.Kernel]
		info.Symbol, info.GroupSegmentSize, info.PrivateSegmentSize = r.Symbol, r.GroupSegmentSize, r.PrivateSegmentSize
		info.FramePerItem, info.FrameFixed, info.HasBarrier, info.Width, info.Cost = r.FramePerItem, r.FrameFixed, r.HasBarrier, r.Width, r.Cost
		p.kernels[info.Name], p.reports[info.Name] = info, r.Explain
	}
	object, err := tm.Emit(m, llvm.Object)
	if err != nil {
		return nil, err
	}
	p.lib, err = kerneltest.Link(object, dir)
	return p, err
}

func build(t *testing.T, source string, o Options) *program {
	t.Helper()
	p, err := compile(t.TempDir(), source, o)
	require.NoError(t, err)
	return p
}

// form is how a test has kernels compiled.
type form struct {
	Options
	level string // of the processor's instructions
}

// widths are those that a test forces.
var widths = []int{1, 4, 8, 16, 32}

func TestVectorAddOfAnySize(t *testing.T) {
	const source = `kernel void add(global const float *a, global const float *b, global float *c) { size_t i = get_global_id(0); c[i] = a[i] + b[i]; }`
	for _, w := range widths {
		p := build(t, source, Options{Width: w})
		require.Equal(t, w, p.reports["add"].Width, p.reports["add"].Reason)
		for _, local := range []int{1, 3, 8, 16, 37, 64} {
			const n = 300
			a, b, c := make([]float32, n), make([]float32, n), make([]float32, n)
			for i := range a {
				a[i], b[i] = float32(i), float32(2*i)
			}
			require.NoError(t, p.lib.Run(p.kernels["add"], kerneltest.Launch{Global: [3]int{n}, Local: [3]int{local}}, a, b, c))
			for i := range c {
				require.Equal(t, float32(3*i), c[i], "width %d, local size %d, item %d", w, local, i)
			}
		}
	}
}

func TestRandomKernelsComputeWhatTheInterpreterSays(t *testing.T) { random(t, kernelgen.New) }

func TestRandomKernelsThatJumpAreRight(t *testing.T) { random(t, kernelgen.NewFlowing) }

// random tries a few seeds in each form; kerneltest.SeedsVariable names others.
func random(t *testing.T, kernel func(seed int64) *kernelgen.Kernel) {
	first, end := kerneltest.Asked(t)
	const few = 3
	dir := t.TempDir()
	forms := []form{{}, {Options: Options{Width: 16, OneForm: true}}}
	for _, w := range widths {
		forms = append(forms, form{Options: Options{Width: w}})
	}
	for _, level := range kerneltest.Levels {
		forms = append(forms, form{level: level})
	}
	scalar := map[string]int{}
	try := func(o form, from, to int64) {
		hang := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("seeds %d-%d, %+v: no end", from, to, o)) })
		defer hang.Stop()
		require.NoError(t, kerneltest.Random(from, to, kernel, func(source string) (kerneltest.Library, map[string]codeobject.KernelInfo, error) {
			p, err := compileAt(o.level, dir, source, o.Options)
			if err != nil {
				return 0, nil, err
			}
			for _, r := range p.reports {
				if r.Width == 1 && o.Width > 1 {
					scalar[r.Reason]++
				}
			}
			return p.lib, p.kernels, nil
		}), "%+v", o)
	}
	for i, o := range forms {
		if end == 0 {
			try(o, int64(i)*few, int64(i+1)*few)
		}
	}
	if end > 0 {
		forms = append(forms, form{Options: Options{Width: 64}}) // takes LLVM long
	}
	for s := first; s < end; s++ {
		for _, o := range forms {
			try(o, s, s+1)
		}
	}
	t.Logf("in scalar form: %v", scalar)
}

// TestFunctionsThatPassesDropAreLeftAlone, in a process of its own, where the C library overwrites what is freed.
func TestFunctionsThatPassesDropAreLeftAlone(t *testing.T) {
	const perturb = "MALLOC_PERTURB_"
	if os.Getenv(perturb) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), perturb+"=165")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	code, err := kerneltest.Bitcode(`void unused(global int *p) { *p = 1; } __attribute__((noinline)) void used(global int *p) { *p = 2; } kernel void k(global int *p) { used(p); }`)
	require.NoError(t, err)
	tm, err := kerneltest.Target()
	require.NoError(t, err)
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseBitcode(code)
	require.NoError(t, err)
	defer m.Dispose()
	m.Function("unused").SetLinkage(llvm.Internal)
	require.NoError(t, runOn(m, tm, "globaldce", map[llvm.Value]bool{m.Function("k"): true}))
	require.Zero(t, m.Function("unused"))
	require.NotZero(t, m.Function("used").Attribute(llvm.FunctionIndex, "noinline"), "as it was")
	require.Zero(t, m.Function("used").Attribute(llvm.FunctionIndex, "optnone"))
}

// TestAddressesOfOneLane: where it is off, something else is loaded.
func TestAddressesOfOneLane(t *testing.T) {
	for _, width := range widths {
		p := build(t, `kernel void k(global const ushort *in, global ushort *out) {
			size_t i = get_global_id(0); ushort x = 7; if (in[i] & 1) x += in[i * 8u + 3u]; out[i] = x; }`, Options{Width: width})
		require.Equal(t, width, p.reports["k"].Width)
		in, out := make([]uint16, 40*8), make([]uint16, 40)
		for i := range in {
			in[i] = uint16(i * 40503 >> 3)
		}
		require.NoError(t, p.lib.Run(p.kernels["k"], kerneltest.Launch{Global: [3]int{40}, Local: [3]int{40}}, in, out))
		for i := range out {
			want := uint16(7)
			if in[i]&1 != 0 {
				want += in[i*8+3]
			}
			require.Equal(t, want, out[i], "item %d in %d lanes", i, width)
		}
	}
}
