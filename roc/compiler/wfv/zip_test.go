package wfv

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// TestShortVectorsAreTakenApartAndPutTogether: dense ones, and those whose place is a number that might wrap.
func TestShortVectorsAreTakenApartAndPutTogether(t *testing.T) {
	const items = 83
	var source strings.Builder
	type test struct {
		size, n, slots int
		masked         bool
		loads, stores  accessKind
	}
	tests := map[string]test{}
	for _, of := range []struct {
		name string
		size int
		n    []int
	}{{"uchar", 1, []int{2, 3, 4, 16}}, {"ushort", 2, []int{8}}, {"uint", 4, []int{2, 3, 4, 8, 16}}, {"ulong", 8, []int{2, 4}}} {
		for _, n := range of.n {
			for place, c := range map[string]struct {
				index, guard  string
				loads, stores accessKind
			}{
				"dense":  {"i", "", interleavedAccess, interleavedAccess},
				"wraps":  {"(uint)i + one", "", checkedAccess, checkedAccess},
				"masked": {"(uint)i + one", "if (i % 3) ", checkedAccess, gatheredAccess},
			} {
				name := fmt.Sprintf("%s%d_%s", of.name, n, place)
				tests[name] = test{of.size, n, n + n%2, c.guard != "", c.loads, c.stores}
				fmt.Fprintf(&source, "kernel void %[5]s(global const %[1]s%[2]d *a, global %[1]s%[2]d *b, uint one) { size_t i = get_global_id(0);"+
					" %[3]s{ %[1]s%[2]d x = a[%[4]s]; x.s1 = x.s0 * x.s1; x.s0 += (%[1]s)i; b[%[4]s] = x; } }\n", of.name, n, c.guard, c.index, name)
			}
		}
	}
	reference := build(t, source.String(), Options{Scalar: true})
	for _, w := range []int{1, 4, 16, 32} {
		p := build(t, source.String(), Options{Width: w})
		for name, c := range tests {
			notes := p.reports[name].Notes
			if w == 16 && (!c.masked || c.size >= 4) {
				require.Equal(t, 1, notes.Loads[c.loads].Count, "%s: %v", name, notes.Loads)
				if c.n != 3 {
					require.Equal(t, 1, notes.Stores[c.stores].Count, "%s: %v", name, notes.Stores)
				}
			}
			rng := rand.New(rand.NewPCG(1, 2))
			in := make([]byte, (items+1)*c.slots*c.size)
			for i := range in {
				in[i] = byte(rng.Uint32())
			}
			launch := kerneltest.Launch{Global: [3]int{items}, Local: [3]int{items}}
			want, got := make([]byte, len(in)), make([]byte, len(in))
			require.NoError(t, reference.lib.Run(reference.kernels[name], launch, in, want, uint32(1)))
			require.NoError(t, p.lib.Run(p.kernels[name], launch, in, got, uint32(1)))
			for i := range want {
				if i/c.size%c.slots >= c.n { // undefined
					want[i], got[i] = 0, 0
				}
			}
			require.Equal(t, want, got, "%s, %d lanes", name, w)
		}
	}
}
