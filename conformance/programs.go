// Package conformance shows how far the driver can be trusted: host programs of our own that go through the ordinary ICD
// loader (programs/), and what runs them.
package conformance

import (
	"context"
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

// Result is the outcome of one program.
type Result struct {
	Name string
	OK   bool
	Line string        // the program's own last line, or why there is none
	Time time.Duration // of the whole process
}

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

// BuildSource is Build for a program that is not one of ours but stands on their host.h and kernels.
func BuildSource(dir, name string, text []byte) (string, error) {
	src := filepath.Join(dir, "src")
	if err := os.CopyFS(src, programs); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	src = filepath.Join(src, "programs")
	if err := os.WriteFile(filepath.Join(src, name+".c"), text, 0o644); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, name)
	gcc := exec.Command("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-o", bin, name+".c", "-lOpenCL", "-lm")
	gcc.Dir = src
	if out, err := gcc.CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc %s: %w\n%s", name, err, out)
	}
	return bin, nil
}

// Run runs a program built by Build on the drivers that icd, a file or directory as OCL_ICD_VENDORS wants it, registers.
// It is ended after limit.
func Run(bin, icd string, limit time.Duration, args ...string) Result {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+icd)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	r := Result{Name: filepath.Base(bin), Time: time.Since(start)}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	r.Line = lines[len(lines)-1]
	r.OK = err == nil && strings.HasPrefix(r.Line, "ok")
	if ctx.Err() != nil {
		r.Line = fmt.Sprintf("still running after %v", limit)
	} else if err != nil && !strings.HasPrefix(r.Line, "FAIL") {
		r.Line = fmt.Sprintf("%v: %s", err, r.Line)
	}
	return r
}
