package main

import (
	"go/format"
	"testing"

	"github.com/stretchr/testify/require"
)

// The list keeps up with the code it is about. That the tests find the faults is for `make mutate` to see: it takes long.
func TestMutationsApply(t *testing.T) {
	names := map[string]bool{}
	for _, m := range mutations {
		require.False(t, names[m.name], m.name)
		names[m.name] = true
		_, text, err := m.apply("..")
		require.NoError(t, err, m.name)
		_, err = format.Source(text)
		require.NoError(t, err, m.name)
	}
	require.GreaterOrEqual(t, len(mutations), 20)
}
