package roc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettingsTakeNumbersInRange(t *testing.T) {
	for text, want := range map[string]int{"": 4, "1": 1, "64": 64, "0": 4, "65": 4, "-1": 4, "four": 4, "4.5": 4} {
		t.Setenv(hwQueues, text)
		require.Equal(t, want, parseSettings()[hwQueues], "%q", text)
	}
}

func TestEverySettingIsInTheTable(t *testing.T) {
	values := parseSettings()
	for _, s := range Settings {
		require.NotEmpty(t, s.Meaning)
		require.LessOrEqual(t, s.Min, s.Default)
		require.GreaterOrEqual(t, s.Max, s.Default)
		require.Contains(t, values, s.Name)
	}
	require.Len(t, values, len(Settings))
}
