package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"aqueduct/roc/trace/check"

	"github.com/stretchr/testify/require"
)

// parse reads a timeline and checks the rules of the format.
func parse(t *testing.T, file string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	events, err := check.Timeline(text)
	require.NoError(t, err)
	return events
}

func start(t *testing.T, o Options) string {
	t.Helper()
	if o.Timeline == "" {
		o.Timeline = filepath.Join(t.TempDir(), "trace.json")
	}
	if o.Limit == 0 {
		o.Limit = 1 << 30
	}
	require.NoError(t, Start(o))
	t.Cleanup(Stop)
	return o.Timeline
}

// named are the events with a name and a phase.
func named(events []map[string]any, phase, name string) (list []map[string]any) {
	for _, e := range events {
		if e["ph"] == phase && e["name"] == name {
			list = append(list, e)
		}
	}
	return list
}

func TestNothingIsRecordedUnlessAsked(t *testing.T) {
	require.False(t, On())
	require.False(t, Sample())
	Record(&Event{Kind: Command}) // goes nowhere
	Flush()
	Stop()
}

// TestFileIsWholeAtEveryMoment: it can be read after each write, without Stop.
func TestFileIsWholeAtEveryMoment(t *testing.T) {
	file := start(t, Options{})
	before := 0
	for i := range uint64(20) {
		Record(&Event{Kind: Command, ID: 1<<40 | i + 1, Track: 1, Type: "kernel", Name: "k", Queued: Now(), Submitted: Now(), Completed: Now()})
		Flush()
		events := parse(t, file)
		require.Greater(t, len(events), before)
		before = len(events)
	}
	require.Len(t, named(parse(t, file), "X", "k"), 20)
}

// TestSlicesOfALaneDoNotOverlap: for commands that were in flight together, and more of them than there are lanes.
func TestSlicesOfALaneDoNotOverlap(t *testing.T) {
	file := start(t, Options{})
	base := Now()
	for i := range uint64(100) {
		at := base + i*1000
		Record(&Event{Kind: Command, ID: 1<<40 | i + 1, Track: 1, Type: "copy buffer", Bytes: 1, Queued: at, Submitted: at, Completed: at + 50_000})
	}
	Stop()
	require.Len(t, named(parse(t, file), "X", "copy buffer"), 100)
}

// TestCommandRanWhenItsChunksDid: from the first one's start to the last one's end.
func TestCommandRanWhenItsChunksDid(t *testing.T) {
	file := start(t, Options{Summary: io.Discard})
	base := Now()
	id := uint64(3<<40 | 7)
	Record(&Event{Kind: Chunk, ID: id, Track: 1, Name: "k", Start: base + 4000, End: base + 9000, Groups: 2, Items: 64, Count: 1})
	Record(&Event{Kind: Chunk, ID: id, Track: 2, Name: "k", Start: base + 3000, End: base + 7000, Groups: 2, Items: 64})
	Record(&Event{Kind: Command, ID: id, Track: 3, Type: "kernel", Name: "k", Queued: base + 1000, Submitted: base + 2000, Completed: base + 10000,
		Global: [3]uint64{256, 1, 1}, Local: [3]uint64{64, 1, 1}, Other: 12, Cut: "flush"})
	Flush()
	k := active.Load().tally.kernels["k"]
	require.Equal(t, 6000.0, k.time.sum)
	require.Equal(t, uint64(1), k.time.n)
	require.Equal(t, uint64(4), k.groups)
	Stop()
	slices := named(parse(t, file), "X", "k")
	require.Len(t, slices, 3)
	c := slices[2]
	require.InDelta(t, 6, c["dur"], 1e-6)
	args := c["args"].(map[string]any)
	require.Equal(t, "256", args["global size"])
	require.Equal(t, "flush", args["batch cut by"])
	require.InDelta(t, 3, args["started"].(float64)-args["queued"].(float64)+1, 1e-3)
}

// TestArrowsLeadFromTheEndOfACommandToTheStartOfAnother.
func TestArrowsLeadFromTheEndOfACommandToTheStartOfAnother(t *testing.T) {
	file := start(t, Options{})
	base := Now()
	first, second := uint64(1<<40|1), uint64(2<<40|1)
	Record(&Event{Kind: Wait, ID: second, Other: first})
	Record(&Event{Kind: Command, ID: first, Track: 1, Type: "kernel", Name: "a", Queued: base, Submitted: base, Completed: base + 5000})
	Record(&Event{Kind: Command, ID: second, Track: 2, Type: "kernel", Name: "b", Queued: base, Submitted: base + 5000, Completed: base + 9000, Count: 1})
	Stop()
	events := parse(t, file)
	from, to := named(events, "s", "waits for"), named(events, "f", "waits for")
	require.Len(t, from, 1)
	require.Len(t, to, 1)
	require.Equal(t, from[0]["id"], to[0]["id"])
	a, b := named(events, "X", "a")[0], named(events, "X", "b")[0]
	require.Equal(t, a["tid"], from[0]["tid"])
	require.Equal(t, b["ts"], to[0]["ts"])
}

