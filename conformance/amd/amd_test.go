//go:build amd

// Package amd shows that GPUs of AMD's work as devices, on a simulated one (make test-amd).
package amd

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aqueduct/conformance"

	"github.com/stretchr/testify/require"
)

// limit is how long a program may take, on a machine that does much else. Command mutate has less patience.
func limit(t *testing.T) time.Duration {
	text := os.Getenv("AMD_LIMIT")
	if text == "" {
		return 3 * time.Minute
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

// run runs a program on the simulated GPU, or all devices, and returns what it says.
func run(t *testing.T, devices string, program string, args ...string) (string, error) {
	t.Helper()
	build, err := filepath.Abs("../../build")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), limit(t))
	defer cancel()
	icd := os.Getenv("AMD_ICD") // of another build of the driver
	if icd == "" {
		icd = filepath.Join(build, "aqueduct.icd")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+icd, "LD_LIBRARY_PATH="+filepath.Join(build, "simgpu"),
		"AQUEDUCT_DEVICES="+devices, "CONFORMANCE_DEVICE=0")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), err
}

// ok runs a program that ends in a line "ok".
func ok(t *testing.T, devices string, program string, args ...string) string {
	t.Helper()
	out, err := run(t, devices, program, args...)
	require.NoError(t, err, out)
	require.Contains(t, "\n"+out, "\nok", out)
	return out
}

func TestClinfoListsCPUAndGPU(t *testing.T) {
	out, err := run(t, "cpu,gpu", "clinfo", "--raw")
	require.NoError(t, err, out)
	var kinds []string
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 3 && f[1] == "CL_DEVICE_TYPE" {
			kinds = append(kinds, f[2])
		}
	}
	require.Equal(t, []string{"CL_DEVICE_TYPE_CPU", "CL_DEVICE_TYPE_GPU"}, kinds, out)
	require.Contains(t, out, "gfx906")
}

func TestWithoutAGPUThereIsStillTheCPU(t *testing.T) {
	out, err := exec.Command("env", "OCL_ICD_VENDORS=../../build/aqueduct.icd", "AQUEDUCT_DEVICES=cpu,gpu", "clinfo", "--raw").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "CL_DEVICE_TYPE_CPU")
	require.NotContains(t, string(out), "CL_DEVICE_TYPE_GPU", "AMD's runtime has found a GPU: this test is for machines without")
}

func TestConformancePrograms(t *testing.T) {
	dir := t.TempDir()
	for _, name := range conformance.Names() {
		binary, err := conformance.Build(dir, name)
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ok(t, "gpu", binary, "small")
		})
	}
}

func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []struct {
		name, source, devices string
		args                  []string
		says                  string
	}{
		{"transfers move what they should", "memory", "gpu", []string{"small"}, ""},
		{"kernels are told what they should be", "launch", "gpu", nil, ""},
		{"what waits for something comes after it", "order", "gpu", nil, ""},
		{"a page fault ends its command", "faults", "gpu", []string{"fault"}, "kernel fault failed"},
		{"a trap ends its command", "faults", "gpu", []string{"trap"}, "HSA_STATUS_ERROR_EXCEPTION"},
		{"the CPU and a GPU share buffers", "shared", "cpu,gpu", nil, ""},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", p.source+".c"))
		require.NoError(t, err)
		binary, err := conformance.BuildSource(dir, p.source, text)
		require.NoError(t, err)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			out := ok(t, p.devices, binary, p.args...)
			require.Contains(t, out, p.says)
		})
	}
}
