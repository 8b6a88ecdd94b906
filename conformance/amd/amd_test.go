//go:build amd

// Package amd shows that GPUs of AMD's work as devices, on a simulated one (make test-amd).
package amd

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	return runWith(t, devices, nil, program, args...)
}

// runWith is run with more of an environment.
func runWith(t *testing.T, devices string, environment []string, program string, args ...string) (string, error) {
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
	cmd.Env = append(cmd.Env, environment...)
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

// source is a program of testdata, built.
func source(t *testing.T, name string) string {
	folder, err := filepath.Abs("testdata")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(folder, name+".c"))
	require.NoError(t, err)
	binary, err := conformance.BuildSource(t.TempDir(), name, text, folder)
	require.NoError(t, err)
	return binary
}

// Copies are right by copy engines and by kernels, whatever the settings say, and these say which it is.
func TestCopiesByEnginesAndByKernels(t *testing.T) {
	const byEngine = ": copy " // in the simulated GPU's log
	memory, order := source(t, "memory"), source(t, "order")
	for name, c := range map[string]struct {
		environment []string
		engines     bool
	}{
		"by engines":              {[]string{"AQUEDUCT_COPY_ENGINE=1"}, true},
		"long ones by engines":    {[]string{"AQUEDUCT_COPY_ENGINE=65536"}, true},
		"by kernels":              {[]string{"AQUEDUCT_COPY_ENGINE=0"}, false},
		"without engines":         {[]string{"AQUEDUCT_COPY_ENGINE=1", "HSA_ENABLE_SDMA=0"}, false},
		"too short for an engine": {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := runWith(t, "gpu", append(c.environment, "SIMGPU_LOG=1"), memory, "small")
			require.NoError(t, err, out)
			require.Equal(t, c.engines, strings.Contains(out, byEngine))
			out, err = runWith(t, "gpu", c.environment, order)
			require.NoError(t, err, out)
			require.Contains(t, out, "ok")
		})
	}
}

// An engine that has met a fault is not used again.
func TestACopyFromMemoryThatIsGoneEndsItsCommand(t *testing.T) {
	program := source(t, "lost")
	for name, limit := range map[string]string{"by an engine": "1", "by a kernel": "0"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := runWith(t, "gpu", []string{"AQUEDUCT_COPY_ENGINE=" + limit}, program)
			require.NoError(t, err, out)
			require.Contains(t, out, "ok: ")
			require.Contains(t, out, "a copy failed")
		})
	}
}

// What kernels print is the same on a GPU as on the CPU, but for the order of work-items.
func TestKernelsPrintTheSameOnBoth(t *testing.T) {
	program := source(t, "printf")
	lines := func(devices string) []string {
		out := strings.Split(ok(t, devices, program), "\n")
		first := slices.IndexFunc(out, func(l string) bool { return strings.HasPrefix(l, "item ") })
		require.Positive(t, first, out)
		slices.Sort(out[first : first+100])
		return out
	}
	cpu := lines("cpu")
	require.Equal(t, cpu, lines("gpu"))
	require.Equal(t, 3, strings.Count(strings.Join(cpu, "\n"), "told: 42\n"))
}

// Program binaries may be code objects as clang makes them. Where these have hidden arguments is another for each version.
func TestCodeObjectsOfOtherCompilersRun(t *testing.T) {
	program := source(t, "launch")
	text, err := exec.Command(program, "source").Output()
	require.NoError(t, err)
	for _, version := range []string{"4", "5"} {
		t.Run("version "+version, func(t *testing.T) {
			t.Parallel()
			code, module := filepath.Join(t.TempDir(), "kernels.co"), filepath.Join(t.TempDir(), "kernels.bc")
			compile := func(args ...string) {
				clang := exec.Command("clang-19", append(args, "-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906", "-mcode-object-version="+version)...)
				clang.Stdin = bytes.NewReader(text)
				out, err := clang.CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			// printf becomes stores to the buffer of the hidden arguments only before the device libraries come in.
			compile("-x", "cl", "-cl-std=CL3.0", "-nogpulib", "-emit-llvm", "-c", "-o", module, "-")
			compile("-x", "ir", "--rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "-o", code, module)
			require.Contains(t, ok(t, "gpu", program, code), "told 7\n")
		})
	}
}

func TestPrograms(t *testing.T) {
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
		{"the host and a GPU share pointers", "svm", "gpu", nil, ""},
		{"wavefronts are sub-groups", "subgroups", "gpu", nil, ""},
		{"queues of sub-devices keep to their compute units", "units", "gpu", nil, ""},
	} {
		binary := source(t, p.source)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			out := ok(t, p.devices, binary, p.args...)
			require.Contains(t, out, p.says)
		})
	}
}
