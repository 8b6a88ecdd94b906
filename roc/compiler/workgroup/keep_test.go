package workgroup

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aqueduct/roc/compiler/kernelgen"
	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// all keeps every call that may be kept, none inlines everything.
var all, none = limits{}, limits{kernel: 1 << 30}

func TestRandomCallsComputeWhatInlinedOnesDo(t *testing.T) {
	kerneltest.Seeds(t, 12, func(from, to int64) error {
		found := 0
		for seed := from; seed < to; seed++ {
			source := kernelgen.Calls(seed)
			run := func(l limits) (*built, []uint32, error) {
				p, err := compileWithin(t, source, Options{}, l)
				if err != nil {
					return p, nil, fmt.Errorf("seed %d: %w\n%s", seed, err, source)
				}
				const items, group = 24, 8
				out, in := make([]uint32, items*kernelgen.CallsOut), make([]uint32, kernelgen.CallsIn)
				for i := range in {
					in[i] = uint32(i*i) * 2654435761
				}
				err = p.lib.Run(p.kernels["k"], kerneltest.Launch{Global: [3]int{items}, Local: [3]int{group}}, out, in, kerneltest.Local(4*group*kernelgen.CallsOwn))
				return p, out, err
			}
			inlined, want, err := run(none)
			if err != nil {
				return err
			}
			require.Empty(t, inlined.kept)
			kept, got, err := run(all)
			if err != nil {
				return err
			}
			found += len(kept.kept)
			if !slices.Equal(got, want) {
				return fmt.Errorf("seed %d: kept calls compute %x, want %x\n%s", seed, got, want, source)
			}
		}
		require.Greater(t, found, int(to-from))
		return nil
	})
}

func kept(t *testing.T, source string, l limits) []string {
	t.Helper()
	p, err := compileWithin(t, source, Options{}, l)
	require.NoError(t, err)
	return p.kept
}

func TestFunctionsThatNeedTheKernelAreInlined(t *testing.T) {
	for name, body := range map[string]string{
		"ids":            "return get_global_id(0) + x;",
		"barriers":       "barrier(CLK_LOCAL_MEM_FENCE); return x;",
		"printf":         `printf("%u", x); return x;`,
		"calls of those": "return place(x) * 3;",
	} {
		t.Run(name, func(t *testing.T) {
			source := "uint place(uint x) { return get_local_id(0) + x; } uint f(uint x) { " + body + " }\n" +
				"uint stays(uint x) { for (uint i = 0; i < x; i++) x ^= i * x; return x; }\n" +
				"kernel void k(global uint *o) { o[0] = f(1) + stays(o[2]); o[1] = f(2) + stays(o[3]); }"
			require.Equal(t, []string{"stays"}, kept(t, source, all))
		})
	}
}

func TestWhatIsCalledOnceIsInlined(t *testing.T) {
	require.Equal(t, []string{"twice"}, kept(t, `
uint inner(uint x) { return x * x + 1; }
uint twice(uint x) { return inner(x) ^ 5; }
uint once(uint x) { return twice(x) + twice(x + 1); }
kernel void k(global uint *o) { o[0] = once(o[1]); }`, all))
}

func TestSmallFunctionsAreInlined(t *testing.T) {
	source := "uint small(uint x) { return x + 1; }\nuint large(uint x) { " + strings.Repeat("x = x * x + (x >> 3);", 40) + " return small(x) + small(x * 3); }\n" +
		"kernel void k(global uint *o) { o[0] = large(o[1]) + small(o[2]); o[3] = large(o[4]); }"
	require.Equal(t, []string{"large"}, kept(t, source, limits{kernel: 200, function: 100}))
	require.Empty(t, kept(t, source, limits{kernel: 1000, function: 100}))
}

// What is kept for one kernel does not make another worse.
func TestSmallKernelsBesideLargeOnesCallNothing(t *testing.T) {
	source := "uint inner(uint x) { " + strings.Repeat("x = x * x + (x >> 3);", 40) + " return x; }\n" +
		"uint f(uint x) { return inner(x) + inner(x + 1); }\n" +
		"kernel void small(global uint *o) { o[get_global_id(0)] = f(o[1]); }\n" +
		"kernel void large(global uint *o) { o[0] = f(o[1]) + f(o[2]) + f(o[3]) + f(o[4]); }"
	p, err := compileWithin(t, source, Options{}, limits{kernel: 700, function: 100})
	require.NoError(t, err)
	require.Contains(t, p.kept, "inner")
	body := func(name string) string {
		_, after, ok := strings.Cut(p.ir, "define void @kernel."+name+"(")
		require.True(t, ok)
		before, _, _ := strings.Cut(after, "\n}")
		return before
	}
	require.NotContains(t, body("small"), "@"+keptPrefix)
	require.Contains(t, body("large"), "@"+keptPrefix)
	o, want := []uint32{9, 2, 3, 4, 5}, uint32(0)
	inner := func(x uint32) uint32 {
		for range 40 {
			x = x*x + x>>3
		}
		return x
	}
	for x := uint32(2); x < 6; x++ {
		want += inner(x) + inner(x+1)
	}
	p.run("large", kerneltest.Launch{}, o)
	require.Equal(t, want, o[0])
	p.run("small", kerneltest.Launch{}, o)
	require.Equal(t, inner(2)+inner(3), o[0])
}

