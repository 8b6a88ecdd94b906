// Command show is what `make run` ends in: clinfo's summary of the driver, each conformance program, and clpeak, as a table
// with times and a tick or a cross each. Its exit status is zero only when all passed.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"aqueduct/conformance"
	"aqueduct/conformance/runner"
)

const limit = 5 * time.Minute

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: show DRIVER.icd")
		os.Exit(2)
	}
	icd, err := filepath.Abs(os.Args[1])
	if err == nil {
		err = os.Setenv("OCL_ICD_VENDORS", icd)
	}
	if err == nil {
		err = show(icd)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(icd string) error {
	failed := 0
	text, err := tool("clinfo")
	row(err == nil, "clinfo", "", 0)
	if err != nil {
		return fmt.Errorf("clinfo: %w\n%s", err, text)
	}
	for _, line := range summary(text) {
		fmt.Println("    " + line)
	}
	dir, err := os.MkdirTemp("", "aqueduct-programs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	entries, err := conformance.BuildPrograms(dir)
	if err != nil {
		return err
	}
	report, err := runner.Run(context.Background(), &runner.Config{Entries: entries, Dir: dir, Out: filepath.Join(dir, "out"),
		Info: runner.Info{ICD: icd, Mode: "quick"}, Jobs: 1, Show: rows{}})
	if err != nil {
		return err
	}
	failed += report.Count().Bad()
	start := time.Now()
	text, err = tool("clpeak")
	ok := err == nil && !regexp.MustCompile(`(?i)error|fail`).MatchString(text)
	row(ok, "clpeak", "", time.Since(start))
	if !ok {
		failed++
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fmt.Println("    " + line)
	}
	if failed > 0 {
		return fmt.Errorf("%d failed", failed)
	}
	return nil
}

// rows shows the results of the programs in full, and of the small ones what is bad.
type rows struct{}

func (rows) Plan(int)             {}
func (rows) Begin(string, string) {}
func (rows) Finish(string)        {}
func (rows) End()                 {}
func (rows) Done(r runner.Result, _ bool) {
	if bad := r.Status.Bad(); bad || r.Run == "" {
		line := r.Why
		if bad {
			line += " " + strings.Join(r.Tail, " ")
		}
		row(!bad, r.Title(), line, time.Duration(r.Seconds*float64(time.Second)))
	}
}

func row(ok bool, name, line string, took time.Duration) {
	mark := "✓"
	if !ok {
		mark = "✗"
	}
	total := ""
	if took > 0 {
		total = fmt.Sprintf("%6.2f s", took.Seconds())
	}
	fmt.Printf("%s %-12s %9s   %s\n", mark, name, total, line)
}

func tool(name string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	out, err := exec.CommandContext(ctx, name).CombinedOutput()
	return string(out), err
}

// summary picks from clinfo's output the lines that say what the driver is.
func summary(text string) []string {
	want := regexp.MustCompile(`^\s*(Platform Name|Platform Version|Device Name|Device Version|Driver Version|Device OpenCL C Version|Max compute units|Max work group size|Global memory size|Local memory size)  `)
	seen := map[string]bool{}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if want.MatchString(line) && !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	return lines
}
