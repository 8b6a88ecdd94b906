package wfv

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatTheFirstLanesStoreIsStoredWithoutAMask(t *testing.T) {
	for name, some := range map[string]bool{"tree": true, "tree of ints": true, "exchange": false} {
		p := build(t, formPrelude+formKernels[name], Options{Width: 8})
		native := p.ir[strings.Index(p.ir, "define void @kernel.k("):]
		native = native[:strings.Index(native, "\n}")]
		require.Equal(t, some, strings.Contains(native, "store <4 x float>"), name)
	}
}