// TestNoArrowLeadsBack: the host saw the end of the first, which does nothing, when the second ran already, or was through.
func TestNoArrowLeadsBack(t *testing.T) {
	for _, late := range []uint64{2000, 7000} {
		file := filepath.Join(t.TempDir(), "trace.json")
		require.NoError(t, Start(Options{Timeline: file, Limit: 1 << 20}))
		base := Now()
		first, second, third := uint64(1<<40|1), uint64(2<<40|1), uint64(3<<40|1)
		Record(&Event{Kind: Wait, ID: second, Other: first})
		Record(&Event{Kind: Wait, ID: third, Other: second})
		Record(&Event{Kind: Command, ID: first, Track: 1, Type: "marker", Queued: base, Submitted: base, Completed: base + late})
		Record(&Event{Kind: Command, ID: second, Track: 2, Type: "kernel", Name: "b", Queued: base, Submitted: base + 1, Start: base + 1000, End: base + 5000,
			Completed: base + 8000, Status: -5})
		Record(&Event{Kind: Command, ID: third, Track: 3, Type: "kernel", Name: "c", Queued: base, Completed: base + 9000, Status: -14})
		Stop()
		events := parse(t, file)
		require.Len(t, named(events, "s", "waits for"), 2)
		arrived := 1
		if late < 5000 {
			arrived = 2
		}
		require.Len(t, named(events, "f", "waits for"), arrived)
	}
}

// TestManyThreadsLoseNothing: a full ring is emptied by whoever finds it full.
func TestManyThreadsLoseNothing(t *testing.T) {
	file := start(t, Options{})
	const threads, each = 8, 5000
	var wg sync.WaitGroup
	for i := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range each {
				now := Now()
				Record(&Event{Kind: Command, ID: uint64(i+1)<<40 | uint64(j+1), Track: uint32(i + 1), Type: "marker", Queued: now, Submitted: now, Completed: Now()})
			}
		}()
	}
	wg.Wait()
	Stop()
	require.Len(t, named(parse(t, file), "X", "marker"), threads*each)
}

// TestAnEventThatIsBeingWrittenKeepsNoneBack when the recording ends.
func TestAnEventThatIsBeingWrittenKeepsNoneBack(t *testing.T) {
	file := start(t, Options{})
	r := &active.Load().ring
	slow := &r.cells[r.next.Load()]
	turn := r.next.Add(1)
	Record(&Event{Kind: Blocked, Track: 1, Name: "finish", Start: Now(), End: Now()})
	go func() {
		time.Sleep(5 * time.Millisecond)
		slow.event = Event{Kind: Blocked, Track: 1, Name: "slow", Start: Now(), End: Now()}
		slow.turn.Store(turn)
	}()
	Stop()
	events := parse(t, file)
	require.Len(t, named(events, "X", "slow"), 1)
	require.Len(t, named(events, "X", "finish"), 1)
}

// TestMoreCommandsThanTheRateLeaveAGap, after which there is another stretch.
func TestMoreCommandsThanTheRateLeaveAGap(t *testing.T) {
	file := start(t, Options{Rate: 1000})
	taken := 0
	deadline := time.Now().Add(time.Minute)
	for taken <= 1100 { // the first second's at once, and a stretch after a gap
		require.True(t, time.Now().Before(deadline))
		if Sample() {
			taken++
		}
	}
	Stop()
	require.NotEmpty(t, named(parse(t, file), "X", "not recorded: too many commands"))
}

func TestTimeOfAProcessorCounts(t *testing.T) {
	for _, c := range []struct {
		why                  string
		passed, used, worked int64
	}{
		{"one thread on one processor", 5e6, 5e6, 5e6},
		{"several threads", 5e6, 9e6, 5e6},
		{"a crowded machine", 5e6, 2e6, 2e6},
		{"a process that sleeps", 5e6, 1e5, 1e6},
		{"two looks at once", 0, 0, 1},
	} {
		require.Equal(t, c.worked, worked(c.passed, c.used), c.why)
	}
	before := processorTime()
	for deadline := time.Now().Add(time.Minute); processorTime() == before; {
		require.True(t, time.Now().Before(deadline))
	}
}

func TestTimelineKeepsToItsSize(t *testing.T) {
	file := start(t, Options{Limit: 100_000})
	for i := range uint64(10_000) {
		Record(&Event{Kind: Callback, ID: 1<<40 | i + 1, Start: Now(), End: Now()})
	}
	Stop()
	s, err := os.Stat(file)
	require.NoError(t, err)
	require.Less(t, s.Size(), int64(101_000))
	require.Len(t, named(parse(t, file), "M", "the file has as much as AQUEDUCT_TRACE_SIZE allows"), 1)
}

