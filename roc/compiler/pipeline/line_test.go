package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/kernelgen"
	"aqueduct/roc/compiler/protocol"
)

// With -g a program gets the form it has without, and its code the lines of its source.
func TestLinesChangeNothingElse(t *testing.T) {
	sources := map[string]string{}
	files, err := filepath.Glob("../../../conformance/programs/*.cl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files[:4] {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		sources[filepath.Base(f)] = string(text)
	}
	for seed := range int64(2) {
		sources[fmt.Sprint("seed ", seed)] = kernelgen.Prelude + kernelgen.New(seed).Source()
	}
	target := protocol.Host([]string{"cl_khr_fp16", "cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_device_enqueue", "__opencl_c_generic_address_space",
		"__opencl_c_program_scope_global_variables", "cl_khr_subgroups", "__opencl_c_subgroups", "__opencl_c_int64"})
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			build := func(options string) Result {
				res := compiler.Build(context.Background(), &protocol.Request{Source: []byte(source), Options: "-cl-std=CL3.0 -w" + options, Target: target})
				require.NotNil(t, res.Program, res.Log)
				require.NotContains(t, res.Log, "warning")
				return res
			}
			plain, lines := build(""), build(" -g")
			for i, k := range lines.Program.Kernels {
				require.Equal(t, plain.Program.Kernels[i].Width, k.Width)
				require.Nil(t, plain.Program.Kernels[i].Lines)
				require.NotNil(t, k.Lines)
				require.Equal(t, []string{"<source>"}, k.Lines.Files)
				require.Greater(t, len(k.Lines.Entries), 3)
				last := strings.Count(source, "\n") + 1
				for _, e := range k.Lines.Entries {
					require.LessOrEqual(t, e.Line, last)
				}
			}
		})
	}
}
