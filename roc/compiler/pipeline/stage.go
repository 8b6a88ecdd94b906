package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/settings"
)

// stages counts them.
var stages atomic.Int32

// stage writes what a module is at a stage of its translation into the folder of AQUEDUCT_STAGES, if that is set: the source as clang
// sees it, linked with the builtins, and then what package wfv and the optimiser make of it. A build that ends without code did so
// behind its last file.
func stage(m llvm.Module, name string) {
	dir := settings.Stages.Value()
	if dir == "" {
		return
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		file := fmt.Sprintf("%d.%04d-%s.ll", os.Getpid(), stages.Add(1), name)
		err = os.WriteFile(filepath.Join(dir, file), []byte(m.String()), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "AQUEDUCT_STAGES:", err)
	}
}
