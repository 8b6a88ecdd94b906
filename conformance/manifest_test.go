package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManifest: every file reads, and every entry belongs to both modes unless it is left out.
func TestManifest(t *testing.T) {
	all, err := Manifest("")
	require.NoError(t, err)
	tests := 0
	for _, e := range all {
		modes := map[string]bool{}
		for _, r := range e.Runs {
			for _, m := range r.In {
				modes[m] = true
			}
		}
		if e.LeftOut["*"] == "" {
			require.Len(t, modes, len(Modes), e.Name)
		}
		tests += len(e.Tests)
	}
	cts, err := Manifest("cts")
	require.NoError(t, err)
	require.Greater(t, len(cts), 40)
	require.Greater(t, tests, 1600)
	_, err = Manifest("nothing")
	require.Error(t, err)
}

// TestManifestRefuses what its reader could not make sense of.
func TestManifestRefuses(t *testing.T) {
	const ok = "area: A\nentries:\n- {name: e, binary: b, tests: x y, runs: [{in: quick, limit: 1m}]"
	for name, text := range map[string]string{
		"no mode":              "area: A\nentries:\n- {name: e, runs: [{limit: 1m}]}",
		"unknown mode":         "area: A\nentries:\n- {name: e, runs: [{in: slow, limit: 1m}]}",
		"no limit":             "area: A\nentries:\n- {name: e, runs: [{in: quick}]}",
		"a limit over another": "area: A\nentries:\n- {name: e, runs: [{in: quick, limit: 1m, each: 2m}]}",
		"runs of one name":     "area: A\nentries:\n- {name: e, runs: [{in: quick, limit: 1m}, {in: quick full, limit: 1m}]}",
		"not run for no cause": "area: A\nentries:\n- {name: e}",
		"no area":              "entries:\n- {name: e, runs: [{in: quick, limit: 1m}]}",
		"a name twice":         ok + "}\n- {name: e, runs: [{in: quick, limit: 1m}]}",
		"unknown sub-test":     ok + ", needs: {z*: cl_khr_fp16}}",
		"left out unknown":     ok + ", left-out: {z: because}}",
		"left out for nothing": ok + ", left-out: {x: ''}}",
		"unknown word":         ok + ", expected: x}",
	} {
		entries, err := parse([]byte(text))
		if err == nil {
			err = check(entries)
		}
		require.Error(t, err, name)
	}
	entries, err := parse([]byte(ok + ", needs: {x: cl_khr_fp16}, left-out: {y: because}}"))
	require.NoError(t, err)
	require.NoError(t, check(entries))
	require.Equal(t, []string{"cl_khr_fp16"}, entries[0].Lacks("x", nil))
	require.Empty(t, entries[0].Lacks("y", nil))
	require.Equal(t, "because", entries[0].WhyLeftOut("y"))
}

// TestFeatures are read from clinfo's raw output, those of the device asked for only.
func TestFeatures(t *testing.T) {
	const text = `#PLATFORMS                                        1
  CL_PLATFORM_NAME                                Name of it
  CL_PLATFORM_HOST_TIMER_RESOLUTION               1

[AQ/*]    CL_PLATFORM_NAME                                Name of it
[AQ/*]  #DEVICES                                          2
[AQ/0]    CL_DEVICE_NAME                                  first one
[AQ/0]    CL_DEVICE_IMAGE_SUPPORT                         CL_TRUE
[AQ/0]    CL_DEVICE_PIPE_SUPPORT                          CL_FALSE
[AQ/0]    CL_DEVICE_SVM_CAPABILITIES                      CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS
[AQ/0]    CL_DEVICE_IL_VERSION                            
[AQ/0]    CL_DEVICE_OPENCL_C_FEATURES                     __opencl_c_fp64:0xc00000 __opencl_c_int64:0xc00000
[AQ/0]    CL_DEVICE_EXTENSIONS                            cl_khr_fp64 cl_khr_icd
[AQ/1]    CL_DEVICE_NAME                                  second one
[AQ/1]    CL_DEVICE_EXTENSIONS                            cl_khr_fp16
`
	d := parseRaw(text, "0")
	require.Equal(t, "Name of it", d.Platform)
	require.Equal(t, "first one", d.Name)
	for _, name := range []string{"CL_PLATFORM_HOST_TIMER_RESOLUTION", "CL_DEVICE_IMAGE_SUPPORT", "CL_DEVICE_SVM_CAPABILITIES",
		"CL_DEVICE_SVM_ATOMICS", "__opencl_c_fp64", "cl_khr_fp64", "a_second_device"} {
		require.True(t, d.Features[name], name)
	}
	for _, name := range []string{"CL_DEVICE_PIPE_SUPPORT", "CL_DEVICE_IL_VERSION", "CL_DEVICE_SVM_FINE_GRAIN_BUFFER", "cl_khr_fp16"} {
		require.False(t, d.Features[name], name)
	}
	require.Equal(t, "second one", parseRaw(text, "1").Name)
}