// TestTwoProcessesDoNotShareAFile: whoever comes second writes another.
func TestTwoProcessesDoNotShareAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	a, err := createFile(name, 1<<20)
	require.NoError(t, err)
	defer a.close()
	b, err := createFile(name, 1<<20)
	require.NoError(t, err)
	defer b.close()
	require.Equal(t, fmt.Sprintf("%s.%d", name, os.Getpid()), b.f.Name())
	c, err := createFile(name+".%p", 1<<20)
	require.NoError(t, err)
	defer c.close()
	require.Equal(t, fmt.Sprintf("%s.%d", name, os.Getpid()), b.f.Name())
}

func TestAnyNameIsAString(t *testing.T) {
	var f file
	for _, name := range []string{"plain", `with "quotes" and \`, "control\n\x01", "byte \xff", "</script>"} {
		f.buffer = nil
		f.quoted(name)
		var back string
		require.NoError(t, json.Unmarshal(f.buffer, &back), "%q", f.buffer)
		if name[0] != 'b' {
			require.Equal(t, name, back)
		}
	}
}

func TestGaugesAreReadUntilRemoved(t *testing.T) {
	file := start(t, Options{})
	v := int64(1)
	remove := Gauge("water", func() int64 { return v })
	Flush()
	v = 3
	Flush()
	Flush() // no change, no event
	remove()
	v = 5
	Flush()
	Stop()
	require.Len(t, named(parse(t, file), "C", "water"), 2)
}

func TestSummaryAndAdvice(t *testing.T) {
	var b bytes.Buffer
	start(t, Options{Summary: &b})
	base := Now()
	for i := range uint64(200) {
		Record(&Event{Kind: Command, ID: 1<<40 | i + 1, Track: 1, Type: "kernel", Name: "tiny", Queued: base, Submitted: base, Start: base, End: base + 1000 + i,
			Completed: base + 2000, Global: [3]uint64{1024, 1, 1}, Local: [3]uint64{1, 1, 1}})
		Record(&Event{Kind: Batch, Track: 1, Other: i + 1, Count: 1, Cut: "flush", Start: base, End: base + 1})
	}
	for i := range uint64(64) {
		Record(&Event{Kind: Command, ID: 2<<40 | i + 1, Track: 2, Type: "read buffer", Bytes: 2 << 20, Queued: base, Submitted: base, Completed: base + 100_000})
	}
	for range 3 {
		Record(&Event{Kind: Build, Name: "build", Start: base, End: base + 1e9})
	}
	Finish()
	for _, want := range []string{
		`264 commands`, `tiny +219.9 µs +200 +1.1 µs +58 ns`, `read buffer +64 +134217728 +6.4 ms +21.0`, `flush +200 +200 +200`,
		`200 of 264 commands were flushed one by one`, `kernel tiny: work-groups of 1 work-items leave lanes`, `read buffer moved 128 MiB`,
		`3 builds took 3.00 s and none came from the cache`,
	} {
		require.Regexp(t, want, b.String())
	}
}

func TestLogSaysWhatItsLevelAndAreaAllow(t *testing.T) {
	for text, want := range map[string][2]int{ // lines of commands, and of all
		"error": {1, 1}, "warning": {1, 2}, "info": {1, 3}, "debug": {2, 6}, "debug,batch": {0, 1}, "info,queue": {1, 1}, "error,compiler": {0, 0},
	} {
		var b bytes.Buffer
		l, err := NewLog(text, &b)
		require.NoError(t, err)
		for _, e := range []Event{
			{Kind: Command, Type: "kernel", Name: "k"}, {Kind: Command, Type: "marker", Status: -14}, {Kind: Batch}, {Kind: Callback},
			{Kind: Build, Name: "build", Status: -1}, {Kind: Build, Name: "build", Cached: true}, {Kind: Chunk},
		} {
			l.event(&e)
		}
		require.Equal(t, want, [2]int{bytes.Count(b.Bytes(), []byte(" queue: ")), bytes.Count(b.Bytes(), []byte("\n"))}, "%s: %s", text, &b)
	}
	for _, text := range []string{"", "loud", "debug,everything"} {
		_, err := NewLog(text, nil)
		require.Error(t, err, text)
	}
}

// BenchmarkRecord is what one event costs who tells of it.
func BenchmarkRecord(b *testing.B) {
	require.NoError(b, Start(Options{Summary: io.Discard}))
	defer Stop()
	e := Event{Kind: Callback, ID: 1}
	for b.Loop() {
		Record(&e)
	}
}
