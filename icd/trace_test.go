package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aqueduct/roc/trace/check"

	"github.com/stretchr/testify/require"
)

// TestStatisticsAtExit: also when the process exits from a callback.
func TestStatisticsAtExit(t *testing.T) {
	_, icd := ours(t)
	page := filepath.Join(t.TempDir(), "report.html")
	t.Setenv("AQUEDUCT_STATS", "1")
	t.Setenv("AQUEDUCT_REPORT", page)
	for name, want := range map[string]int{"queues": 0, "exitcallback": 7, "exitrunning": 9} {
		os.Remove(page)
		so, _ := ours(t)
		out, code := run(t, icd, compile(t, name), so)
		require.Equal(t, want, code, "%s: %s", name, out)
		require.Regexp(t, `aqueduct: \d+ commands in `, out)
		if name == "queues" {
			require.Contains(t, out, "batches cut by")
		}
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(string(text), "</html>\n"))
	}
}

func TestLogIsWrittenWhereItShouldBe(t *testing.T) {
	so, icd := ours(t)
	bin := compile(t, "queues")
	t.Setenv("AQUEDUCT_LOG", "debug,batch")
	out, code := run(t, icd, bin, so)
	require.Zero(t, code, "%s", out)
	require.Regexp(t, `(?m)^aqueduct: +\d+\.\d+ debug batch: ring \d+ batch \d+ of \d+ commands ended, cut by \w+`, out)
	require.NotContains(t, out, "debug queue")
	file := filepath.Join(t.TempDir(), "log")
	t.Setenv("AQUEDUCT_LOG_FILE", file)
	out, code = run(t, icd, bin, so)
	require.Zero(t, code, "%s", out)
	require.NotContains(t, out, "debug batch")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "debug batch")
}

// TestWatchdogSaysWhoWaitsForWhom of a queue that does not get on, and leaves others alone.
func TestWatchdogSaysWhoWaitsForWhom(t *testing.T) {
	_, icd := ours(t)
	t.Setenv("AQUEDUCT_WATCHDOG", "1")
	out, code := run(t, icd, compile(t, "watchdog"))
	require.Zero(t, code, "%s", out)
	require.Equal(t, 1, strings.Count(out, "nothing has ended for"), "%s", out)
	require.Contains(t, out, "waits for user event")
}

// TestUserEventThatNoKernelSets: the family that waits for it never ends, which is what the program asked for. It is named, and keeps
// neither other queues from going on nor the process from ending.
func TestUserEventThatNoKernelSets(t *testing.T) {
	_, icd := ours(t)
	require.NoError(t, compilerProcess())
	t.Setenv("AQUEDUCT_DUMP_SIGNAL", "3")
	out, code := run(t, icd, compile(t, "unsetevent"))
	require.Equal(t, 9, code, "%s", out)
	require.Contains(t, out, "on-device queue 0: 1 commands in it, of which 0 may run and 1 wait for user events that no kernel has given a status")
}

// TestTimelineIsWholeAfterACrash: whatever ends the process, what was written before can be read. But if it is killed just when an event
// that did not fit a page is being written, the file is cut at the end of that page.
func TestTimelineIsWholeAfterACrash(t *testing.T) {
	_, icd := ours(t)
	bin := compile(t, "crash")
	file := filepath.Join(t.TempDir(), "trace.json")
	t.Setenv("AQUEDUCT_TRACE", file)
	t.Setenv("AQUEDUCT_TRACE_RATE", "0") // else how many there are depends on the time that they take
	for _, how := range []string{"exit", "fault", "kill"} {
		var events []map[string]any
		var err error
		for range 5 {
			out, code := run(t, icd, bin, how)
			require.NotZero(t, code, "%s", out)
			text, e := os.ReadFile(file)
			require.NoError(t, e)
			if events, err = check.Timeline(text); err == nil || how != "kill" || len(text)%os.Getpagesize() != 0 {
				break
			}
		}
		require.NoError(t, err, how)
		require.Greater(t, len(events), 10_000, how)
	}
}
