package soft

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemoryOfAWorkGroupHasAMargin for lanes that are off, and no more: a kernel that runs over it is to trap.
func TestMemoryOfAWorkGroupHasAMargin(t *testing.T) {
	var a area
	defer func() { unmapMemory(a.ptr, a.size) }()
	for _, size := range []uint64{1, 100, 256, 4000, 4096, 70000, 8} {
		p, err := a.reserve(size)
		require.NoError(t, err)
		behind := uint64(a.end() - uintptr(p))
		require.Zero(t, uintptr(p)%256)
		require.GreaterOrEqual(t, behind, size+margin)
		require.Less(t, behind, size+margin+256)
	}
}
