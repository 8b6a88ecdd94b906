//go:build amd

// Package simgpu runs AMD's own HSA runtime on the simulated GPU, which make test-amd builds.
package simgpu

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limit is how long one program may take: more means that it never ends.
const limit = 5 * time.Minute

// simulator is the folder of the replacement for libhsakmt.so.1.
func simulator(t *testing.T) string {
	dir := os.Getenv("AQUEDUCT_SIMGPU")
	require.NotEmpty(t, dir, "AQUEDUCT_SIMGPU is not set: make test-amd")
	return dir
}

func command(t *testing.T, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, name, args...)
}

// build compiles one of programs/.
func build(t *testing.T, name string) string {
	to := filepath.Join(t.TempDir(), name)
	out, err := command(t, "clang-19", "-O1", "-Wall", "-Wno-unused-function", "-o", to, filepath.Join("programs", name+".c"), "-lhsa-runtime64", "-lOpenCL", "-lm", "-lpthread").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return to
}

// kernels compiles the kernels of programs/ for a chip.
func kernels(t *testing.T, chip, optimisation string) string {
	to := filepath.Join(t.TempDir(), "kernels.co")
	out, err := command(t, "clang-19", "-x", "cl", "-cl-std=CL2.0", optimisation, "-target", "amdgcn-amd-amdhsa", "-mcpu="+chip,
		"-mcode-object-version=5", "--rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "-o", to, filepath.Join("programs", "kernels.cl")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return to
}

// run runs a program on the simulated GPU.
func run(t *testing.T, dir, chip string, seed int, environment []string, program string, args ...string) string {
	c := command(t, program, args...)
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir, "SIMGPU_CHIP="+chip, fmt.Sprintf("SIMGPU_SEED=%d", seed))
	c.Env = append(c.Env, environment...)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "seed %d: %s", seed, out)
	return string(out)
}

func TestKernelsGiveRightResults(t *testing.T) {
	dir := simulator(t)
	program := build(t, "kernels")
	for _, chip := range []string{"gfx906", "gfx90a"} {
		for seed, optimisation := range []string{"-O0", "-O1", "-O2", "-O3"} {
			t.Run(chip+optimisation, func(t *testing.T) { run(t, dir, chip, seed, nil, program, kernels(t, chip, optimisation)) })
		}
	}
}

func TestCopiesByEnginesAndByKernels(t *testing.T) {
	dir := simulator(t)
	program := build(t, "copies")
	for seed, environment := range [][]string{nil, {"HSA_ENABLE_SDMA=0"}} {
		run(t, dir, "gfx906", seed, environment, program)
		run(t, dir, "gfx90a", seed, environment, program)
	}
}

func TestPacketsKeepTheirOrder(t *testing.T) {
	dir := simulator(t)
	program, code := build(t, "queues"), kernels(t, "gfx906", "-O2")
	for seed := range 5 {
		run(t, dir, "gfx906", seed, nil, program, code)
	}
	run(t, dir, "gfx906", 0, []string{"HSA_ENABLE_INTERRUPT=0"}, program, code)
}

func TestErrorsReachTheApplicationAndSpareTheProcess(t *testing.T) {
	dir := simulator(t)
	out := run(t, dir, "gfx906", 1, nil, build(t, "errors"), kernels(t, "gfx906", "-O2"))
	require.Contains(t, out, "s_sendmsg", "an unknown instruction is named")
	require.Contains(t, out, "s_trap 2")
}

func TestAMissingFenceOrBarrierBitIsAnError(t *testing.T) {
	dir := simulator(t)
	program, code := build(t, "order"), kernels(t, "gfx906", "-O2")
	for seed := range 10 {
		run(t, dir, "gfx906", seed, nil, program, code)
	}
}

func TestTheDriverAndTheSimulatedGPUShareAProcess(t *testing.T) {
	dir := simulator(t)
	program, code := build(t, "twins"), kernels(t, "gfx906", "-O2")
	driver := "OCL_ICD_VENDORS=" + filepath.Join(filepath.Dir(dir), "aqueduct.icd")
	for seed := range 5 {
		run(t, dir, "gfx906", seed, []string{driver}, program, code)
	}
}
