package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aqueduct/roc/trace/check"

	"github.com/stretchr/testify/require"
)

// The tests in this file see the driver as an application does: the shared library, behind the system's ICD loader.

// deadline is for one program run by a test.
const deadline = 2 * time.Minute

// library builds libaqueduct.so as doc.go says, once, and an .icd file that names it.
var library = sync.OnceValues(func() (so string, err error) {
	dir, err := os.MkdirTemp("", "aqueduct-icd-test")
	if err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	so = filepath.Join(dir, "libaqueduct.so")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags",
		"-extldflags '-Wl,--version-script="+here+"/exports.map -Wl,-Bsymbolic -Wl,-z,nodelete'", "-o", so, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", err
	}
	return so, os.WriteFile(filepath.Join(dir, "aqueduct.icd"), []byte(so+"\n"), 0o644)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if so, err := library(); err == nil {
		os.RemoveAll(filepath.Dir(so))
	}
	os.Exit(code)
}

// compile makes a program of testdata/name.c.
func compile(t *testing.T, name string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-parentheses", "-Wno-unused-parameter", "-g", "-o", bin,
		filepath.Join("testdata", name+".c"), "-lOpenCL", "-ldl").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return bin
}

// run runs a program with the platforms of vendors, a file or a folder, and returns what it wrote and its exit code.
func run(t *testing.T, vendors string, name string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+vendors)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err)
	}
	require.NoError(t, ctx.Err(), "%s did not end:\n%s", name, out)
	return string(out), cmd.ProcessState.ExitCode()
}

// ours is the .icd file of the library under test.
func ours(t *testing.T) (so, icd string) {
	t.Helper()
	so, err := library()
	require.NoError(t, err)
	return so, filepath.Join(filepath.Dir(so), "aqueduct.icd")
}

// TestOnlyTheEntryPointsOfALoaderAreExported: other names would collide with those of libOpenCL.
func TestOnlyTheEntryPointsOfALoaderAreExported(t *testing.T) {
	so, _ := ours(t)
	out, err := exec.Command("nm", "-D", "--defined-only", "--format=just-symbols", so).Output()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		"clGetExtensionFunctionAddress", "clGetPlatformInfo", "clIcdGetPlatformIDsKHR",
		"clIcdGetFunctionAddressForPlatformKHR", "clIcdSetPlatformDispatchDataKHR",
	}, strings.Fields(string(out)))
	out, err = exec.Command("readelf", "-d", so).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "NODELETE")
	require.Contains(t, string(out), "SYMBOLIC")
}

// TestPrograms runs the C programs of testdata; each says itself what it checks.
func TestPrograms(t *testing.T) {
	for _, name := range []string{"handles", "info", "queues", "icd2", "fork", "signals", "slack", "threads", "soak"} {
		t.Run(name, func(t *testing.T) {
			so, icd := ours(t)
			out, code := run(t, icd, compile(t, name), so)
			require.Zero(t, code, "%s", out)
			require.NotContains(t, out, "FAIL")
		})
	}
}

// TestDumpOnSignal: with the setting, the driver says what each queue waits for, and the process goes on.
func TestDumpOnSignal(t *testing.T) {
	_, icd := ours(t)
	bin := compile(t, "dump")
	out, code := run(t, icd, bin)
	require.Zero(t, code, "without the setting: %s", out)
	t.Setenv("AQUEDUCT_DUMP_SIGNAL", "3")
	out, code = run(t, icd, bin)
	require.Zero(t, code, "%s", out)
	require.Contains(t, out, "waits for user event 0 of queue 0x0, submitted")
	require.Contains(t, out, "aqueduct: 1 command queues")
	require.Contains(t, out, "goroutine 1")
	require.Contains(t, out, "agent: ")
}

// TestTimeline: what programs do is in the file when they have ended, whole and in order, be it by a return, an exit from a callback
// or with a command running.
func TestTimeline(t *testing.T) {
	_, icd := ours(t)
	for name, want := range map[string]struct {
		code int
		some []string
	}{
		"queues":       {0, []string{"marker", "waits for", "batch", "finish"}},
		"exitcallback": {7, nil},
		"exitrunning":  {9, nil},
	} {
		t.Run(name, func(t *testing.T) {
			so, _ := ours(t)
			file := filepath.Join(t.TempDir(), "trace.json")
			t.Setenv("AQUEDUCT_TRACE", file)
			t.Setenv("AQUEDUCT_TRACE_RATE", "0")
			out, code := run(t, icd, compile(t, name), so)
			require.Equal(t, want.code, code, "%s", out)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			events, err := check.Timeline(text)
			require.NoError(t, err)
			for _, name := range want.some {
				require.True(t, slices.ContainsFunc(events, func(e map[string]any) bool { return e["name"] == name }), "%s is missing", name)
			}
		})
	}
}

// TestExitIsQuick: from a callback while main waits and commands are pending, and from main while a command runs.
func TestExitIsQuick(t *testing.T) {
	for name, want := range map[string]int{"exitcallback": 7, "exitrunning": 9} {
		_, icd := ours(t)
		out, code := run(t, icd, compile(t, name))
		require.Equal(t, want, code, "%s: %s", name, out)
	}
}

// TestBesideAnotherDriver runs with PoCL's platform before ours and after it in one process.
func TestBesideAnotherDriver(t *testing.T) {
	const pocl = "/etc/OpenCL/vendors/pocl.icd"
	other, err := os.ReadFile(pocl)
	require.NoError(t, err, "make setup installs PoCL")
	so, _ := ours(t)
	bin := compile(t, "beside")
	for _, order := range [][2]string{{"1.icd", "2.icd"}, {"2.icd", "1.icd"}} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, order[0]), []byte(so+"\n"), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, order[1]), other, 0o644))
		out, code := run(t, dir, bin)
		require.Zero(t, code, "%s", out)
		require.Contains(t, out, "Aqueduct")
		require.Contains(t, out, "Portable Computing Language")
		out, code = run(t, dir, "clinfo") // compiles a kernel with each
		require.Zero(t, code, "%s", out)
	}
}

// TestClinfo: the whole of it, and not one query that fails.
func TestClinfo(t *testing.T) {
	_, icd := ours(t)
	out, code := run(t, icd, "clinfo")
	require.Zero(t, code, "%s", out)
	require.Contains(t, out, "Platform Name                                   Aqueduct")
	out, code = run(t, icd, "clinfo", "-l")
	require.Zero(t, code)
	require.Contains(t, out, "Device #0")
}
