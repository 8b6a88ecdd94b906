package soft

import (
	"testing"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

func TestOneThreadCopiesWhatFitsInItsCache(t *testing.T) {
	k := builtin("copy", copyGroups)
	for bytes, shared := range map[uint64]bool{1 << 20: false, 2 << 20: false, 3 << 20: true, 256 << 20: true} {
		groups := hsa.BlitGroups(bytes)
		nanos, known := k.estimate(groups)
		require.Equal(t, shared, k.chunk(groups, 8, nanos, known) < groups, "%d bytes", bytes)
	}
}
