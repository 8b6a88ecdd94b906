package frontend

import (
	"errors"
	"os/exec"
	"sync"
)

// ErrNoLinker is returned when no linker is installed.
var ErrNoLinker = errors.New("no linker is installed")

// linkers are the places of a linker, in order of preference.
var linkers = []string{"/usr/lib/llvm-19/bin/ld.lld", "ld.lld-19", "ld.lld", "ld"}

// Linker is the path of the linker to run, the first one there is.
var Linker = sync.OnceValues(func() (string, error) {
	for _, l := range linkers {
		if path, err := exec.LookPath(l); err == nil {
			return path, nil
		}
	}
	return "", ErrNoLinker
})
