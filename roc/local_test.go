package roc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSuggestLocal(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	for _, uniform := range []bool{true, false} {
		for _, barrier := range []bool{true, false} {
			for _, width := range []uint32{1, 8, 16} {
				for _, global := range [][3]uint64{
					{1, 1, 1}, {7, 1, 1}, {64, 1, 1}, {1000, 1, 1}, {1 << 20, 1, 1}, {1_000_003, 1, 1}, {2 * 1_000_003, 1, 1}, {1 << 40, 1, 1},
					{640, 480, 1}, {1920, 1080, 1}, {1021, 1021, 1}, {3, 1 << 20, 1}, {100, 100, 100}, {8, 8, 8}, {1 << 33, 1 << 33, 1 << 33},
				} {
					name := fmt.Sprintf("uniform %v barrier %v width %d global %v", uniform, barrier, width, global)
					k := *b.kernel("count")
					k.Info.HasBarrier, k.Info.Width = barrier, width
					dims := 3
					for dims > 1 && global[dims-1] == 1 {
						dims--
					}
					local := b.device.SuggestLocal(&k, dims, global, uniform)
					size := local[0] * local[1] * local[2]
					require.NotZero(t, size, name)
					require.LessOrEqual(t, size, uint64(b.device.MaxLocal(&k)), name)
					for d := range 3 {
						require.LessOrEqual(t, local[d], global[d], name)
						if uniform || d > 0 {
							require.Zero(t, global[d]%local[d], name)
						}
					}
					if !barrier && !uniform && global[0] >= 1<<20 {
						require.GreaterOrEqual(t, local[0], uint64(width), "vectors are whole: %s", name)
					}
				}
			}
		}
	}
}

func TestKernelsWithLoopsGetSeveralRows(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	k := *b.kernel("count")
	k.Info.Width = 16
	for global, local := range map[[3]uint64][3]uint64{
		{1024, 1024, 1}: {64, 16, 1},
		{1920, 1080, 1}: {64, 15, 1},
		{1000, 1000, 1}: {1000, 1, 1}, // 50 x 16 would leave most of each fourth vector off
		{1024, 1021, 1}: {1024, 1, 1},
		{1 << 20, 1, 1}: {1024, 1, 1},
		{1024, 2, 1}:    {128, 2, 1}, // so that each compute unit has several
	} {
		k.Info.Straight = false
		require.Equal(t, local, b.device.SuggestLocal(&k, 2, global, true), "%v", global)
	}
	k.Info.Straight = true
	require.Equal(t, [3]uint64{1024, 1, 1}, b.device.SuggestLocal(&k, 2, [3]uint64{1024, 1024, 1}, true))
}

func TestRequiredWorkGroupSizeIsSuggested(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	k := *b.kernel("count")
	k.Info.ReqdWorkGroupSize = [3]uint32{8, 4, 1}
	require.Equal(t, [3]uint64{8, 4, 1}, b.device.SuggestLocal(&k, 2, [3]uint64{64, 64, 1}, true))
	require.EqualValues(t, 32, b.device.MaxLocal(&k))
}

func TestMaxLocalBoundsTheFrame(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	k := *b.kernel("count")
	require.Equal(t, b.device.Info().MaxWorkGroup, b.device.MaxLocal(&k))
	k.Info.FramePerItem = 1 << 20
	require.EqualValues(t, 64, b.device.MaxLocal(&k))
	k.Info.FramePerItem = 1 << 31
	require.EqualValues(t, 1, b.device.MaxLocal(&k))
}
