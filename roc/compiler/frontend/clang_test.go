package frontend

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// compile runs clang on source, with a deadline.
func compile(t *testing.T, u Unit, source, options string) *Output {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	o, err := Parse(Build, options)
	require.NoError(t, err)
	u.Source, u.Options = []byte(source), o
	out, err := Run(ctx, &u)
	require.NoError(t, err)
	return out
}

func TestDefinitionsReachTheSourceUnchanged(t *testing.T) {
	const source = `constant char s[] = STR; constant int a[] = ARR;
		kernel void k(global int *o) { *o = F(a[1]) + s[0]; }`
	out := compile(t, Unit{}, source, `-DSTR=\"a\'b\" -D "ARR={1, 2}" '-DF(x)=((x) + 1)'`)
	require.NotEmpty(t, out.Bitcode, out.Log)
	require.Empty(t, out.Log)
}

func TestIncludeDirectoriesMayHoldSpacesAndQuotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `it's "a b" dir`)
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h #1.h"), []byte("#define X 1\n"), 0o644))
	for _, include := range []string{"-I " + strconv.Quote(dir), "-I" + strconv.Quote(dir)} {
		out := compile(t, Unit{}, "#include \"h #1.h\"\nkernel void k(global int *o) { *o = X; }", include)
		require.NotEmpty(t, out.Bitcode, out.Log)
		require.Equal(t, []string{filepath.Join(dir, "h #1.h")}, out.Deps)
	}
}

func TestRelativeIncludesStartInTheCallersDirectory(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "inc"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "inc", "h.h"), []byte("#define X 1\n"), 0o644))
	out := compile(t, Unit{Dir: dir}, "#include <h.h>\nkernel void k(global int *o) { *o = X; }", "-I inc")
	require.NotEmpty(t, out.Bitcode, out.Log)
}

func TestEmbeddedHeadersComeFirst(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h.h"), []byte("#error wrong one\n"), 0o644))
	u := Unit{Dir: dir, Headers: []Header{
		{"h.h", []byte("#include \"sub/other.h\"\n")},
		{"sub/other.h", []byte("#define X 1\n#warning here\n")},
		{"../../escape.h", []byte("#define Y 1\n")},
	}}
	out := compile(t, u, "#include \"h.h\"\n#include \"escape.h\"\nkernel void k(global int *o) { *o = X + Y; }", "-I .")
	require.NotEmpty(t, out.Bitcode, out.Log)
	require.Contains(t, out.Log, "sub/other.h:2:2: warning")
	require.NotContains(t, out.Log, os.TempDir())
	require.Empty(t, out.Deps)
}

func TestTheLogNamesTheSourceAndTheLine(t *testing.T) {
	for source, want := range map[string]string{
		"\nkernel void k() { nothing(); }":                                  "<source>:2:19: error",
		"\nkernel void k() { int x = ; }":                                   "<source>:2:27: error",
		"typedef void (*f)(int);":                                           "<source>:1:15: error: pointers to functions are not allowed",
		"void g(int); kernel void k(int n) {\n void (*p)(int) = g; p(n); }": "<source>:2:8: error: pointers to functions",
		"kernel void k(global int *o) { local int *p = o; *p = 1; }":        "address space",
		"kernel void k(global int *o) { *o = X; }":                          "undeclared identifier 'X'",
		"#include \"none.h\"":                                               "<source>:1:10: fatal error",
	} {
		out := compile(t, Unit{}, source, "")
		require.Empty(t, out.Bitcode, source)
		require.Contains(t, out.Log, want, source)
	}
}

func TestErrorsOfNewerClangsStayWarnings(t *testing.T) {
	const source = `kernel void k(global int *o, global float *f) { long l = o; global int *p = f; *o = p[l]; }`
	out := compile(t, Unit{}, source, "")
	require.NotEmpty(t, out.Bitcode, out.Log)
	require.Contains(t, out.Log, "warning")
	require.NotContains(t, out.Log, "unknown warning option")
	require.Empty(t, compile(t, Unit{}, source, "-Werror").Bitcode)
	require.Empty(t, compile(t, Unit{}, source, "-w").Log)
}

func TestVersionsAndExtensionsAreTheTargets(t *testing.T) {
	for _, c := range []struct{ options, condition string }{
		{"", "__OPENCL_C_VERSION__ == 120"},
		{"-cl-std=CL1.1", "__OPENCL_C_VERSION__ == 110"},
		{"-cl-std=CL3.0", "__OPENCL_C_VERSION__ == 300 && __OPENCL_VERSION__ == 300"},
		{"-cl-std=CL3.0", "defined(cl_khr_fp64) && defined(__opencl_c_fp64) && !defined(__opencl_c_images)"},
		{"", "defined(cl_khr_fp64) && !defined(cl_khr_fp16) && !defined(__IMAGE_SUPPORT__) && defined(__ENDIAN_LITTLE__)"},
		{"-cl-fast-relaxed-math", "defined(__FAST_RELAXED_MATH__)"},
		{"-cl-std=CL3.0", "defined(__opencl_c_atomic_scope_device) && !defined(__opencl_c_atomic_scope_all_devices)"},
		{"", "!defined(__opencl_c_atomic_scope_device)"},
	} {
		u := Unit{Extensions: []string{"cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_atomic_scope_device"}}
		source := "#if " + c.condition + "\n#else\n#error no\n#endif\nkernel void k() {}"
		require.NotEmpty(t, compile(t, u, source, c.options).Bitcode, c.condition)
	}
}

func TestClangIsStoppedAtTheDeadline(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(os.ErrDeadlineExceeded)
	_, err := Run(ctx, &Unit{Source: []byte("kernel void k() {}"), Options: &Options{}})
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

// Clang has no limit for operators, and overflows its stack.
func TestACrashIsToldInALine(t *testing.T) {
	u := Unit{Source: []byte("kernel void k(global int *o) {\n*o = " + strings.Repeat("- ", 100000) + "*o; }"), Options: new(Options)}
	out, err := Run(context.Background(), &u)
	require.ErrorContains(t, err, "nested too deeply")
	require.NotContains(t, err.Error(), "\n")
	require.Empty(t, out.Log)
}

// Whether clang still says where it was depends on how much stack is left.
func TestACrashNamesItsPlace(t *testing.T) {
	const account = "PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: clang\n1.\t<source>:2:1043: current parser token '-'\n2.\t<source>:1:30: parsing function body 'k'\n"
	for log, want := range map[string]string{
		"a warning\n" + account: "<source>:2:1043: error: clang crashed here, where the source may be nested too deeply",
		"a warning\n":           "error: clang crashed; the source may be nested too deeply",
	} {
		out := &Output{Log: log}
		require.Equal(t, want, crashed(out))
		require.Equal(t, "a warning\n", out.Log)
	}
}

// TestABreakLeavesItsBlockAtOnce, and sets no flag in between, as it would where the ends of lifetimes are marked.
func TestABreakLeavesItsBlockAtOnce(t *testing.T) {
	out := compile(t, Unit{}, "kernel void k(global int *p) { while (*p < 9) { int x = *p * 2; if (x == 3) break; *p = x; } }", "")
	require.NotEmpty(t, out.Bitcode, out.Log)
	require.False(t, bytes.Contains(out.Bitcode, []byte("llvm.lifetime")))
}
