package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"aqueduct/conformance"
)

func newAsker(t *testing.T, icd, options string) *asker {
	icd, err := filepath.Abs(icd)
	require.NoError(t, err)
	a := &asker{dir: t.TempDir(), icd: icd, options: options}
	a.program, err = conformance.BuildSource(a.dir, "opinion", source)
	require.NoError(t, err)
	return a
}

func TestTheDriverAgreesWithTheInterpreter(t *testing.T) {
	a := newAsker(t, "../../build/aqueduct.icd", "-cl-std=CL3.0")
	for seed := range int64(4) {
		o, why := a.ask(seed)
		require.Equal(t, agrees, o, "seed %d: %s", seed, why)
	}
}

func TestADriverMayHaveAnotherOpinionOrNone(t *testing.T) {
	o, why := newAsker(t, "../../build/aqueduct.icd", "-cl-std=CL3.0 -Dget_local_id=get_global_size").ask(0)
	require.Equal(t, differs, o, why)
	o, why = newAsker(t, "../../build/aqueduct.icd", "-no-such-option").ask(0)
	require.Equal(t, cannot, o)
	require.Contains(t, why, "clBuildProgram")
	o, _ = newAsker(t, "no-such.icd", "").ask(0)
	require.Equal(t, cannot, o)
}
