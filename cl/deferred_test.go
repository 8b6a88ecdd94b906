package cl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

// observedBuilder keeps what is asked of a builder, which refuses all once it is broken.
type observedBuilder struct {
	builder
	mu       sync.Mutex
	requests []compiler.Request // guarded by mu
	broken   bool               // guarded by mu
}

func (b *observedBuilder) Build(ctx context.Context, r compiler.Request) (*codeobject.Program, string, error) {
	b.mu.Lock()
	b.requests = append(b.requests, r)
	broken := b.broken
	b.mu.Unlock()
	if broken {
		return nil, "", errors.New("no compiler is left")
	}
	return b.builder.Build(ctx, r)
}

// asked are the kernels that were asked for since the last call, a request an element.
func (b *observedBuilder) asked() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.requests {
		if r.Stage == compiler.Kernels {
			names = append(names, string(r.Source))
		}
	}
	b.requests = nil
	return names
}

// numbered is a source of n kernels k0, k1 ..., of which each writes its number.
func numbered(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "kernel void k%d(global uint *out) { out[get_global_id(0)] = %d; }\n", i, i)
	}
	return s.String()
}

func TestKernelsOfALargeProgramAreMadeWhenTheyAreCreated(t *testing.T) {
	withCompiler(t)
	seen := &observedBuilder{builder: theBuilder}
	theBuilder = seen
	f := newFixture(t)
	f.needsCPU()
	right := func(k *Kernel, number uint32) {
		out := []uint32{99, 99}
		f.run(k, 2, out)
		require.Equal(t, []uint32{number, number}, out)
	}
	const n = 20
	p := f.ctx.CreateProgramWithSource([]string{numbered(n)})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	require.Empty(t, seen.asked())
	_, st := p.CreateKernel("k20")
	require.Equal(t, CL_INVALID_KERNEL_NAME, st)
	require.Empty(t, seen.asked())

	b, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{f.built(p).binary})
	require.Equal(t, CL_SUCCESS, st)
	defer b.Release()
	require.Equal(t, CL_SUCCESS, b.Build(BuildArgs{}), f.log(b))
	for _, p := range []*Program{p, b} {
		k7 := f.kernel(p, "k7")
		defer k7.Release()
		right(k7, 7)
		require.Equal(t, []string{"k7"}, seen.asked())
		f.kernel(p, "k7").Release()
		require.Empty(t, seen.asked(), "it is made once")
		ks, count, st := p.CreateKernels(n)
		require.Equal(t, CL_SUCCESS, st)
		require.Equal(t, n, count)
		all := seen.asked()
		require.Len(t, all, 1, "together, in parallel")
		require.Len(t, strings.Fields(all[0]), n-1)
		for i, k := range ks {
			right(k, uint32(i))
			k.Release()
		}
	}
}

func TestAKernelThatCannotBeMadeIsAnError(t *testing.T) {
	withCompiler(t)
	seen := &observedBuilder{builder: theBuilder}
	theBuilder = seen
	f := newFixture(t)
	f.needsCPU()
	p := f.ctx.CreateProgramWithSource([]string{numbered(18)})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	broken := func(broken bool) {
		seen.mu.Lock()
		seen.broken = broken
		seen.mu.Unlock()
	}
	broken(true)
	_, st := p.CreateKernel("k1")
	require.Equal(t, CL_OUT_OF_RESOURCES, st)
	_, _, st = p.CreateKernels(-1)
	require.Equal(t, CL_OUT_OF_RESOURCES, st)
	broken(false)
	f.kernel(p, "k1").Release()
}

func TestKernelsCreatedInOrderAreEachMadeOnce(t *testing.T) {
	withCompiler(t)
	seen := &observedBuilder{builder: theBuilder}
	theBuilder = seen
	f := newFixture(t)
	f.needsCPU()
	const n = 18
	p := f.ctx.CreateProgramWithSource([]string{numbered(n)})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	var names []string
	for i := range n {
		name := fmt.Sprint("k", i)
		names = append(names, name)
		k := f.kernel(p, name)
		out := []uint32{99}
		f.run(k, 1, out)
		require.EqualValues(t, i, out[0])
		k.Release()
	}
	got := seen.asked()
	slices.Sort(got)
	slices.Sort(names)
	require.Equal(t, names, got)
}

// What was to be made ahead and could not be is tried again when it is wanted.
func TestKernelsThatCouldNotBeMadeAheadAreMadeWhenWanted(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needsCPU()
	p := f.ctx.CreateProgramWithSource([]string{numbered(18)})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	failed := make(chan *codeobject.Program, 1)
	failed <- nil
	f.built(p).ahead.making["k3"] = failed
	f.kernel(p, "k3").Release()
}
