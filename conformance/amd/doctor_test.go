//go:build amd

package amd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// doctor runs aqueduct-doctor, whose verdict depends on the first device only.
func doctor(t *testing.T, devices string, environment ...string) string {
	t.Helper()
	program, err := filepath.Abs("../../build/aqueduct-doctor")
	require.NoError(t, err)
	out, err := runWith(t, devices, environment, program)
	require.NoError(t, err, out)
	return out
}

func TestTheDoctorListsTheGPU(t *testing.T) {
	out := doctor(t, "cpu,gpu")
	require.Contains(t, out, "✓ gfx906 of Advanced Micro Devices, Inc.: 60 compute units, 8.0 GiB of memory")
	require.Contains(t, out, "✓ AMD's HSA runtime: ")
	require.Contains(t, out, "✓ AMD's device libraries: ")
	require.Regexp(t, `✓ gfx906: built in .* right result`, out)
	require.NotContains(t, out, "offers no GPU")
}

func TestTheDoctorSaysThatTheKernelDriverCannotBeReached(t *testing.T) {
	out := doctor(t, "cpu,gpu", "SIMGPU_NODE="+t.TempDir()) // a folder, which nobody can open to write
	require.Contains(t, out, "· the driver offers no GPU: rocr: libhsa-runtime64.so.1 does not start: HSA_STATUS_ERROR_OUT_OF_RESOURCES")
	require.NotContains(t, out, "gfx906")
}

// A machine without a GPU does not pay for AMD's runtime although it is installed.
func TestWithoutADeviceNodeTheRuntimeIsNotLoaded(t *testing.T) {
	if _, err := os.Stat("/dev/kfd"); err == nil {
		t.Skip("/dev/kfd is there")
	}
	const library = "libhsa-runtime64"
	for devices, loaded := range map[string]bool{"": false, "cpu": false, "cpu,gpu": true} {
		out, err := runWith(t, devices, []string{"LD_DEBUG=libs"}, "clinfo", "--list")
		require.NoError(t, err, out)
		if loaded {
			require.Contains(t, out, library, "AQUEDUCT_DEVICES=%s", devices)
		} else {
			require.NotContains(t, out, library, "AQUEDUCT_DEVICES=%s", devices)
		}
	}
	require.Contains(t, doctor(t, ""), "· the driver offers no GPU: /dev/kfd is not there")
}
