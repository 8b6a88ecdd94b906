package runner

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/conformance"
)

// head is what the fake binaries begin with. They speak as the CTS's harness does: begin NAME, end NAME WORDS, and result NAME
// STATUS, which saved writes out.
const head = `#!/bin/bash
if [ "$1" = --list ]; then for t in %s; do printf '\t%%s\n' "$t"; done; exit 0; fi
results=
begin() { echo "$1..."; }
end() { echo "$*"; }
result() { results="$results${results:+,} \"$1\": \"$2\""; }
saved() { echo "{ \"cmd\": \"$0\", \"args\": \"\", \"results\": {$results } }" > "$CL_CONFORMANCE_RESULTS_FILENAME"; }
`

// fakes is a directory of fake binaries and what a manifest would say of them.
type fakes struct {
	t       *testing.T
	dir     string
	entries []conformance.Entry
}

func newFakes(t *testing.T) *fakes { return &fakes{t: t, dir: t.TempDir()} }

// add makes a binary with the sub-tests named, and a body in bash, $t being each sub-test asked for in turn.
func (f *fakes) add(name, tests, each, after string) *conformance.Entry {
	body := fmt.Sprintf(head, tests)
	if tests == "" {
		body += each + "\n" + after
	} else {
		body += "for t in \"$@\"; do\n" + each + "\ndone\n" + after
	}
	require.NoError(f.t, os.MkdirAll(filepath.Join(f.dir, name), 0o755))
	require.NoError(f.t, os.WriteFile(filepath.Join(f.dir, name, "test_"+name), []byte(body+"\n"), 0o755))
	f.entries = append(f.entries, conformance.Entry{Area: "Fakes", Name: name, Binary: name + "/test_" + name, Tests: strings.Fields(tests),
		Runs: []conformance.Run{{In: conformance.Words{"quick"}, Limit: time.Minute}}})
	return &f.entries[len(f.entries)-1]
}

// config runs them all.
func (f *fakes) config() *Config {
	icd := filepath.Join(f.dir, "fake.icd")
	require.NoError(f.t, os.WriteFile(icd, []byte("libfake.so\n"), 0o644))
	return &Config{Entries: f.entries, Dir: f.dir, Info: Info{ICD: icd, Mode: "quick", Device: conformance.Device{Platform: "Fake"}},
		Jobs: 2, Out: filepath.Join(f.dir, "out"), Show: Plain(io.Discard)}
}

// run runs them and returns the results by ID.
func (f *fakes) run() map[string]Result {
	report, err := Run(f.t.Context(), f.config())
	require.NoError(f.t, err)
	return byID(f.t, report)
}

func byID(t *testing.T, report *Report) map[string]Result {
	all := map[string]Result{}
	for _, r := range report.Results {
		require.NotContains(t, all, r.ID(), "reported twice")
		all[r.ID()] = r
	}
	return all
}
