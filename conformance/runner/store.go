package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// store keeps a run on disk: results.jsonl, whose first line is the Info and every other one a Result, written as they come.
type store struct {
	report *Report
	dir    string
	file   *os.File
}

const resultsName = "results.jsonl"

// openStore opens c.Out: the run that is there if it is to be resumed, else a new one.
func openStore(c *Config) (*store, error) {
	s := &store{dir: c.Out}
	name := filepath.Join(c.Out, resultsName)
	old, err := Load(c.Out)
	switch {
	case err == nil && c.Resume:
		if old.Info.ICD != c.Info.ICD || old.Info.Mode != c.Info.Mode || old.Info.Index != c.Info.Index {
			return nil, fmt.Errorf("cannot resume: %s is of %s, mode %s, device %d", c.Out, old.Info.ICD, old.Info.Mode, old.Info.Index)
		}
		// What was not run for want of time or a binary is tried again.
		kept := old.Results[:0]
		for _, r := range old.Results {
			if r.Status != NotRun {
				kept = append(kept, r)
			}
		}
		c.Info.Start, c.Info.Time = old.Info.Start, old.Info.Time
		s.report = &Report{Info: c.Info, Results: kept}
		return s, s.rewrite()
	case err == nil:
		previous := c.Out + ".previous"
		if err := os.RemoveAll(previous); err != nil {
			return nil, err
		}
		if err := os.Rename(c.Out, previous); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.report = &Report{Info: c.Info}
	return s, s.rewrite()
}

// rewrite writes the whole file anew and leaves it open for what is to come.
func (s *store) rewrite() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, resultsName+"-")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	err = e.Encode(s.report.Info)
	for _, r := range s.report.Results {
		err = errors.Join(err, e.Encode(r))
	}
	if err = errors.Join(err, w.Flush(), f.Chmod(0o644), os.Rename(f.Name(), filepath.Join(s.dir, resultsName))); err != nil {
		f.Close()
		return err
	}
	s.close()
	s.file = f
	return nil
}

func (s *store) add(r Result) error {
	s.report.Results = append(s.report.Results, r)
	return json.NewEncoder(s.file).Encode(r)
}

// sum brings the time in the file's first line up to date.
func (s *store) sum() error { return s.rewrite() }

func (s *store) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// Load reads the run that is in a directory of results. A last line that was cut off is left away.
func Load(dir string) (*Report, error) {
	text, err := os.ReadFile(filepath.Join(dir, resultsName))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	r := new(Report)
	if err := json.Unmarshal([]byte(lines[0]), &r.Info); err != nil {
		return nil, err
	}
	for _, line := range lines[1:] {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		var result Result
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			return nil, err
		}
		r.Results = append(r.Results, result)
	}
	return r, nil
}
