package kernelgen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASeedIsAKernel(t *testing.T) {
	barriers := 0
	for seed := range int64(50) {
		k := New(seed)
		require.Equal(t, k.Source(), New(seed).Source())
		if k.Barriers {
			barriers++
		}
	}
	require.Greater(t, barriers, 25)
	require.Less(t, barriers, 50)
	t.Log(Prelude + New(1).Source())
}

func TestPortableKernelsHaveNoHalves(t *testing.T) {
	for seed := range int64(50) {
		_, body, _ := strings.Cut(NewPortable(seed).Source(), "{")
		require.NotContains(t, body, "half", "seed %d", seed)
	}
}
