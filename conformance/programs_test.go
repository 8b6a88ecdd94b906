package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/conformance"
	"aqueduct/conformance/runner"
)

// TestPrograms runs each program, small and in full, through the ICD loader on the driver in build/.
func TestPrograms(t *testing.T) {
	runAll(t, conformance.BuildPrograms)
}

// runAll runs entries, which build makes and puts into a directory, in quick mode on the driver in build/; all must be well.
func runAll(t *testing.T, build func(dir string) ([]conformance.Entry, error)) {
	icd, err := filepath.Abs("../build/aqueduct.icd")
	require.NoError(t, err)
	_, err = os.Stat(icd)
	require.NoError(t, err, "run make build first")
	dir := t.TempDir()
	entries, err := build(dir)
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	report, err := runner.Run(context.Background(), &runner.Config{Entries: entries, Dir: dir, Out: filepath.Join(dir, "out"),
		Info: runner.Info{ICD: icd, Mode: "quick"}, Jobs: 2, Show: runner.Plain(testWriter{t})})
	require.NoError(t, err)
	for _, r := range report.Results {
		require.Equal(t, runner.Pass, r.Status, "%s: %s\n%v\n%s", r.ID(), r.Why, r.Tail, r.Evidence)
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(text []byte) (int, error) {
	w.t.Logf("%s", text)
	return len(text), nil
}

// TestSoak is a short form of make soak.
func TestSoak(t *testing.T) {
	runAll(t, func(dir string) ([]conformance.Entry, error) { return conformance.BuildSoak(dir, 5*time.Second, 1) })
}
