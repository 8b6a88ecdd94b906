package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

var testSources = fstest.MapFS{
	"common.h": {Data: []byte("#define OVERLOAD __attribute__((overloadable))\n")},
	"one.cl": {Data: []byte("#include \"common.h\"\nint helper(int);\n" +
		"int OVERLOAD first(int x) { return helper(x) + 1; }\nint OVERLOAD first(float x) { return 7; }\nstatic int own(int x) { return x; }\n")},
	"two.cl": {Data: []byte("#include \"common.h\"\nint helper(int x) { return 2 * x; }\nint OVERLOAD second(int x) { return x; }\n")},
}

func buildLibrary(t *testing.T, sources fstest.MapFS, dir string) (*Library, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := BuildLibrary(ctx, sources, dir); err != nil {
		return nil, err
	}
	return OpenLibrary(dir)
}

func TestOnlyWhatIsCalledIsLinked(t *testing.T) {
	l, err := buildLibrary(t, testSources, t.TempDir())
	require.NoError(t, err)
	for symbol, module := range map[string]string{
		"_Z5firsti": "one.bc", "_Z5firstf": "one.bc", "helper": "two.bc", "_Z6secondi": "two.bc",
		"own": "", "_Z5first": "", "": "", "zzz": "", "A": "",
	} {
		require.Equal(t, module, l.find(symbol), symbol)
	}
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseIR("declare i32 @_Z5firsti(i32)\ndeclare void @other()\ndefine i32 @f(i32 %x) {\n %r = call i32 @_Z5firsti(i32 %x)\n call void @other()\n ret i32 %r\n}")
	require.NoError(t, err)
	defer m.Dispose()
	require.NoError(t, l.Link(m, workgroup.LinkedLate))
	defined := map[string]bool{}
	for _, f := range m.Functions() {
		defined[f.Name()] = !f.IsDeclaration()
	}
	require.Equal(t, map[string]bool{"f": true, "_Z5firsti": true, "helper": true, "other": false}, defined)
	require.NoError(t, m.Verify())
}

func TestUnchangedModulesAreNotBuiltAgain(t *testing.T) {
	dir := t.TempDir()
	stamp := func(name string) time.Time {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		return info.ModTime()
	}
	_, err := buildLibrary(t, testSources, dir)
	require.NoError(t, err)
	one, two, index := stamp("one.bc"), stamp("two.bc"), stamp(indexName)
	_, err = buildLibrary(t, testSources, dir)
	require.NoError(t, err)
	require.Equal(t, one, stamp("one.bc"))
	require.Equal(t, index, stamp(indexName), "programs that are cached were built with this library")
	edited := fstest.MapFS{"common.h": testSources["common.h"], "two.cl": testSources["two.cl"],
		"one.cl": {Data: append(testSources["one.cl"].Data, "int third(void) { return 3; }\n"...)}}
	l, err := buildLibrary(t, edited, dir)
	require.NoError(t, err)
	require.NotEqual(t, one, stamp("one.bc"))
	require.Equal(t, two, stamp("two.bc"))
	require.NotEqual(t, index, stamp(indexName))
	require.Equal(t, "one.bc", l.find("third"))
	require.Equal(t, "two.bc", l.find("helper"))
}

func TestASymbolDefinedTwiceIsRefused(t *testing.T) {
	_, err := buildLibrary(t, fstest.MapFS{"a.cl": {Data: []byte("int f(void) { return 1; }")}, "b.cl": {Data: []byte("int f(void) { return 2; }")}}, t.TempDir())
	require.ErrorContains(t, err, "both define f")
}

func TestAModuleThatDoesNotCompileIsNamed(t *testing.T) {
	_, err := buildLibrary(t, fstest.MapFS{"a.cl": {Data: []byte("int f(void) { return x; }")}}, t.TempDir())
	require.ErrorContains(t, err, "a.cl:1:22")
}
