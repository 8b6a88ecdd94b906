package kerneltest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"aqueduct/roc/compiler/kernelgen"

	"github.com/stretchr/testify/require"
)

const (
	// SeedsVariable chooses the seeds of random kernels: "from-to", the second not included.
	SeedsVariable = "AQUEDUCT_FUZZ_SEEDS"
	childVariable = "AQUEDUCT_FUZZ_CHILD"
	batch         = 6 // kernels in one program
)

// RandomKernels checks random kernels against their interpreter, see Seeds.
func RandomKernels(t *testing.T, fixed int64, build Build) {
	Seeds(t, fixed, func(from, to int64) error { return Random(from, to, kernelgen.New, build) })
}

// Asked are the seeds, the last one not included, that SeedsVariable names; to is 0 if it names none.
func Asked(t *testing.T) (from, to int64) {
	if seeds := os.Getenv(SeedsVariable); seeds != "" {
		_, err := fmt.Sscanf(seeds, "%d-%d", &from, &to)
		require.NoError(t, err, SeedsVariable)
	}
	return from, to
}

// Seeds runs check on seeds from 0 to fixed, or those that SeedsVariable names, a batch at a time. That happens in a child process,
// so that the report of a crash or a hang names the seeds.
func Seeds(t *testing.T, fixed int64, check func(from, to int64) error) {
	from, to := Asked(t)
	if to == 0 {
		to = fixed
	}
	if os.Getenv(childVariable) != "" {
		for ; from < to; from += batch {
			last := min(to, from+batch)
			fmt.Printf("seeds %d-%d\n", from, last)
			require.NoError(t, check(from, last))
		}
		return
	}
	// a minute a batch, on a machine however busy
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute*time.Duration(1+(to-from)/batch))
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+strings.ReplaceAll(regexp.QuoteMeta(t.Name()), "/", "$/^")+"$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), childVariable+"=1", fmt.Sprintf("%s=%d-%d", SeedsVariable, from, to))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	var seeds, text string
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Text(); strings.HasPrefix(line, "seeds ") {
			seeds, text = line, ""
			if os.Getenv(SeedsVariable) != "" {
				t.Log(line)
			}
		} else if len(text) < 1<<20 {
			text += line + "\n"
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s", seeds, err, text)
	}
	require.NotEmpty(t, seeds, "no kernel ran:\n%s", text)
}
