package conformance

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPrograms runs each program, small and in full, through the ICD loader on the driver in build/.
func TestPrograms(t *testing.T) {
	icd, err := filepath.Abs("../build/aqueduct.icd")
	require.NoError(t, err)
	_, err = os.Stat(icd)
	require.NoError(t, err, "run make build first")
	require.NotEmpty(t, Names())
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			bin, err := Build(t.TempDir(), name)
			require.NoError(t, err)
			for _, args := range [][]string{{"small"}, nil} {
				r := Run(bin, icd, 2*time.Minute, args...)
				require.True(t, r.OK, "%v: %s", args, r.Line)
			}
		})
	}
}
