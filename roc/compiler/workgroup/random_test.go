package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kerneltest"
)

func TestRandomKernelsComputeWhatTheInterpreterSays(t *testing.T) {
	for name, fallback := range map[string]bool{"regions": false, "rounds": true} {
		t.Run(name, func(t *testing.T) {
			kerneltest.RandomKernels(t, 12, func(source string) (kerneltest.Library, map[string]codeobject.KernelInfo, error) {
				p, err := compile(t, source, Options{Fallback: fallback})
				return p.lib, p.kernels, err
			})
		})
	}
}
