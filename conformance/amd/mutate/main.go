// Command mutate puts deliberate faults into the path to AMD's GPUs, one at a time, and says whether the test that ought to find each
// does (make mutate-amd, FAULT="part of a name" for some). Run it in the root of the module, with build/ up to date. Faults live in an overlay of the build: no file
// is touched.
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
)

// mutation is a fault: in a file, old becomes new; a test of package conformance/amd is to find it.
type mutation struct {
	name, file, old, new, test string
}

const programs = "./conformance/amd"

var mutations = []mutation{
	{"no barrier bits", "roc/encode.go", "hsa.Header(t, w.barrier, hsa.ScopeSystem, scope)", "hsa.Header(t, false, hsa.ScopeSystem, scope)",
		"TestPrograms/what_waits_for_something_comes_after_it"},
	{"a launch without its completion signal", "roc/encode.go", "p.Completion = completion\n\tw.publish(hsa.PacketKernelDispatch, uint16(d.Dims), completion)",
		"p.Completion = 0\n\tw.publish(hsa.PacketKernelDispatch, uint16(d.Dims), completion)", "TestPrograms/what_waits_for_something_comes_after_it"},
	{"a hidden argument that is not set", "roc/slice.go", "h.BlockCount[i] = uint32(d.Global[i] / d.Local[i])", "h.BlockCount[i] = 0",
		"TestPrograms/kernels_are_told_what_they_should_be"},
	{"no group segment", "roc/encode.go", "p.GroupSegmentSize = d.Args.local", "p.GroupSegmentSize = 0",
		"TestPrograms/kernels_are_told_what_they_should_be"},
	{"no release fence", "roc/encode.go", "\tscope := hsa.ScopeAgent\n\tif completion != 0 {\n\t\tscope = hsa.ScopeSystem\n\t}", "\tscope := hsa.ScopeNone",
		"TestPrograms/what_waits_for_something_comes_after_it"},
	{"no acquire fence", "roc/encode.go", "w.barrier, hsa.ScopeSystem, scope)", "w.barrier, hsa.ScopeNone, scope)",
		"TestPrograms/what_waits_for_something_comes_after_it"},
	{"no release beyond the agent", "roc/encode.go", "scope = hsa.ScopeSystem", "scope = hsa.ScopeAgent",
		"TestCopiesByEnginesAndByKernels/by_engines"},
	{"a hidden argument of code object v4 that is elsewhere", "roc/compiler/codeobject/hidden.go", `"hidden_global_offset_y":  {From: 48,`,
		`"hidden_global_offset_y":  {From: 56,`, "TestCodeObjectsOfOtherCompilersRun/version_4"},
	{"a sub-device on all compute units", "roc/rocr/queue.go", "err == nil && a.units != nil", "err == nil && false",
		"TestPrograms/queues_of_sub-devices_keep_to_their_compute_units"},
	{"a copy of an engine that nothing waits for", "roc/engine.go", "w.wait([]hsa.Signal{c.done.signal}, completion)", "w.wait(nil, completion)",
		"TestCopiesByEnginesAndByKernels/by_engines"},
	{"a copy of an engine that waits for nothing", "roc/engine.go", "w.wait(nil, c.ready.signal)", "w.barrier = false\n\t\tw.wait(nil, c.ready.signal)",
		"TestCopiesByEnginesAndByKernels/by_engines"},
}

func main() {
	missed, sound := false, map[string]bool{}
	for _, m := range mutations {
		if len(os.Args) > 1 && !strings.Contains(m.name, os.Args[1]) {
			continue
		}
		if !sound[m.test] {
			if failed, err := m.fails("build/libaqueduct.so"); failed || err != nil {
				fmt.Fprintf(os.Stderr, "%s fails without a fault, or cannot be run: %v\n", m.test, err)
				os.Exit(2)
			}
			sound[m.test] = true
		}
		found, err := m.found()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", m.name, err)
			os.Exit(2)
		}
		verdict := "found "
		if !found {
			verdict, missed = "MISSED", true
		}
		fmt.Printf("%s by %s: %s\n", verdict, m.test, m.name)
	}
	if missed {
		os.Exit(1)
	}
}

// found says whether the test fails with the fault. That the driver does not build is an error.
func (m mutation) found() (bool, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return false, err
	}
	driver := filepath.Join(dir, "libaqueduct.so")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-buildmode=c-shared", "-o", driver, "./icd").CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	return m.fails(driver)
}

// fails says whether the test fails with a driver.
func (m mutation) fails(driver string) (bool, error) {
	driver, err := filepath.Abs(driver)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	icd := filepath.Join(dir, "aqueduct.icd")
	compiler, err := filepath.Abs("build/aqueductc")
	if err := errors.Join(err, os.WriteFile(icd, []byte(driver+"\n"), 0o600)); err != nil {
		return false, err
	}
	test := exec.Command("go", "test", "-count=1", "-run", m.test, "-tags", "amd", programs)
	test.Env = append(os.Environ(), "AMD_ICD="+icd, "AMD_LIMIT=40s", "AQUEDUCT_COMPILER="+compiler)
	out, err := test.CombinedOutput()
	if bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("no tests to run")) {
		return false, fmt.Errorf("%s", out)
	}
	return err != nil, nil
}

// overlay writes the faulty file, and what has the build take it, into dir.
func (m mutation) overlay(dir string) (string, error) {
	path, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		return "", fmt.Errorf("%s has %q %d times", m.file, m.old, n)
	}
	faulty, list := filepath.Join(dir, "faulty.go"), filepath.Join(dir, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: faulty}})
	if err != nil {
		return "", err
	}
	return list, errors.Join(os.WriteFile(faulty, bytes.Replace(text, []byte(m.old), []byte(m.new), 1), 0o600), os.WriteFile(list, overlay, 0o600))
}
