package codeobject

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLineTable(t *testing.T) {
	table := &LineTable{Files: []string{"a", "b"}, Entries: []LineEntry{{-8, 0, 3}, {4, 1, 9}, {16, 0, 0}}}
	for offset, want := range map[int64]LineEntry{-9: {}, -8: {0, 0, 3}, 3: {0, 0, 3}, 4: {0, 1, 9}, 15: {0, 1, 9}, 16: {}, 1000: {}} {
		file, line := table.Find(offset)
		require.Equal(t, want.Line, line, offset)
		if line != 0 {
			require.Equal(t, table.Files[want.File], file, offset)
		}
	}
	_, line := (*LineTable)(nil).Find(0)
	require.Zero(t, line)
}
