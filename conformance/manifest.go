package conformance

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

//go:embed *.yaml
var manifest embed.FS

// Entry is one binary of the manifest: what is in it, what that needs, and the ways it is run.
type Entry struct {
	Area   string // heading it stands under in the report
	Name   string // unique
	Binary string // path in the directory of built binaries; it is run in the directory it lies in

	Tests   Words             // its sub-tests by name; none if the whole binary is one test
	Needs   map[string]Words  // pattern of sub-tests → OpenCL features without which they may skip (see Features)
	LeftOut map[string]string `yaml:"left-out"` // pattern of sub-tests → why they are not run
	Runs    []Run
}

// Run is one way in which a binary is run.
type Run struct {
	Name  string        // told apart by it from the other runs of the entry; may be empty
	In    Words         // the modes it belongs to: Modes
	Flags Words         // arguments before the names of the sub-tests
	Only  Words         // patterns of sub-tests; empty for all
	Limit time.Duration // for the whole binary
	Each  time.Duration // for one sub-test; 0 for Limit
	Alone bool          // nothing else may run meanwhile: it measures time, or takes most of the memory
}

// Modes of a run of the manifest: quick sees every area in minutes, full is everything that conformance asks for.
var Modes = []string{"quick", "full"}

// Words is a list that the manifest writes as one text, separated by spaces and line ends.
type Words []string

// UnmarshalYAML splits the text.
func (w *Words) UnmarshalYAML(n *yaml.Node) error {
	var text string
	if err := n.Decode(&text); err != nil {
		return err
	}
	*w = strings.Fields(text)
	return nil
}

// Manifest reads the entries of the manifest file called name (without .yaml), or of every file whose name starts with it.
func Manifest(name string) ([]Entry, error) {
	files, err := manifest.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), name) {
			continue
		}
		text, err := manifest.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		entries, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		all = append(all, entries...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no manifest is called %s", name)
	}
	return all, check(all)
}

// parse reads documents, each of which is an area and its entries.
func parse(text []byte) ([]Entry, error) {
	var all []Entry
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	for {
		var doc struct {
			Area    string
			Entries []Entry
		}
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		for _, e := range doc.Entries {
			e.Area = doc.Area
			all = append(all, e)
		}
	}
}

// check finds what a reader of the manifest could not make sense of.
func check(entries []Entry) error {
	names := map[string]bool{}
	for _, e := range entries {
		if e.Name == "" || e.Area == "" || names[e.Name] {
			return fmt.Errorf("entry %q: a name and an area are needed, and the name once only", e.Name)
		}
		names[e.Name] = true
		if whole := e.LeftOut["*"]; len(e.Runs) == 0 && whole == "" {
			return fmt.Errorf("%s: is not run, and no reason is given", e.Name)
		}
		for pattern, reason := range e.LeftOut {
			if reason == "" {
				return fmt.Errorf("%s: no reason why %s is left out", e.Name, pattern)
			}
			if pattern != "*" && !e.has(pattern) {
				return fmt.Errorf("%s: nothing is called %s", e.Name, pattern)
			}
		}
		for pattern := range e.Needs {
			if pattern != "*" && !e.has(pattern) {
				return fmt.Errorf("%s: nothing is called %s", e.Name, pattern)
			}
		}
		runs := map[string]bool{}
		for _, r := range e.Runs {
			if err := e.checkRun(r, runs); err != nil {
				return fmt.Errorf("%s %s: %w", e.Name, r.Name, err)
			}
		}
	}
	return nil
}

func (e *Entry) checkRun(r Run, seen map[string]bool) error {
	if len(r.In) == 0 || r.Limit <= 0 || r.Each > r.Limit {
		return errors.New("a mode and a limit are needed, and the limit of a sub-test must be within it")
	}
	for _, mode := range r.In {
		if !slices.Contains(Modes, mode) {
			return fmt.Errorf("there is no mode %s", mode)
		}
		if key := mode + "/" + r.Name; seen[key] {
			return fmt.Errorf("two runs of this name in mode %s", mode)
		} else {
			seen[key] = true
		}
	}
	for _, pattern := range r.Only {
		if !e.has(pattern) {
			return fmt.Errorf("nothing is called %s", pattern)
		}
	}
	return nil
}

func (e *Entry) has(pattern string) bool {
	return slices.ContainsFunc(e.Tests, func(t string) bool { return Match(pattern, t) })
}

// Wants reports whether r runs the sub-test.
func (r *Run) Wants(test string) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(r.Only, func(p string) bool { return Match(p, test) })
}

// WhyLeftOut is the reason why a sub-test is not run, "" if it is.
func (e *Entry) WhyLeftOut(test string) string {
	for pattern, reason := range e.LeftOut {
		if Match(pattern, test) {
			return reason
		}
	}
	return ""
}

// Lacks lists the features that a sub-test needs and have does not have.
func (e *Entry) Lacks(test string, have Features) []string {
	var lacks []string
	for pattern, words := range e.Needs {
		if !Match(pattern, test) {
			continue
		}
		for _, w := range words {
			if !have[w] && !slices.Contains(lacks, w) {
				lacks = append(lacks, w)
			}
		}
	}
	slices.Sort(lacks)
	return lacks
}

// Match reports whether a name fits a pattern of the manifest, in which * stands for any characters.
func Match(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
