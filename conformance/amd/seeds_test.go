//go:build amd

package amd

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// seeds are those of AMD_SEEDS, which make seeds-amd sets: two numbers, the first and the last.
func seeds(t *testing.T) (first, last int) {
	text := os.Getenv("AMD_SEEDS")
	if text == "" {
		return 1, 3
	}
	_, err := fmt.Sscanf(text, "%d-%d", &first, &last)
	require.NoError(t, err, "AMD_SEEDS=%s", text)
	return first, last
}

// Whatever turns wavefronts, work-groups, rings and copy engines take, results are right and nothing hangs. Odd seeds have short copies go
// through engines, too, and every third has few rings, which all queues share.
func TestEverySeedGivesRightResults(t *testing.T) {
	programs := map[string]string{}
	for _, name := range []string{"memory", "order", "launch"} {
		programs[name] = source(t, name)
	}
	first, last := seeds(t)
	for seed := first; seed <= last; seed++ {
		environment := []string{fmt.Sprintf("SIMGPU_SEED=%d", seed)}
		if seed%2 == 1 {
			environment = append(environment, "AQUEDUCT_COPY_ENGINE=1")
		}
		if seed%3 == 0 {
			environment = append(environment, "GPU_MAX_HW_QUEUES=1")
		}
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			for name, program := range programs {
				out, err := runWith(t, "gpu", environment, program, "small")
				require.NoError(t, err, "%s: %s", name, out)
				require.Contains(t, "\n"+out, "\nok", "%s: %s", name, out)
			}
		})
	}
	t.Logf("%d runs of %d programs", last-first+1, len(programs))
}
