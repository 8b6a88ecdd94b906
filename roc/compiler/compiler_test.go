package compiler

import (
	"bytes"
	"context"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
)

// aqueductc is the compiler that the tests run, with its builtin library beside it.
var aqueductc string

// withoutClang is set where a test wants to see what happens then.
const withoutClang = "AQUEDUCT_CLANG=/nonexistent"

func TestMain(m *testing.M) {
	if slices.Contains(os.Environ(), withoutClang) {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "aqueduct-test-")
	if err != nil {
		panic(err)
	}
	aqueductc = filepath.Join(dir, executable)
	library, err := filepath.Abs("../../build/builtins") // kept: most of it need not be built again
	if err != nil {
		panic(err)
	}
	for _, command := range [][]string{
		{"go", "build", "-o", aqueductc, "aqueduct/roc/compiler/aqueductc"},
		{aqueductc, "builtins", library},
		{"ln", "-s", library, filepath.Join(dir, "builtins")},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			panic(strings.Join(command, " ") + ": " + string(out))
		}
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// extensions of the device the tests build for.
var extensions = []string{"cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_program_scope_global_variables"}

// newClient has a cache of its own, empty.
func newClient(t *testing.T) *Client {
	c := &Client{Config: &Config{Compiler: aqueductc, CacheDir: t.TempDir(), CacheLimit: 1 << 30, Timeout: time.Minute}}
	t.Cleanup(c.Close)
	return c
}

func build(t *testing.T, c *Client, source, options string) (*codeobject.Program, string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return c.Build(ctx, Request{Stage: Build, Target: Host(extensions), Source: []byte(source), Options: options})
}

const add = `kernel void add(global const float *a, global const float *b, global float *c)
{ size_t i = get_global_id(0); c[i] = a[i] + b[i]; }`

func TestBuildGivesASharedObjectWithTheKernels(t *testing.T) {
	p, log, err := build(t, newClient(t), add, "")
	require.NoError(t, err, log)
	require.Empty(t, log)
	require.Equal(t, codeobject.Executable, p.Type)
	require.Equal(t, Host(nil).ID, p.Target)
	require.Len(t, p.Kernels, 1)
	require.Equal(t, "add", p.Kernels[0].Name)
	f, err := elf.NewFile(bytes.NewReader(p.Code))
	require.NoError(t, err)
	require.Equal(t, elf.ET_DYN, f.Type)
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	var defined []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			defined = append(defined, s.Name)
		}
	}
	require.Equal(t, []string{p.Kernels[0].Symbol}, defined)
}

func TestProgramsThatCannotBeBuiltSayWhy(t *testing.T) {
	c := newClient(t)
	for _, x := range []struct{ source, options, want string }{
		{"kernel void k() { x; }", "", "<source>:1:19: error: use of undeclared identifier 'x'"},
		{"float foo(float); kernel void k(global float *p) { *p = foo(*p); }", "", "undefined: foo"},
		{"float __attribute__((overloadable)) foo(int4 *); kernel void k() { foo(0); }", "", "undefined: foo"},
		{"int g(int);\nint f(int n)\n{ return n ? g(n - 1) : 0; }\nint g(int n)\n{ return f(n); }\nkernel void k(global int *p) { *p = f(*p); }",
			"", "error: recursion"},
		{"int f(int n)\n{\n return n ?\n f(n - 1) : 0; }\nkernel void k(global int *p) { *p = f(*p); }", "", "<source>:4: error: recursion: f calls f"},
		{"void g(int);\nkernel void k() {\n void (*p)(int) = g; }", "", "<source>:3:8: error: pointers to functions"},
		{add, "-Werror -DX -DX=2", "macro redefined"},
	} {
		p, log, err := build(t, c, x.source, x.options)
		require.ErrorIs(t, err, ErrFailed, x.source)
		require.Nil(t, p)
		require.Contains(t, log, x.want)
	}
	_, log, err := build(t, c, add, "") // and the next one is built
	require.NoError(t, err, log)
}

