package runner

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aqueduct/conformance"
)

// job is one run of an entry.
type job struct {
	entry conformance.Entry
	run   conformance.Run
	path  string   // of the binary
	tests []string // to run; a single "" when the binary is one test
}

func (j *job) title() string { return title(j.entry.Name, j.run.Name) }

// result is a Result of this job.
func (j *job) result(test string, status Status, why string) Result {
	return Result{Area: j.entry.Area, Entry: j.entry.Name, Run: j.run.Name, Test: test, Status: status, Why: why}
}

// plan makes the jobs of a mode, and the results of what cannot or is not to be run. done are results that stand.
func (c *Config) plan(done map[string]bool) ([]*job, []Result, error) {
	var jobs []*job
	var settled []Result
	for _, e := range c.Entries {
		if why := e.WhyLeftOut("*"); len(e.Runs) == 0 && c.wants(e.Name, "") {
			settled = append(settled, Result{Area: e.Area, Entry: e.Name, Status: LeftOut, Why: why})
		}
		for _, r := range e.Runs {
			if !slices.Contains(r.In, c.Info.Mode) {
				continue
			}
			j := &job{entry: e, run: r, path: filepath.Join(c.Dir, e.Binary)}
			fixed, err := c.fill(j, done)
			if err != nil {
				return nil, nil, err
			}
			settled = append(settled, fixed...)
			if len(j.tests) > 0 {
				jobs = append(jobs, j)
			}
		}
	}
	settled = slices.DeleteFunc(settled, func(r Result) bool { return done[r.ID()] })
	return jobs, settled, nil
}

// fill finds the sub-tests of a job: those of the manifest and those the binary itself lists.
func (c *Config) fill(j *job, done map[string]bool) ([]Result, error) {
	var settled []Result
	names := j.entry.Tests
	own := []string(nil)
	missing := ""
	if info, err := os.Stat(j.path); err != nil || info.Mode()&0o111 == 0 {
		missing = "there is no binary " + j.entry.Binary
	} else if len(names) > 0 {
		if own, err = c.list(j.path); err != nil {
			missing = err.Error()
		}
	}
	if len(names) == 0 {
		names = []string{""}
	}
	for _, n := range own {
		if !slices.Contains(names, n) {
			names = append(slices.Clip(names), n) // newer than the manifest: it is run all the same
		}
	}
	for _, n := range names {
		if !j.run.Wants(n) || !c.wants(j.title(), n) || done[j.id(n)] {
			continue
		}
		why := j.entry.WhyLeftOut(n)
		switch {
		case why != "":
			settled = append(settled, j.result(n, LeftOut, why))
		case missing != "":
			settled = append(settled, j.result(n, NotRun, missing))
		case n != "" && !slices.Contains(own, n):
			settled = append(settled, j.result(n, NotRun, "the binary has no sub-test of this name"))
		default:
			j.tests = append(j.tests, n)
		}
	}
	return settled, nil
}

func (j *job) id(test string) string {
	r := j.result(test, "", "")
	return r.ID()
}

// wants reports whether Only asks for a sub-test of a run of an entry, or, without a test, for any of the run.
func (c *Config) wants(title, test string) bool {
	if len(c.Only) == 0 {
		return true
	}
	return slices.ContainsFunc(c.Only, func(pattern string) bool {
		p, t, both := strings.Cut(pattern, "/")
		name, _, _ := strings.Cut(title, " [")
		return (conformance.Match(p, title) || conformance.Match(p, name)) && (!both || test == "" || conformance.Match(t, test))
	})
}

// list asks a binary for the names of its sub-tests.
func (c *Config) list(path string) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--list")
	cmd.Dir = filepath.Dir(path)
	cmd.Env, cmd.WaitDelay = c.environment(), time.Second
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s --list: %w", filepath.Base(path), err)
	}
	var names []string
	for _, line := range strings.Split(string(text), "\n") {
		// Each stands behind a tab; other lines are not names.
		if name, ok := strings.CutPrefix(line, "\t"); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names, nil
}