func TestRecursionIsRefusedAlsoWhereCallsAreKept(t *testing.T) {
	for _, source := range []string{
		"int f(int n) { return n < 2 ? n : f(n - 1) * f(n - 2); } kernel void k(global int *o) { o[0] = f(o[1]) + f(o[2]); }",
		"int g(int); int f(int n) { return n < 2 ? n : g(n - 1) + g(n - 3); } int g(int n) { return f(n - 2) + f(n); } kernel void k(global int *o) { o[0] = f(o[1]) + g(o[2]); }",
	} {
		_, err := compileWithin(t, source, Options{}, all)
		require.ErrorContains(t, err, "is recursive")
	}
	_, err := compileWithin(t, "int missing(int); int f(int x) { return missing(x) + x; } kernel void k(global int *o) { o[0] = f(1) + f(2); }", Options{}, all)
	require.ErrorContains(t, err, "undefined function missing")
}

func TestKernelsAreWeighedWithWhatTheyCall(t *testing.T) {
	source := `
uint deep(uint x) { volatile uint a[1000]; a[x % 1000] = x; return a[(x + 1) % 1000]; }
uint f(uint x) { volatile uint a[100]; a[x % 100] = x; return a[(x + 1) % 100] + deep(x) + deep(x + 1); }
kernel void k(global uint *o) { o[0] = f(o[1]) + f(o[2]); }`
	p, err := compileWithin(t, source, Options{}, all)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"deep", "f"}, p.kept)
	inlined, err := compileWithin(t, source, Options{}, none)
	require.NoError(t, err)
	require.Equal(t, uint32(4400), p.kernels["k"].PrivateSegmentSize)
	require.InEpsilon(t, inlined.kernels["k"].Cost, p.kernels["k"].Cost, 0.3)

	_, err = compileWithin(t, "uint f(uint x) { volatile uint a[1 << 28]; a[x] = x; return a[x + 1]; } kernel void k(global uint *o) { uint b[8]; b[o[0]] = 2; o[0] = f(o[1]) + f(o[2]) + b[o[1]]; }", Options{}, all)
	require.ErrorContains(t, err, "bytes of private memory")
}

func TestLocalAtomicsOfKeptFunctionsNeedNoLock(t *testing.T) {
	p, err := compileWithin(t, `
void add(local uint *l, uint n) { __opencl_atomic_fetch_add((volatile local atomic_uint *)l, n, memory_order_relaxed, memory_scope_work_group); }
void count(local uint *l, uint i) { add(&l[i & 3], 1); add(&l[i & 1], i); }
kernel void k(global uint *o, local uint *l) {
	uint i = get_local_id(0);
	if (i < 4) l[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	count(l, i);
	count(l, i + 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < 4) o[i] = l[i];
}`, Options{}, all)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"add", "count"}, p.kept)
	require.NotContains(t, p.ir, "atomicrmw")
	out, want := make([]uint32, 4), make([]uint32, 4)
	for i := range uint32(8) {
		for _, k := range []uint32{i, i + 1} {
			want[k&3]++
			want[k&1] += k
		}
	}
	p.run("k", kerneltest.Launch{Global: [3]int{8}, Local: [3]int{8}}, out, kerneltest.Local(16))
	require.Equal(t, want, out)
}

// doubling is a function at the end of a chain in which each calls the next twice.
func doubling(levels int, leaf string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "uint f0(uint x) { %s return x ^ x << 7; }\n", leaf)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&s, "uint f%d(uint x) { return x == 0 ? 0 : f%d(x >> 1) * 3 + f%d(x & 1); }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&s, "kernel void k(global uint *o) { o[0] = f%d(o[0]); }\n", levels)
	return s.String()
}

func TestCopiesThatMultiplyWithoutEndAreNotMade(t *testing.T) {
	p := build(t, doubling(40, ""), Options{})
	o := []uint32{0xFFFF}
	p.run("k", kerneltest.Launch{}, o)
	var f func(level int, x uint32) uint32
	f = func(level int, x uint32) uint32 {
		switch {
		case level == 0:
			return x ^ x<<7
		case x == 0:
			return 0
		}
		return f(level-1, x>>1)*3 + f(level-1, x&1)
	}
	require.Equal(t, f(40, 0xFFFF), o[0])
	_, err := compile(t, doubling(40, "barrier(CLK_LOCAL_MEM_FENCE);"), Options{})
	require.ErrorContains(t, err, "kernel k has more than")
}
