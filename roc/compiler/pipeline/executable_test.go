package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"

	"github.com/stretchr/testify/require"
)

// The code is for a processor with arithmetic on halves, which the one at hand need not be, so that its text must do.
func TestVectorsOfHalvesAreComparedAsFloats(t *testing.T) {
	needsVectors(t)
	dir := t.TempDir()
	t.Setenv("AQUEDUCT_STAGES", dir)
	target := protocol.Host([]string{"cl_khr_fp16"})
	target.CPU, target.Features = "sapphirerapids", nil
	res := compiler.Build(t.Context(), &protocol.Request{Stage: frontend.Build, Target: target, Source: []byte(`#pragma OPENCL EXTENSION cl_khr_fp16 : enable
		kernel void k(global half16 *x, global int16 *n) { size_t i = get_global_id(0); x[i] = rootn(x[i], n[i]) + x[i]; }
		kernel void alone(global half16 *x, global short16 *n) { *n = *x < (half)0 && *n == (short)0; }`)})
	require.NotNil(t, res.Program, res.Log)
	read := func(stage string) string {
		files, err := filepath.Glob(filepath.Join(dir, "*-"+stage+".ll"))
		require.NoError(t, err)
		var all []byte
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			all = append(all, text...)
		}
		return string(all)
	}
	require.Regexp(t, `fcmp \w+ <\d+ x half>`, read("lean"), "there is one to be replaced")
	require.Regexp(t, `fadd <\d+ x half>`, read("optimised"))
	require.NotRegexp(t, `fcmp \w+ <\d+ x half>`, read("optimised"))
}
