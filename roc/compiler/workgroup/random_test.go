package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

func TestRandomKernelsComputeWhatTheInterpreterSays(t *testing.T) {
	for from := int64(0); from < 40; from += 8 {
		require.NoError(t, kerneltest.Random(from, from+8, func(source string) (kerneltest.Library, map[string]codeobject.KernelInfo, error) {
			p := build(t, source)
			return p.lib, p.kernels, nil
		}))
	}
}
