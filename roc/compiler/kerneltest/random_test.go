package kerneltest

import (
	"testing"

	"aqueduct/roc/compiler/kernelgen"

	"github.com/stretchr/testify/require"
)

func TestLaunchesAreNotTooLargeForTheArguments(t *testing.T) {
	partial := 0
	for _, s := range Samples(3400, 3480, kernelgen.NewSmall) {
		for _, n := range s.launches {
			require.LessOrEqual(t, n.Items(), kernelgen.MaxItems)
		}
		if s.Required[0] > 0 {
			require.Equal(t, s.Required, s.launches[0].Local)
			partial += len(s.launches) - 1
		}
	}
	require.Greater(t, partial, 5, "kernels with launches that end in partial groups")
}
