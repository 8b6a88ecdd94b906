package kernelgen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAKernelWithoutItsStatementsHasItsBarriersStill(t *testing.T) {
	for seed := range int64(30) {
		for _, k := range []*Kernel{New(seed), NewFlowing(seed)} {
			require.Equal(t, k.Source(), k.Without(func(int) bool { return false }).Source())
			bare := k.Without(func(int) bool { return true })
			require.Equal(t, strings.Count(k.Source(), "barrier("), strings.Count(bare.Source(), "barrier("), "seed %d", seed)
			require.LessOrEqual(t, len(bare.Source()), len(k.Source()))
			n := NewArguments(seed, Launches[2])
			bare.Run(Launches[2], n)
		}
	}
}

func TestEachStatementCanBeLeftOut(t *testing.T) {
	k := New(3)
	different := 0
	for n := range k.Size() {
		if k.Without(func(i int) bool { return i == n }).Source() != k.Source() {
			different++
		}
	}
	require.Greater(t, different, k.Size()/2)
}
