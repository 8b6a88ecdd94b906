package cl

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

const toHalfSource = `
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void narrow(global const double *in, global uint *out) {
	size_t i = get_global_id(0);
	half2 both = (half2)in[i];
	out[i] = as_ushort((half)in[i]) | (uint)as_ushort2(both).y << 16;
}`

// TestDoublesBecomeHalves in one step: by way of a float the third would round to 1.
func TestDoublesBecomeHalves(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_fp16")
	for _, options := range []string{"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"} {
		p := f.program(toHalfSource, options)
		k := f.kernel(p, "narrow")
		in := []float64{1.5, -2, 1 + 1.0/(1<<11) + 1.0/(1<<30), 65520, 1.0 / (1 << 24), math.Inf(-1)}
		want := []uint32{0x3e00, 0xc000, 0x3c01, 0x7c00, 1, 0xfc00}
		m := f.buffer(uint64(8 * len(in)))
		for i, x := range in {
			binary.NativeEndian.PutUint64(f.bytes(m)[8*i:], math.Float64bits(x))
		}
		out := make([]uint32, len(in))
		f.run(k, len(in), m, out)
		for i, got := range out {
			require.Equal(t, want[i]|want[i]<<16, got, "%g, %s", in[i], options)
		}
		m.Release()
		k.Release()
		p.Release()
	}
}
