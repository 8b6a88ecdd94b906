package kernelgen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSmallKernelsHaveEverything(t *testing.T) {
	const seeds = 500
	of := map[string]int{}
	for seed := range int64(seeds) {
		k := NewSmall(seed)
		require.LessOrEqual(t, k.Size(), 40, "seed %d", seed)
		_, body, _ := strings.Cut(k.Source(), "own[lid] = ex[lid] = 0;")
		for _, what := range []string{"if (", "for (", "while (", "do {", "switch (", "break;", "continue;", "return;", "goto ", "else", "barrier(", "sums[", "acc[",
			"sub_group_", "compare_exchange", "half", "vstore", "printf", "double", "char4", "as_long", "/", "%"} {
			if strings.Contains(body, what) {
				of[what]++
			}
		}
	}
	t.Log(of)
	for what, n := range of {
		require.GreaterOrEqual(t, n, seeds/100, what)
	}
	require.Len(t, of, 23)
}

func TestLaunchesAreOfAllSizes(t *testing.T) {
	sizes, partial := map[int]bool{}, 0
	for seed := range int64(20000) {
		n := NewLaunch(seed)
		items, more := 1, false
		for d := range 3 {
			require.GreaterOrEqual(t, n.Local[d], 1)
			require.LessOrEqual(t, n.Local[d], n.Global[d])
			items *= n.Local[d]
			more = more || n.Global[d]%n.Local[d] > 0
		}
		require.LessOrEqual(t, n.Items(), MaxItems)
		sizes[items] = true
		if more {
			partial++
		}
	}
	for size := 1; size <= 64; size++ {
		require.True(t, sizes[size], "a group of %d", size)
	}
	require.Greater(t, partial, 5000)
}
