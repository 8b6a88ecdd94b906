package frontend

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const small = "#include \"h.h\"\n#warning here\nkernel void k(global int *o) { *o = X; }"

// withMould has clangs be copies of a mould until the test ends.
func withMould(t *testing.T) {
	t.Helper()
	library, err := BuildMould(t.Context())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mould.so")
	require.NoError(t, os.WriteFile(file, library, 0o644))
	UseMould(file)
	t.Cleanup(func() {
		Release()
		mould.library = ""
	})
}

// working says whether there is a mould that works, as far as is known.
func working() bool {
	mould.Lock()
	defer mould.Unlock()
	return mould.library != "" && mould.running
}

func TestACopyOfTheMouldDoesWhatAClangOfItsOwnDoes(t *testing.T) {
	u := Unit{Dir: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(u.Dir, "h.h"), []byte("#define X 1\n"), 0o644))
	alone, failed := compile(t, u, small, ""), compile(t, u, "#error no", "")
	withMould(t)
	for range 3 {
		require.Equal(t, alone, compile(t, u, small, ""))
		require.Equal(t, failed, compile(t, u, "#error no", ""))
		require.True(t, working())
	}
}

func TestCopiesOfTheMouldRunSideBySide(t *testing.T) {
	withMould(t)
	var wg sync.WaitGroup
	outs := make([]*Output, 8)
	for i := range outs {
		wg.Go(func() { outs[i] = compile(t, Unit{}, "kernel void k(global int *o) { *o = 1; }", "") })
	}
	wg.Wait()
	for _, out := range outs {
		require.NotEmpty(t, out.Bitcode, out.Log)
		require.Equal(t, outs[0].Bitcode, out.Bitcode)
	}
	require.True(t, working())
}

func TestACopyOfTheMouldEndsWhenItsBuildDoes(t *testing.T) {
	withMould(t)
	clang, err := Clang()
	require.NoError(t, err)
	c, err := spawn(clang)
	require.NoError(t, err)
	require.True(t, working())
	stop := make(chan struct{})
	close(stop)
	var exit *exec.ExitError
	require.ErrorAs(t, c.run(nil, nil, stop), &exit)
}

func TestAMouldThatEndedIsReplaced(t *testing.T) {
	withMould(t)
	Prepare()
	Release()
	require.False(t, working())
	require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
	require.True(t, working())
}

func TestAClangThatIsNoMouldIsUsedAsItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mould.so")
	require.NoError(t, os.WriteFile(file, []byte("no library"), 0o644))
	UseMould(file)
	require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
	require.False(t, working())
}

func TestAScriptThatRunsClangMayBeTheMould(t *testing.T) {
	withMould(t)
	clang, err := Clang()
	require.NoError(t, err)
	script := filepath.Join(t.TempDir(), "clang")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec "+clang+" \"$@\"\n"), 0o755))
	c, err := spawn(script)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, c.run([]string{"-x", "cl", "-emit-llvm-bc", "-o", "-", "-"}, []byte("kernel void k() {}"), ctx.Done()), c.log.String())
	require.NotEmpty(t, c.bitcode.Bytes())
}
