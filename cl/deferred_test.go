package cl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

// observedBuilder keeps what is asked of a builder, which refuses all once it is broken.
type observedBuilder struct {
	builder
	requests []compiler.Request
	broken   bool
}

func (b *observedBuilder) Build(ctx context.Context, r compiler.Request) (*codeobject.Program, string, error) {
	b.requests = append(b.requests, r)
	if b.broken {
		return nil, "", errors.New("no compiler is left")
	}
	return b.builder.Build(ctx, r)
}

// asked are the kernels that were asked for since the last call, a request an element.
func (b *observedBuilder) asked() (names []string) {
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
	p := f.ctx.CreateProgramWithSource([]string{numbered(18)})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	seen.broken = true
	_, st := p.CreateKernel("k1")
	require.Equal(t, CL_OUT_OF_RESOURCES, st)
	_, _, st = p.CreateKernels(-1)
	require.Equal(t, CL_OUT_OF_RESOURCES, st)
	seen.broken = false
	f.kernel(p, "k1").Release()
}
