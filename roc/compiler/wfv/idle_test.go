package wfv

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// That vectors which have nothing to do are not run is nowhere to be seen in results: TestFormsComputeWhatTheScalarFormDoes sees to those.
func TestVectorsThatHaveNothingToDoEndTheRow(t *testing.T) {
	for name, branches := range map[string]int{
		"reduction":             1, // its last `if (l == 0)`
		"tree":                  2,
		"tree of ints":          1,
		"tree with values":      0, // each work-item's own value changes
		"tree and what stays":   1,
		"tree and what changes": 0,
		"tree and more":         0, // work-items store behind the branch
		"the first some":        2, // the first test is kept for later
	} {
		p := build(t, formPrelude+formKernels[name], Options{Width: 8})
		require.Equal(t, branches, p.reports["k"].Notes.Idle, name)
	}
}
