package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/pipeline/elflink"
)

// sharedObject links object files, which use nothing of each other, into a shared object. A symbol that nothing defines is an
// error.
func sharedObject(ctx context.Context, objects [][]byte) ([]byte, error) {
	so, err := elflink.Link(objects, elflink.System())
	if errors.Is(err, elflink.ErrUnsupported) {
		return externalLink(ctx, objects)
	}
	return so, err
}

// externalLink is sharedObject by a linker of the system.
func externalLink(ctx context.Context, objects [][]byte) ([]byte, error) {
	linker, err := frontend.Linker()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "aqueduct-link-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.so")
	args := []string{"-shared", "-z", "defs", "-z", "now", "--build-id=none", "-o", out}
	for i, o := range objects {
		in := filepath.Join(dir, fmt.Sprintf("%d.o", i))
		if err := os.WriteFile(in, o, 0o600); err != nil {
			return nil, err
		}
		args = append(args, in)
	}
	args = append(args, "--as-needed")
	for _, l := range elflink.System() {
		args = append(args, l.Path)
	}
	if text, err := exec.CommandContext(ctx, linker, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("linker: %w\n%s", err, text)
	}
	return os.ReadFile(out)
}
