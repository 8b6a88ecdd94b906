package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSupportedTable(t *testing.T) {
	require.Equal(t, "| | |\n|---|---|\n| OpenCL | 3.0 |\n| OpenCL C | 1.2, 3.0 |\n| SPIR-V | 1.0, 1.3 |\n"+
		"| Optional features of OpenCL C 3.0 | `fp64`, `pipes` |\n| Extensions `cl_khr_`… | `fp16`, `icd` |\n| Extensions `cl_intel_`… | `subgroups` |\n",
		supportedTable(`
[X/0]    CL_DEVICE_VERSION                 OpenCL 3.0 Something
[X/0]    CL_DEVICE_OPENCL_C_ALL_VERSIONS   OpenCL C:0xc00000 OpenCL C:0x402000
[X/0]    CL_DEVICE_ILS_WITH_VERSION        SPIR-V:0x403000 SPIR-V:0x400000
[X/0]    CL_DEVICE_OPENCL_C_FEATURES       __opencl_c_pipes:0xc00000 __opencl_c_fp64:0xc00000
[X/0]    CL_DEVICE_EXTENSIONS              cl_khr_icd cl_intel_subgroups cl_khr_fp16
`))
}

// TestReadmeSaysWhatIsSupported: after a change of the driver, make supported.
func TestReadmeSaysWhatIsSupported(t *testing.T) {
	icd, err := filepath.Abs("../build/aqueduct.icd")
	require.NoError(t, err)
	_, err = os.Stat(icd)
	require.NoError(t, err, "run make build first")
	table, err := Supported(icd)
	require.NoError(t, err)
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	whole, err := InsertSupported(string(text), table)
	require.NoError(t, err)
	require.Equal(t, whole, string(text), "make supported")
}
