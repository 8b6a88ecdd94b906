package runner

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/conformance"
)

// some is a run with a result of every kind.
func some() *Report {
	r := &Report{Info: Info{ICD: "a.icd", Mode: "quick", Start: time.Unix(1e9, 0), Device: conformance.Device{Platform: "Fake <driver>"}}}
	for _, s := range []Status{Pass, Fail, Crash, Timeout, NotRun, Skip, LeftOut} {
		test := string(s[:1])
		x := Result{Area: "Area", Entry: "entry", Test: test, Status: s, Seconds: 1.5, Why: "why " + test}
		if s.Bad() {
			x.Tail = []string{"last <line> of " + test + "\x1b[0m"}
		}
		r.Results = append(r.Results, x)
	}
	return r
}

// TestPageStandsAlone: the report names every result, escapes what it quotes, and asks nothing of a network.
func TestPageStandsAlone(t *testing.T) {
	r := some()
	var b bytes.Buffer
	require.NoError(t, r.HTML(&b, nil))
	page := b.String()
	require.NotRegexp(t, regexp.MustCompile(`(src|href)="?(https?:)?//|@import|url\(|<script`), page)
	require.Contains(t, page, "Fake &lt;driver&gt;")
	for _, x := range r.Results {
		require.Contains(t, page, "entry/"+x.Test)
		if x.Status.Bad() {
			require.Contains(t, page, "last &lt;line&gt; of "+x.Test)
		}
	}
	for _, number := range []string{">1</td>", ">4</td>", ">2</td>"} { // passed, failed, skipped
		require.Contains(t, page, number)
	}
	require.NotContains(t, page, "Compared with")

	other := some()
	other.Info.ICD, other.Info.Device.Platform = "b.icd", "Another"
	other.Results[0].Test = "elsewhere"
	b.Reset()
	require.NoError(t, r.HTML(&b, other))
	require.Contains(t, b.String(), "Compared with Another")
	require.Contains(t, b.String(), "elsewhere")
}

// TestJUnit: what servers count agrees with the report, and the text is XML.
func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, some().JUnit(&b))
	var all junitSuites
	require.NoError(t, xml.Unmarshal(b.Bytes(), &all))
	require.Equal(t, []int{7, 1, 3, 2}, []int{all.Tests, all.Failures, all.Errors, all.Skipped})
	require.Equal(t, 3, strings.Count(b.String(), "<error "))
	require.Equal(t, 1, strings.Count(b.String(), "<failure "))
	require.Equal(t, 2, strings.Count(b.String(), "<skipped "))
}

// TestChanges between two runs, and which of them are for the worse.
func TestChanges(t *testing.T) {
	run := func(partly bool, results ...string) *Report {
		r := &Report{Info: Info{Partly: partly}}
		for _, x := range results {
			test, status, _ := strings.Cut(x, "=")
			r.Results = append(r.Results, Result{Entry: "e", Test: test, Status: Status(status)})
		}
		return r
	}
	old := run(false, "same=pass", "broke=pass", "mended=fail", "hides=pass", "still=crash", "gone=pass", "left=left out")
	now := run(false, "same=pass", "broke=crash", "mended=pass", "hides=skip", "still=fail", "new=pass", "out=left out")
	require.ElementsMatch(t, []Change{
		{"e/broke", Pass, Crash, true}, {"e/hides", Pass, Skip, true}, {"e/gone", Pass, "", true},
		{"e/mended", Fail, Pass, false}, {"e/still", Crash, Fail, false}, {"e/new", "", Pass, false},
	}, Changes(old, now))
	require.True(t, Changes(old, now)[2].Worse, "what is worse comes first")
	require.Empty(t, Changes(run(false, "a=pass", "b=pass"), run(true, "a=pass")))
	require.Empty(t, Changes(run(true, "a=pass"), run(false, "a=pass", "b=pass")))
}

// TestBar: it is never wider than the terminal, what failed stays above it, and at the end it is gone.
func TestBar(t *testing.T) {
	var b bytes.Buffer
	const width = 60
	p := &progress{w: &b, width: width, runs: map[string]*running{}}
	p.Plan(8)
	p.Begin("an entry of the manifest with a name that is longer than most", "a_sub_test_with_a_long_name")
	results := some().Results
	for _, r := range results {
		p.Done(r, false)
		p.paint()
	}
	p.erase()
	screen := b.String()
	last := screen[strings.LastIndex(screen, "█"):]
	require.Contains(t, last, "\x1b[2A\x1b[J")
	plain := regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`).ReplaceAllString(screen, "")
	for _, line := range strings.Split(plain, "\n") {
		if strings.ContainsAny(line, "█░") || strings.Contains(line, "·") {
			require.LessOrEqual(t, len([]rune(line)), width, line)
		}
	}
	require.Equal(t, 4, strings.Count(plain, "✗"))
	require.Contains(t, plain, "7/8")
}

// TestPlain writes a line for each run of an entry, and one for each bad result.
func TestPlain(t *testing.T) {
	var b bytes.Buffer
	p := Plain(&b)
	p.Plan(7)
	p.Begin("entry", "")
	for _, r := range some().Results {
		p.Done(r, false)
	}
	p.Finish("entry")
	p.End()
	require.Equal(t, 5, strings.Count(b.String(), "✗"))
	require.NotContains(t, b.String(), "\x1b")
	require.Contains(t, b.String(), "1 passed, 1 failed, 1 crashed, 1 timed out, 1 not run, 1 skipped, 1 left out\n")
}
