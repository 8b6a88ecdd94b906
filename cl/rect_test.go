package cl

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// bytesOf marks the bytes of a box.
func bytesOf(b box, region Region) map[uint64]bool {
	set := map[uint64]bool{}
	for z := range region[2] {
		for y := range region[1] {
			for x := range region[0] {
				set[b.start+z*b.slice+y*b.row+x] = true
			}
		}
	}
	return set
}

func TestOverlapIsFoundExactlyForBoxesInTheirPitches(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	pick := func(n uint64) uint64 { return uint64(rng.Int63n(int64(n))) }
	seen := map[bool]int{}
	for range 20000 {
		region := Region{1 + pick(4), 1 + pick(3), 1 + pick(3)}
		row := region[0] + pick(5)
		rows := region[1] + pick(4)
		// Boxes that stay within their rows and slices, for which the appendix's test is exact.
		place := func() box {
			o := [3]uint64{pick(row - region[0] + 1), pick(rows - region[1] + 1), pick(3)}
			b, st := RectSide{&o, row, row * rows}.resolve(&region)
			require.Equal(t, CL_SUCCESS, st)
			return b
		}
		a, b := place(), place()
		in, want := bytesOf(a, region), false
		for at := range bytesOf(b, region) {
			want = want || in[at]
		}
		require.Equal(t, want, overlaps(a, b, region), "%v %v %v", a, b, region)
		seen[want]++
	}
	require.Greater(t, seen[true], 1000)
	require.Greater(t, seen[false], 1000)
}

func TestOverlapOfUnlikePitchesIsOfTheBytesSpanned(t *testing.T) {
	region := Region{1, 2, 1}
	a := box{row: 4, slice: 8, start: 0, end: 5}
	require.True(t, overlaps(a, box{row: 2, slice: 4, start: 1, end: 4}, region))
	require.False(t, overlaps(a, box{row: 2, slice: 4, start: 5, end: 8}, region))
}

func TestRectSides(t *testing.T) {
	origin := func(x, y, z uint64) *[3]uint64 { return &[3]uint64{x, y, z} }
	for name, c := range map[string]struct {
		side   RectSide
		region *Region
		want   box
		status Status
	}{
		"packed":                           {RectSide{Origin: origin(0, 0, 0)}, &Region{4, 3, 2}, box{4, 12, 0, 24}, CL_SUCCESS},
		"pitches":                          {RectSide{origin(1, 2, 3), 10, 50}, &Region{4, 3, 2}, box{10, 50, 171, 245}, CL_SUCCESS},
		"row pitch only":                   {RectSide{origin(1, 0, 0), 10, 0}, &Region{4, 3, 2}, box{10, 30, 1, 55}, CL_SUCCESS},
		"no origin":                        {RectSide{}, &Region{4, 3, 2}, box{}, CL_INVALID_VALUE},
		"no region":                        {RectSide{Origin: origin(0, 0, 0)}, nil, box{}, CL_INVALID_VALUE},
		"empty row":                        {RectSide{Origin: origin(0, 0, 0)}, &Region{0, 3, 2}, box{}, CL_INVALID_VALUE},
		"no rows":                          {RectSide{Origin: origin(0, 0, 0)}, &Region{4, 0, 2}, box{}, CL_INVALID_VALUE},
		"no slices":                        {RectSide{Origin: origin(0, 0, 0)}, &Region{4, 3, 0}, box{}, CL_INVALID_VALUE},
		"row pitch below region":           {RectSide{origin(0, 0, 0), 3, 0}, &Region{4, 3, 2}, box{}, CL_INVALID_VALUE},
		"slice pitch below rows":           {RectSide{origin(0, 0, 0), 5, 10}, &Region{4, 3, 2}, box{}, CL_INVALID_VALUE},
		"slice pitch not of rows":          {RectSide{origin(0, 0, 0), 5, 16}, &Region{4, 3, 2}, box{}, CL_INVALID_VALUE},
		"rows beyond 64 bits":              {RectSide{origin(0, 0, 0), math.MaxUint64, 0}, &Region{4, 3, 2}, box{}, CL_INVALID_VALUE},
		"origin beyond 64 bits":            {RectSide{origin(0, math.MaxUint64, 0), 8, 0}, &Region{4, 1, 1}, box{}, CL_INVALID_VALUE},
		"end beyond 64 bits":               {RectSide{Origin: origin(math.MaxUint64, 0, 0)}, &Region{4, 1, 1}, box{}, CL_INVALID_VALUE},
		"a row ending at the last address": {RectSide{Origin: origin(math.MaxUint64-4, 0, 0)}, &Region{4, 1, 1}, box{4, 4, math.MaxUint64 - 4, math.MaxUint64}, CL_SUCCESS},
	} {
		t.Run(name, func(t *testing.T) {
			got, st := c.side.resolve(c.region)
			require.Equal(t, c.status, st)
			if st == CL_SUCCESS {
				require.Equal(t, c.want, got)
			}
		})
	}
}
