package runner

import (
	"strings"
	"time"
)

// transcript follows what a process prints, in the words of the CTS's harness: "NAME..." when a sub-test begins, and a line
// that begins with the name and says how it ended.
type transcript struct {
	names   map[string]bool // of the sub-tests asked for
	current string          // sub-test that runs, "" if none
	began   time.Time       // when current began, or the process did
	lines   []string        // since then, the last of them
	results map[string]*Result
}

const tailLines = 25

func newTranscript(names []string, now time.Time) *transcript {
	t := &transcript{names: map[string]bool{}, began: now, results: map[string]*Result{}}
	for _, n := range names {
		t.names[n] = true
	}
	return t
}

// verdicts are the endings of the line in which a sub-test says how it ended.
var verdicts = []struct {
	text   string
	status Status
}{
	{" passed", Pass},
	{" FAILED", Fail},
	{" test not supported", Skip},
	{" test currently not implemented", Skip},
}

// line takes the next line, without its end. It reports whether another sub-test runs now.
func (t *transcript) line(text string, now time.Time) bool {
	if name, ok := strings.CutSuffix(text, "..."); ok && t.names[name] && t.results[name] == nil {
		// A test that ended in a way unknown to us is left to the harness's own results.
		t.current, t.began, t.lines = name, now, nil
		return true
	}
	if len(t.lines) == tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, text)
	if t.current == "" {
		return false
	}
	status, why := Status(""), ""
	for _, v := range verdicts {
		// What the test itself wrote last may stand before it on the line.
		if strings.HasSuffix(text, t.current+v.text) {
			status = v.status
		}
	}
	if rest, ok := strings.CutPrefix(text, t.current+" skipped ("); ok {
		status, why = Skip, strings.TrimSuffix(rest, ")")
	}
	if status == "" {
		return false
	}
	t.end(status, why, now)
	return true
}

// end records how the current sub-test ended.
func (t *transcript) end(status Status, why string, now time.Time) *Result {
	r := &Result{Test: t.current, Status: status, Why: why, Seconds: now.Sub(t.began).Seconds()}
	if status == Skip && why == "" {
		r.Why = reason(t.lines)
	}
	if status == Fail && why == "" {
		r.Why = complaint(t.lines)
	}
	if status.Bad() {
		r.Tail = append([]string(nil), t.lines...)
	}
	t.results[t.current] = r
	t.current, t.began, t.lines = "", now, nil
	return r
}

// reason is what a sub-test that skipped said last before it said so.
func reason(lines []string) string {
	for i := len(lines) - 2; i >= 0; i-- {
		if s := strings.TrimSpace(lines[i]); s != "" {
			return s
		}
	}
	return ""
}

// complaint is the last line in which a sub-test that failed speaks of an error, else what it said last.
func complaint(lines []string) string {
	for i := len(lines) - 2; i >= 0; i-- {
		if strings.Contains(strings.ToLower(lines[i]), "error") {
			return strings.TrimSpace(lines[i])
		}
	}
	return reason(lines)
}
