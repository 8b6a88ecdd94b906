package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/pipeline/elflink"
)

// libraries are what native kernels may call: the C library's elementary functions, scalar and vector, and its memcpy; and what
// LLVM takes to be there where the processor lacks an instruction, as to round a double to a half.
var libraries = sync.OnceValue(func() (libs []*elflink.Library) {
	for _, name := range []string{"libm.so.6", "libmvec.so.1", "libc.so.6", "libgcc_s.so.1"} {
		for _, dir := range []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"} {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				libs = append(libs, &elflink.Library{Path: path})
				break
			}
		}
	}
	return libs
})

// sharedObject links object files, which use nothing of each other, into a shared object. A symbol that nothing defines is an
// error.
func sharedObject(ctx context.Context, objects [][]byte) ([]byte, error) {
	so, err := elflink.Link(objects, libraries())
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
	for _, l := range libraries() {
		args = append(args, l.Path)
	}
	if text, err := exec.CommandContext(ctx, linker, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("linker: %w\n%s", err, text)
	}
	return os.ReadFile(out)
}
