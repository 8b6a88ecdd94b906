package wfv

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// halfKernels are operations on halves x and y that LLVM would do lane by lane.
var halfKernels = map[string]string{
	"square root": "__builtin_elementwise_sqrt(x)", "floor": "__builtin_elementwise_floor(x)", "nearest": "__builtin_elementwise_rint(x)",
	"away from zero": "__builtin_elementwise_round(y)", "choice": "x < y ? y : x * x", "same": "x == y ? (half)1.0f : x",
	"to short": "(half)(short)(y < (half)1000.0f && y > (half)-1000.0f ? y : x == x ? (half)1.0f : (half)2.0f)",
}

func TestHalvesComputeWhatTheScalarFormDoes(t *testing.T) {
	const items = 1 << 16 // every half, with some other
	in, other := make([]byte, 2*items), make([]byte, 2*items)
	for i := range items {
		j := uint16(i * 40503)
		in[2*i], in[2*i+1] = byte(i), byte(i>>8)
		other[2*i], other[2*i+1] = byte(j), byte(j>>8)
	}
	names := slices.Sorted(maps.Keys(halfKernels))
	source := "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
	for i, name := range names {
		source += fmt.Sprintf("kernel void k%d(global const half *a, global const half *b, global half *c) { size_t i = get_global_id(0); half x = a[i], y = b[i]; c[i] = %s; }\n", i, halfKernels[name])
	}
	run := func(p *program, i int) []byte {
		out := make([]byte, 2*items)
		n := kerneltest.Launch{Global: [3]int{items}, Local: [3]int{64}}
		require.NoError(t, p.lib.Run(p.kernels[fmt.Sprint("k", i)], n, in, other, out))
		return out
	}
	reference := build(t, source, Options{Scalar: true})
	for _, o := range []form{{Options{Width: 4}, ""}, {Options{Width: 32}, ""}, {Options{Width: 16}, "avx2"}, {Options{Width: 8}, "sse4.2"}} {
		tm, err := kerneltest.TargetAt(o.level)
		require.NoError(t, err)
		p, err := compileAt(o.level, t.TempDir(), source, o.Options)
		require.NoError(t, err)
		w := o.Width
		for i, name := range names {
			require.Equal(t, w, p.reports[fmt.Sprint("k", i)].Width, name)
			want, got := run(reference, i), run(p, i)
			for k := 0; k < len(got); k += 2 {
				x, y := half(want[k:]), half(got[k:])
				require.True(t, x == y || nan(x) && nan(y), "%s of item %d, %+v: %#x, want %#x", name, k/2, o, y, x)
			}
		}
		if TargetOf(tm).Half {
			continue
		}
		for _, op := range []string{"sqrt", "floor", "rint", "round"} {
			require.NotContains(t, p.ir, fmt.Sprintf("call <%d x half> @llvm.%s", w, op))
		}
		require.NotRegexp(t, fmt.Sprintf("(fcmp [a-z]+|fptosi) <%d x half>", w), p.ir)
	}
}

func half(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }
func nan(h uint16) bool    { return h&0x7fff > 0x7c00 }
