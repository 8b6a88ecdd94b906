package pipeline

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// linkers are the places of the linker, in order of preference.
var linkers = []string{"/usr/lib/llvm-19/bin/ld.lld", "ld.lld-19", "ld.lld", "ld"}

var linker = sync.OnceValues(func() (string, error) {
	for _, l := range linkers {
		if path, err := exec.LookPath(l); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no linker is installed")
})

// libraries are what native kernels may call: the C library's elementary functions, scalar and vector.
var libraries = []string{"libm.so.6", "libmvec.so.1", "libc.so.6"}

// libraryDirs are where they are looked for.
var libraryDirs = []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"}

// sharedObject links an object file into a shared object. A symbol that nothing defines is an error.
func sharedObject(ctx context.Context, object []byte) ([]byte, error) {
	ld, err := linker()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "aqueduct-link-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in.o"), filepath.Join(dir, "out.so")
	if err := os.WriteFile(in, object, 0o600); err != nil {
		return nil, err
	}
	args := []string{"-shared", "-z", "defs", "-z", "now", "--hash-style=gnu", "--build-id=none", "-o", out, in, "--as-needed"}
	for _, name := range libraries {
		for _, d := range libraryDirs {
			if path := filepath.Join(d, name); exists(path) {
				args = append(args, path)
				break
			}
		}
	}
	if text, err := exec.CommandContext(ctx, ld, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("linker: %w\n%s", err, text)
	}
	return os.ReadFile(out)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
