package roc

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADeviceNodeThatCannotBeOpenedIsToldOf(t *testing.T) {
	require.NoError(t, usable("/dev/null"))
	require.ErrorContains(t, usable(filepath.Join(t.TempDir(), "kfd")), "kfd is not there")
	require.ErrorContains(t, usable("/dev/null/kfd"), "/dev/null/kfd may not be opened: ")
}
