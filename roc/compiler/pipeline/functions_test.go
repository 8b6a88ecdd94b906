package pipeline

import (
	"bytes"
	"context"
	"debug/elf"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"
)

func buildFunctions(t *testing.T, names string, target protocol.Target) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	return compiler.Build(ctx, &protocol.Request{Stage: frontend.Functions, Source: []byte(names), Target: target})
}

// TestFunctionsOfTheLibraryAreExportedAlone: those asked for, and nothing else of their module, for processors old and new.
func TestFunctionsOfTheLibraryAreExportedAlone(t *testing.T) {
	for _, cpu := range []string{"", "x86-64-v2", "x86-64-v3", "x86-64-v4"} {
		res := buildFunctions(t, "aqueduct_fetch_unorm8x4 aqueduct_store_unorm8x4", protocol.Target{ID: "x", CPU: cpu})
		require.NotNil(t, res.Program, res.Log)
		require.Equal(t, codeobject.Functions, res.Program.Type)
		f, err := elf.NewFile(bytes.NewReader(res.Program.Code))
		require.NoError(t, err)
		symbols, err := f.DynamicSymbols()
		require.NoError(t, err)
		var exported []string
		for _, s := range symbols {
			if s.Section != elf.SHN_UNDEF {
				exported = append(exported, s.Name)
			}
		}
		require.ElementsMatch(t, []string{"aqueduct_fetch_unorm8x4", "aqueduct_store_unorm8x4"}, exported)
	}
}

func TestFunctionsThatAreNotThereFailTheBuild(t *testing.T) {
	for _, names := range []string{"", "aqueduct_fetch_nothing", "aqueduct_fetch_unorm8x4 _Z3expf"} {
		res := buildFunctions(t, names, protocol.Target{ID: "x"})
		require.Nil(t, res.Program)
		require.Contains(t, res.Log, "error:")
	}
}
