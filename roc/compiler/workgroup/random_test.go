package workgroup

import (
	"strings"
	"testing"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kernelgen"
	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
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

func TestADifferenceNamesItsSeed(t *testing.T) {
	build := func(source string) (kerneltest.Library, map[string]codeobject.KernelInfo, error) {
		p, err := compile(t, strings.ReplaceAll(source, "* (ulong)(ulong)0xf4243ul", "* (ulong)(ulong)0xf4245ul"), Options{Fallback: true})
		return p.lib, p.kernels, err
	}
	err := kerneltest.Random(8, 9, kernelgen.New, build)
	require.ErrorContains(t, err, "seed 8: ")
	require.ErrorContains(t, err, "kernel void k8(")
}
