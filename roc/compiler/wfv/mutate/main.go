// Command mutate puts deliberate faults into the vectoriser, one at a time, and says which the tests find: random kernels of a
// hundred seeds, and the forms of chosen kernels. A kernel that does not end is found by the time limit. Run it in the root of
// the module; arguments are parts of names. Faults live in an overlay of the build: no file is touched.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	folder = "roc/compiler/wfv"
	seeds  = "0-100"
)

func main() {
	var missed []string
	for _, m := range mutations {
		if !chosen(m.name, os.Args[1:]) {
			continue
		}
		start := time.Now()
		found, err := m.found()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", m.name, err)
			os.Exit(2)
		}
		verdict := "found "
		if !found {
			verdict = "MISSED"
			missed = append(missed, m.name)
		}
		fmt.Printf("%s %6.1f s  %s: %s\n", verdict, time.Since(start).Seconds(), m.file, m.name)
	}
	if len(missed) > 0 {
		os.Exit(1)
	}
}

func chosen(name string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(name, p) {
			return true
		}
	}
	return len(parts) == 0
}

// apply returns the faulty file.
func (m mutation) apply(root string) (path string, text []byte, err error) {
	if path, err = filepath.Abs(filepath.Join(root, m.file)); err != nil {
		return "", nil, err
	}
	if text, err = os.ReadFile(path); err != nil {
		return "", nil, err
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		return "", nil, fmt.Errorf("%s has %q %d times", m.file, m.old, n)
	}
	return path, bytes.Replace(text, []byte(m.old), []byte(m.new), 1), nil
}

// found says whether the tests fail with the fault. That they do not build is an error.
func (m mutation) found() (bool, error) {
	path, text, err := m.apply(folder)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	faulty := filepath.Join(dir, m.file)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: faulty}})
	if err != nil {
		return false, err
	}
	settings, test := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "wfv.test")
	if err := errors.Join(os.WriteFile(faulty, text, 0o600), os.WriteFile(settings, overlay, 0o600)); err != nil {
		return false, err
	}
	build := exec.Command("go", "test", "-overlay", settings, "-c", "-o", test, "./"+folder)
	if out, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	// The quick ones first, which end in minutes unless a kernel does not. Random kernels see to their own.
	for _, flags := range [][]string{{"-test.run=Forms|Halves|Touched|LoopsOfAtomics|OnOnePlace|Across|Three|Divisions|ShortVectors|NarrowNumbers", "-test.timeout=10m"}, {"-test.run=Random", "-test.timeout=0"}} {
		run := exec.Command(test, append(flags, "-test.failfast")...)
		run.Dir = folder
		run.Env = append(os.Environ(), "AQUEDUCT_FUZZ_SEEDS="+seeds)
		var failed *exec.ExitError
		if err := run.Run(); errors.As(err, &failed) {
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
	return false, nil
}
