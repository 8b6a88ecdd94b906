package elflink

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// compile compiles C as LLVM compiles kernels.
func compile(t *testing.T, source string) []byte {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "x.c"), filepath.Join(dir, "x.o")
	require.NoError(t, os.WriteFile(in, []byte(source), 0o644))
	text, err := exec.Command("clang-19", "-c", "-O1", "-fPIC", "-fno-builtin", "-fno-asynchronous-unwind-tables", "-o", out, in).CombinedOutput()
	require.NoError(t, err, string(text))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	return b
}

const everything = `
	double exp(double), pow(double, double);
	void *memset(void *, int, unsigned long);
	static const double table[4] = {1, 2, 3, 4};
	static int zeroes[5000], counter = 7;
	int shared = 5;                                      // through the global offset table
	static int one(int x) { return x + 1; }
	static int two(int x) { return x + 2; }
	static int (*const functions[])(int) = {one, two};   // relative relocations
	static double (*volatile imported)(double) = exp;    // an imported address in data
	__attribute__((visibility("hidden"))) int hidden(int x) { return x * 3; }
	double values(int i) {
		switch (i) {                                     // a jump table
		case 0: return table[i + 2];
		case 1: return exp(0);
		case 2: return pow(2, 10);
		case 3: return imported(0) + 1;
		case 4: return functions[i & 1](10) + functions[1](20);
		case 5: return hidden(shared);
		case 6: zeroes[4999] += counter++; return zeroes[4999];
		case 7: memset(zeroes, 1, 4); return zeroes[0];
		}
		return -1;
	}`

func TestLinkedCodeRuns(t *testing.T) {
	so, err := Link([][]byte{compile(t, everything)}, System())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, os.WriteFile(path, so, 0o755))
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	require.NoError(t, err)
	defer purego.Dlclose(handle)
	var values func(int32) float64
	purego.RegisterLibFunc(&values, handle, "values")
	for i, want := range []float64{3, 1, 1024, 2, 33, 15, 7, 0x01010101, -1} {
		require.Equal(t, want, values(int32(i)), "case %d", i)
	}
	shared, err := purego.Dlsym(handle, "shared")
	require.NoError(t, err)
	require.Equal(t, int32(5), **(**int32)(unsafe.Pointer(&shared)))
	_, err = purego.Dlsym(handle, "hidden")
	require.Error(t, err)
	runtime.KeepAlive(so)
}

func TestToolsReadLinkedFiles(t *testing.T) {
	so, err := Link([][]byte{compile(t, everything)}, System())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, os.WriteFile(path, so, 0o755))
	out, err := exec.Command("readelf", "-W", "--dyn-syms", "-d", "-V", path).CombinedOutput()
	require.NoError(t, err)
	require.NotContains(t, string(out), "arning")
	require.Contains(t, string(out), "exp@GLIBC_2.29") // the default version, not the oldest
	require.Contains(t, string(out), "libm.so.6")
}

func TestUndefinedSymbolsAreNamed(t *testing.T) {
	_, err := Link([][]byte{compile(t, "int nowhere(int), also(int); int f(int x) { return nowhere(x) + also(x) + nowhere(1); }")}, System())
	require.Equal(t, UndefinedError{"nowhere", "also"}, err)
}

func TestOtherObjectsAreLeftToALinker(t *testing.T) {
	_, err := Link([][]byte{compile(t, "__thread int x; int f(void) { return x++; }")}, nil)
	require.ErrorIs(t, err, ErrUnsupported)
	_, err = Link([][]byte{[]byte("not ELF")}, nil)
	require.Error(t, err)
}

func TestObjectsKeepTheirOwnVariables(t *testing.T) {
	so, err := Link([][]byte{
		compile(t, "double exp(double); static int n = 1; int one(void) { return n++ + exp(0); }"),
		compile(t, "double exp(double); static int n = 10; int two(void) { return n++ + exp(0); }"),
	}, System())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, os.WriteFile(path, so, 0o755))
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	require.NoError(t, err)
	defer purego.Dlclose(handle)
	var one, two func() int32
	purego.RegisterLibFunc(&one, handle, "one")
	purego.RegisterLibFunc(&two, handle, "two")
	require.Equal(t, []int32{2, 11, 3, 12}, []int32{one(), two(), one(), two()})
}
