package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// compilerProcess builds aqueductc and its builtins beside the library, where the driver looks for it, once.
var compilerProcess = sync.OnceValue(func() error {
	so, err := library()
	if err != nil {
		return err
	}
	bin := filepath.Join(filepath.Dir(so), "aqueductc")
	if out, err := exec.Command("go", "build", "-o", bin, "../roc/compiler/aqueductc").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if out, err := exec.Command(bin, "builtins", filepath.Join(filepath.Dir(so), "builtins")).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// TestObjects runs the C programs of testdata that need a compiler.
func TestObjects(t *testing.T) {
	for _, name := range []string{"memory", "program", "threads", "print", "collectives", "subgroups", "intelsubgroups", "images", "commandbuffer", "external", "svm", "huge", "filelimit"} {
		t.Run(name, func(t *testing.T) {
			_, icd := ours(t)
			require.NoError(t, compilerProcess())
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			out, code := run(t, icd, compile(t, name))
			require.Zero(t, code, "%s", out)
			require.NotContains(t, out, "FAIL")
		})
	}
}
