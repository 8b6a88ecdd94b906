package pipeline

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStages(t *testing.T) {
	needsVectors(t)
	dir := filepath.Join(t.TempDir(), "new")
	t.Setenv("AQUEDUCT_STAGES", dir)
	kernel(t, "kernel void k(global float *p) { p[get_global_id(0)] *= 2; }", "")
	var names []string
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		names = append(names, regexp.MustCompile("-(.*)[.]ll$").FindStringSubmatch(f.Name())[1])
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		require.Regexp(t, "define .*@.*k", string(text), f.Name())
	}
	require.Equal(t, []string{"source", "linked", "canonical", "wide", "lean", "optimised"}, names)
}