func TestBadOptionsNeedNoCompiler(t *testing.T) {
	c := &Client{Config: &Config{Compiler: "/nonexistent"}}
	_, _, err := build(t, c, add, "-cl-nonsense")
	require.ErrorAs(t, err, new(*OptionError))
	_, _, err = build(t, c, add, "")
	require.ErrorIs(t, err, ErrUnavailable)
}

// TestSourcesNeedAClang, which a process looks for once.
func TestSourcesNeedAClang(t *testing.T) {
	if !slices.Contains(os.Environ(), withoutClang) {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), withoutClang)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	c := &Client{Config: &Config{Compiler: os.Args[0]}}
	sources, links := c.Available()
	require.False(t, sources)
	require.True(t, links)
	_, _, err := build(t, c, add, "")
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "/nonexistent")
}

// A compiler that cannot start now is not a missing one. The limit is a process's, and files may be closed at any time, so the limit leaves
// none.
func TestACompilerMayFailToStart(t *testing.T) {
	c := newClient(t)
	var all syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &all))
	none := all
	none.Cur = 3
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	_, _, err := build(t, c, add, "")
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &all))
	require.ErrorIs(t, err, syscall.EMFILE)
	require.NotErrorIs(t, err, ErrUnavailable)
	_, log, err := build(t, c, add, "") // and the next one is built
	require.NoError(t, err, log)
}

func TestObjectsAndLibrariesAreLinked(t *testing.T) {
	c := newClient(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	do := func(r Request) *codeobject.Program {
		r.Target = Host(extensions)
		p, log, err := c.Build(ctx, r)
		require.NoError(t, err, log)
		return p
	}
	main := do(Request{Stage: Compile, Source: []byte("#include \"f.h\"\nkernel void k(global int *p) { *p = f(*p); }"),
		Headers: []Header{{Name: "f.h", Source: []byte("int f(int);")}}})
	require.Equal(t, codeobject.CompiledObject, main.Type)
	f := do(Request{Stage: Compile, Source: []byte("int g(int); int f(int x) { return g(x) + 1; }")})
	g := do(Request{Stage: Compile, Source: []byte("int g(int x) { return 2 * x; }")})
	library := do(Request{Stage: Link, Options: "-create-library", Inputs: []*codeobject.Program{f, g}})
	require.Equal(t, codeobject.Library, library.Type)
	for _, inputs := range [][]*codeobject.Program{{main, f, g}, {main, library}, {library, main}} {
		p := do(Request{Stage: Link, Inputs: inputs})
		require.Equal(t, codeobject.Executable, p.Type)
		require.Len(t, p.Kernels, 1)
		require.Equal(t, "p", p.Kernels[0].Args[0].Name)
	}
	for want, inputs := range map[string][]*codeobject.Program{
		"undefined: g": {main, f}, "f": {main, f, f, g}, "nothing to link": nil,
	} {
		_, log, err := c.Build(ctx, Request{Stage: Link, Target: Host(extensions), Inputs: inputs})
		require.ErrorIs(t, err, ErrFailed)
		require.Contains(t, log, want)
	}
}

// A kernel that takes seconds to compile.
var slow = "#define A(x) x x x x x x x x\n" + `kernel void k(global int *p) { A(A(A(A(A(A(*p += 1;)))))) }`

func TestABuildWhoseCompilerIsKilledIsDoneByAnother(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	victim := c.running
	done := make(chan error)
	go func() {
		_, _, err := build(t, c, slow, "")
		done <- err
	}()
	require.Eventually(t, func() bool {
		victim.mu.Lock()
		defer victim.mu.Unlock()
		return len(victim.pending) == 1
	}, time.Minute, time.Millisecond)
	require.NoError(t, syscall.Kill(victim.pid, syscall.SIGKILL))
	require.NoError(t, <-done)
	_, log, err = build(t, c, add, "-DAGAIN")
	require.NoError(t, err, log)
}

func TestABuildWhoseCompilersAllDieFails(t *testing.T) {
	for does, says := range map[string]string{
		"kill -9 $$":             "it was killed",
		"echo no idea >&2; exit": "no idea",
	} {
		script := filepath.Join(t.TempDir(), "compiler")
		require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"+does+"\n"), 0o755))
		c := &Client{Config: &Config{Compiler: script, Timeout: time.Minute}}
		_, log, err := build(t, c, add, "")
		require.ErrorIs(t, err, ErrFailed)
		require.Contains(t, log, "the compiler ended unexpectedly: "+says)
		c.Close()
	}
}

func TestACompilerThatIsStoppedIsReplaced(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	p := c.running
	c.config.Timeout = time.Second
	require.NoError(t, syscall.Kill(p.pid, syscall.SIGSTOP))
	_, log, err = build(t, c, add, "-DAGAIN")
	require.ErrorIs(t, err, ErrFailed)
	require.Contains(t, log, "it did not answer in time")
	require.False(t, p.alive())
}

// What a terminal's keys send goes to a group of processes. An application may handle it and live on.
func TestTheCompilerIsNotInTheApplicationsGroup(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	p := c.running
	group, err := syscall.Getpgid(p.pid)
	require.NoError(t, err)
	require.NotEqual(t, syscall.Getpgrp(), group)
}

func TestOnlyTheBuildThatKillsTheCompilerFails(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	c.mu.Lock()
	victim := c.running
	c.mu.Unlock()
	// Two builds are in it when it dies; neither is to blame.
	var wg sync.WaitGroup
	for _, option := range []string{"-DA", "-DB"} {
		wg.Go(func() {
			source := "#define T(x) x x x x x x x x\n" + `kernel void k(global int *p) { T(T(T(T(*p += 1;)))) }`
			_, log, err := build(t, c, source, option)
			require.NoError(t, err, log)
		})
	}
	require.Eventually(t, func() bool {
		victim.mu.Lock()
		defer victim.mu.Unlock()
		return len(victim.pending) == 2
	}, time.Minute, 100*time.Microsecond)
	require.NoError(t, syscall.Kill(victim.pid, syscall.SIGKILL))
	wg.Wait()
}

func TestABuildEndsAtItsDeadline(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "") // so that the compiler's start is no part of the time
	require.NoError(t, err, log)
	c.config.Timeout = 200 * time.Millisecond
	_, log, err = build(t, c, slow, "")
	require.ErrorIs(t, err, ErrFailed)
	require.Contains(t, log, "longer than 200ms")
}

