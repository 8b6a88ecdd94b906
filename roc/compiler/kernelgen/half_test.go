package kernelgen

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHalvesAreTheNumbersTheyAre(t *testing.T) {
	for bits, want := range map[uint64]float64{0: 0, 1: 0x1p-24, 0x3ff: 0x3ffp-24, 0x400: 0x1p-14, 0x3c00: 1, 0xc500: -5, 0x7bff: 65504, 0x7c00: inf, 0xfc00: -inf} {
		require.Equal(t, want, halfNumber(bits), "%#x", bits)
	}
	require.True(t, math.IsNaN(halfNumber(0xfc01)))
	for bits := range uint64(1 << 16) {
		x := halfNumber(bits)
		for _, r := range roundings {
			require.True(t, sameHalf(uint16(bits), uint16(encodeHalf(x, r))), "%#x%s", bits, r)
		}
	}
}

// TestRoundingsOfWhatLiesBetween: halves in order of size are in order as integers too.
func TestRoundingsOfWhatLiesBetween(t *testing.T) {
	for bits := range uint64(0x7c00) {
		low, high := halfNumber(bits), halfNumber(bits+1)
		if high == inf {
			high = 65536
		}
		even := bits + bits&1
		for _, c := range []struct {
			at      float64 // of the way
			nearest uint64
		}{{0x1p-40, bits}, {0.5, even}, {0.5 + 0x1p-40, bits + 1}, {1 - 0x1p-40, bits + 1}} {
			x := low + (high-low)*c.at
			require.Equal(t, c.nearest, encodeHalf(x, ""), "%g", x)
			require.Equal(t, c.nearest|1<<15, encodeHalf(-x, "_rte"), "%g", -x)
			require.Equal(t, bits, encodeHalf(x, "_rtz"), "%g", x)
			require.Equal(t, bits+1, encodeHalf(x, "_rtp"), "%g", x)
			require.Equal(t, bits, encodeHalf(x, "_rtn"), "%g", x)
			require.Equal(t, bits|1<<15, encodeHalf(-x, "_rtz"), "%g", -x)
			require.Equal(t, bits|1<<15, encodeHalf(-x, "_rtp"), "%g", -x)
			require.Equal(t, (bits+1)|1<<15, encodeHalf(-x, "_rtn"), "%g", -x)
		}
	}
	for _, large := range []float64{65536, 1e9, math.MaxFloat64} {
		require.EqualValues(t, 0x7c00, encodeHalf(large, ""))
		require.EqualValues(t, 0x7bff, encodeHalf(large, "_rtz"))
		require.EqualValues(t, 0x7bff, encodeHalf(large, "_rtn"))
		require.EqualValues(t, 0xfbff, encodeHalf(-large, "_rtp"))
		require.EqualValues(t, 0xfc00, encodeHalf(-large, "_rtn"))
	}
	require.EqualValues(t, 1, encodeHalf(5e-324, "_rtp"))
	require.EqualValues(t, 0x8000, encodeHalf(-5e-324, "_rtp"))
}
