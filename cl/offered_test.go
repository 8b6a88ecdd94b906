package cl

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of this package run on the first device there is (AQUEDUCT_DEVICES). What is tested of it follows from what it reports.

// lacks skips a test of what a GPU does not offer. The embedded agent offers everything: on it the test fails.
func lacks(t testing.TB, d *Device, what string) {
	t.Helper()
	require.False(t, d.kind == CL_DEVICE_TYPE_CPU, what)
	t.Skip(what)
}

// has reports whether the device reports an extension, or a feature of OpenCL C.
func (f *fixture) has(name string) bool {
	return slices.Contains(f.device.CompilerExtensions(), name) || f.device.hasExtension(name)
}

// needs skips a test of an extension or feature that the device does not report.
func (f *fixture) needs(name string) {
	f.Helper()
	if !f.has(name) {
		lacks(f, f.device, name+" is not reported")
	}
}

func (f *fixture) needsNativeKernels() {
	f.Helper()
	needsNativeKernels(f, f.device)
}

// needsNativeKernels skips a test of functions of the host as commands where the device reports that it runs none.
func needsNativeKernels(t testing.TB, d *Device) {
	t.Helper()
	v := deviceInfo[CL_DEVICE_EXECUTION_CAPABILITIES](d)
	require.Equal(t, CL_SUCCESS, v.status)
	if words(v.data)[0]&CL_EXEC_NATIVE_KERNEL == 0 {
		lacks(t, d, "CL_EXEC_NATIVE_KERNEL is not reported")
	}
}

func (f *fixture) needsCPU() {
	f.Helper()
	needsCPU(f, f.device)
}

// needsCPU skips a test of how the code for CPUs is made or run.
func needsCPU(t testing.TB, d *Device) {
	t.Helper()
	if d.kind != CL_DEVICE_TYPE_CPU {
		lacks(t, d, "CL_DEVICE_TYPE is not CL_DEVICE_TYPE_CPU")
	}
}