func TestTheCompilerEndsWithItsClient(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	p := c.running
	c.Close()
	select {
	case <-p.gone:
	case <-time.After(time.Minute):
		require.Fail(t, "it runs on")
	}
	require.Eventually(t, func() bool { return syscall.Kill(p.pid, 0) == syscall.ESRCH }, time.Minute, time.Millisecond)
}

func TestTheCompilerIsNobodysChild(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	require.NoError(t, syscall.Kill(c.running.pid, 0), "it runs")
	var status syscall.WaitStatus
	_, err = syscall.Wait4(c.running.pid, &status, syscall.WNOHANG, nil)
	require.ErrorIs(t, err, syscall.ECHILD)
}

// The clang that takes long to load does not wait for the compiler, which takes it over and starts no other.
func TestClangStartsBesideTheCompiler(t *testing.T) {
	c := newClient(t)
	_, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	clang, err := frontend.Clang()
	require.NoError(t, err)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	var started []string
	for _, stat := range stats {
		text, _ := os.ReadFile(stat)
		_, fields, _ := strings.Cut(string(text), ") ") // "pid (name) state parent ..."
		if f := strings.Fields(fields); len(f) > 1 && f[1] == strconv.Itoa(c.running.pid) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(stat), "cmdline"))
			name, _, _ := strings.Cut(string(command), "\x00")
			started = append(started, name)
		}
	}
	// Its name is the path where the driver has started it.
	require.Equal(t, []string{clang, clang}, started, "clang, and the copy that has compiled")
}

// TestExplanationsReachStandardError, all of them before the build ends: of a process of its own.
func TestExplanationsReachStandardError(t *testing.T) {
	const inside = "AQUEDUCT_TEST_EXPLAINS"
	if os.Getenv(inside) != "" {
		_, _, err := build(t, newClient(t), add, "")
		require.NoError(t, err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inside+"=1", "AQUEDUCT_EXPLAIN=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Run())
	require.Contains(t, said.String(), "kernel add: vectorised")
}
