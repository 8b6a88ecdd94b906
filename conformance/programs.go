// Package conformance shows how far the driver can be trusted: host programs of our own that go through the ordinary ICD
// loader (programs/), and what runs them.
package conformance

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed programs
var programs embed.FS

// Names lists our programs in alphabetical order.
func Names() []string {
	entries, err := programs.ReadDir("programs")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".c"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Build compiles the named program with gcc into dir and returns the path of the binary.
func Build(dir, name string) (string, error) {
	text, err := programs.ReadFile("programs/" + name + ".c")
	if err != nil {
		return "", err
	}
	return BuildSource(dir, name, text)
}

// BuildSource is Build for a program that is not one of ours but stands on their host.h and kernels, and on headers in more folders.
func BuildSource(dir, name string, text []byte, include ...string) (string, error) {
	src := filepath.Join(dir, "src")
	if err := os.CopyFS(src, programs); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	src = filepath.Join(src, "programs")
	if err := os.WriteFile(filepath.Join(src, name+".c"), text, 0o644); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, name)
	args := []string{"-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-o", bin, name + ".c", "-lOpenCL", "-lm"}
	for _, folder := range append(include, ".") {
		args = append(args, "-I", folder)
	}
	gcc := exec.Command("gcc", args...)
	gcc.Dir = src
	if out, err := gcc.CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc %s: %w\n%s", name, err, out)
	}
	return bin, nil
}

// BuildPrograms builds all programs into dir and returns what a manifest would say of them: each is one test, run small, as
// simulated devices want it, and in full.
func BuildPrograms(dir string) ([]Entry, error) {
	var entries []Entry
	for _, name := range Names() {
		if _, err := Build(dir, name); err != nil {
			return nil, err
		}
		const limit = 5 * time.Minute
		entries = append(entries, Entry{Area: "Our own programs", Name: name, Binary: name, Runs: []Run{
			{Name: "small", In: Words{"quick", "full"}, Flags: Words{"small"}, Limit: limit},
			{In: Words{"quick", "full"}, Limit: limit, Alone: true},
		}})
	}
	return entries, nil
}
