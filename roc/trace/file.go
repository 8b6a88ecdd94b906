package trace

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"aqueduct/filelimit"
)

// file is a timeline in the Trace Event Format, which Perfetto and chrome://tracing open. What is written goes, with a closing
// bracket behind it, where the closing bracket was: the file is whole whenever the process ends.
type file struct {
	f      *os.File
	at     int64 // of the closing bracket
	limit  int64
	full   bool
	failed bool
	buffer []byte             // events to be written
	out    [2 * pageSize]byte // that are being written
}

const (
	opening   = `{"displayTimeUnit":"ns","traceEvents":[` + "\n" + `{"name":"clock","ph":"M","pid":1,"tid":0,"args":{"unit":"microseconds of CLOCK_MONOTONIC since the driver was first used"}}`
	closing   = "\n]}\n"
	writeSize = 256 << 10 // bytes that are written together, about
)

// createFile makes the file; %p in its name is the process. If another process has it, the name gets the process in any case.
func createFile(name string, limit int64) (*file, error) {
	name = processName(name)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err == nil && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		f, err = os.OpenFile(fmt.Sprintf("%s.%d", name, os.Getpid()), os.O_RDWR|os.O_CREATE, 0o644)
	}
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, err
	}
	if err := writeAt(f, []byte(opening+closing), 0); err != nil {
		f.Close()
		return nil, err
	}
	return &file{f: f, at: int64(len(opening)), limit: limit}, nil
}

// processName has %p in a name of a file stand for the process.
func processName(name string) string {
	return strings.ReplaceAll(name, "%p", strconv.Itoa(os.Getpid()))
}

func (f *file) close() { f.f.Close() }

// write writes what has come since the last time.
func (f *file) write() {
	for rest := f.buffer; len(rest) > 0 && !f.failed; {
		n := f.piece(rest)
		if err := writeAt(f.f, append(append(f.out[:0], rest[:n]...), closing...), f.at); err != nil {
			f.failed = true
			fmt.Fprintln(os.Stderr, "aqueduct: the timeline ends:", err)
		}
		f.at += int64(n)
		rest = rest[n:]
	}
	f.buffer = f.buffer[:0]
}

func writeAt(f *os.File, text []byte, at int64) error {
	return filelimit.Guard(func() error {
		_, err := f.WriteAt(text, at)
		return err
	})
}

// piece is how many bytes of events to write next: as many whole events as fit the page that the file ends in, or one. The end of a
// process cuts a write short only between two pages.
func (f *file) piece(events []byte) int {
	room := pageSize - int(f.at%pageSize) - len(closing)
	if len(events) <= room {
		return len(events)
	}
	for n := min(room, len(events)); n > 0; {
		if n = bytes.LastIndexByte(events[:n], '\n'); n > 1 && bytes.HasPrefix(events[n-1:], between) {
			return n - 1
		}
	}
	if n := bytes.Index(events[1:], between); n >= 0 {
		return n + 1
	}
	return len(events)
}

const pageSize = 4096

// between is what begins an event that need not be written together with the one before.
var between = []byte(",\n{")

// begin starts an event of a phase; false if the file has all it may have.
func (f *file) begin(phase string, g group, thread uint64) bool {
	if !f.room() {
		return false
	}
	f.text(",\n{\"ph\":\"").text(phase).text(`","pid":`).number(uint64(g)).text(`,"tid":`).number(thread)
	return true
}

// room reports whether the file may have more.
func (f *file) room() bool {
	if f.full {
		return false
	}
	if f.at+int64(len(f.buffer)) > f.limit {
		f.full = true
		f.buffer = append(f.buffer, ",\n"+`{"name":"the file has as much as AQUEDUCT_TRACE_SIZE allows","ph":"M","pid":1,"tid":0,"args":{}}`...)
		return false
	}
	return true
}

func (f *file) text(s string) *file {
	f.buffer = append(f.buffer, s...)
	return f
}

func (f *file) number(n uint64) *file {
	f.buffer = strconv.AppendUint(f.buffer, n, 10)
	return f
}

// micros writes nanoseconds as microseconds.
func (f *file) micros(ns int64) *file {
	n := uint64(max(ns, 0))
	r := n % 1000
	f.number(n / 1000)
	f.buffer = append(f.buffer, '.', byte('0'+r/100), byte('0'+r/10%10), byte('0'+r%10))
	return f
}

// quoted writes a string of JSON.
func (f *file) quoted(s string) *file {
	f.buffer = append(f.buffer, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			f.buffer = append(f.buffer, '\\', c)
		case c < ' ' || c >= 0x7f: // names of kernels are ASCII; a byte that is not is shown as one
			f.buffer = append(f.buffer, `\u00`...)
			f.buffer = append(f.buffer, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			f.buffer = append(f.buffer, c)
		}
	}
	f.buffer = append(f.buffer, '"')
	return f
}

func (f *file) sizes(key string, n [3]uint64) {
	f.text(`,"`).text(key).text(`":"`).number(n[0])
	if n[1] > 1 || n[2] > 1 {
		f.text("x").number(n[1])
	}
	if n[2] > 1 {
		f.text("x").number(n[2])
	}
	f.text(`"`)
}

func (f *file) end() { f.text("}") }

func (f *file) name(what string, g group, thread uint64, name string) {
	if f.begin("M", g, thread) {
		f.text(`,"name":"`).text(what).text(`","args":{"name":`).quoted(name).text("}").end()
	}
}

func (f *file) sort(g group) {
	if f.begin("M", g, 0) {
		f.text(`,"name":"process_sort_index","args":{"sort_index":`).number(uint64(g)).text("}").end()
	}
}

func (f *file) count(origin, now int64, name string, v int64) {
	if f.begin("C", groupCounters, 0) {
		f.text(`,"name":`).quoted(name).text(`,"ts":`).micros(now - origin).text(`,"args":{"value":`).number(uint64(max(v, 0))).text("}").end()
	}
}

// slice writes s, which shows e.
func (f *file) slice(origin int64, s *slice, e *Event) {
	if !f.begin("X", s.group, tid(s.track, s.lane)) {
		return
	}
	f.text(`,"name":`).quoted(s.name).text(`,"ts":`).micros(s.start - origin).text(`,"dur":`).micros(s.end - s.start).text(`,"args":{`)
	switch e.Kind {
	case Command:
		f.text(`"command":`).number(e.ID & (1<<40 - 1)).text(`,"type":`).quoted(e.Type)
		f.text(`,"queued":`).micros(int64(e.Queued) - origin).text(`,"submitted":`).micros(int64(e.Submitted) - origin)
		f.text(`,"started":`).micros(int64(e.Start) - origin).text(`,"ended":`).micros(int64(e.End) - origin)
		f.text(`,"completed":`).micros(int64(e.Completed) - origin)
		if e.Name != "" {
			f.sizes("global size", e.Global)
			f.sizes("local size", e.Local)
			if e.Chosen {
				f.text(`,"local size chosen by":"the driver"`)
			}
		}
		if e.Bytes != 0 {
			f.text(`,"bytes":`).number(e.Bytes)
		}
		if e.Count != 0 {
			f.text(`,"waits for":`).number(uint64(e.Count))
		}
		if e.Other != 0 {
			f.text(`,"batch":`).number(e.Other).text(`,"batch cut by":`).quoted(e.Cut)
		}
		f.failure(e)
	case Chunk:
		f.text(`"work-groups":`).number(e.Groups).text(`,"work-items of each":`).number(e.Items)
		if e.ID != 0 {
			f.text(`,"queue":`).number(e.ID >> 40).text(`,"command":`).number(e.ID & (1<<40 - 1))
		}
	case Batch:
		f.text(`"batch":`).number(e.Other).text(`,"commands":`).number(uint64(e.Count)).text(`,"cut by":`).quoted(e.Cut)
	case Build:
		f.text(`"cached":`).text(strconv.FormatBool(e.Cached)).text(`,"failed":`).text(strconv.FormatBool(e.Status < 0))
	case Callback:
		f.text(`"queue":`).number(e.ID >> 40).text(`,"command":`).number(e.ID & (1<<40 - 1))
	case Blocked:
		f.text(`"queue":`).number(uint64(e.Track))
	}
	f.text("}").end()
}

func (f *file) failure(e *Event) {
	if e.Status < 0 {
		f.text(`,"status":`)
		f.buffer = strconv.AppendInt(f.buffer, int64(e.Status), 10)
	}
}

// life writes how long a command was under way: from when it was enqueued until it was complete, and when it was submitted. The
// three events are one text but for their time and phase, and are written together.
func (f *file) life(origin int64, e *Event) {
	if !f.room() {
		return
	}
	from := len(f.text(",\n").buffer)
	f.text(`{"pid":`).number(uint64(groupQueues)).text(`,"tid":0,"cat":"queue `).number(uint64(e.Track)).text(`","id":"`).number(e.ID)
	f.text(`","name":`).quoted(e.title()).text(`,"ts":`)
	to := len(f.buffer)
	f.micros(int64(e.Queued) - origin).text(`,"ph":"b"},`)
	f.buffer = append(f.buffer, f.buffer[from:to]...)
	f.micros(int64(max(e.Submitted, e.Queued)) - origin).text(`,"ph":"n"},`)
	f.buffer = append(f.buffer, f.buffer[from:to]...)
	f.micros(int64(max(e.Completed, e.Submitted, e.Queued)) - origin).text(`,"ph":"e"}`)
}

// flow writes one end of an arrow, in s.
func (f *file) flow(origin int64, s *slice, end flow, at int64) {
	phase := "f"
	if end.out {
		phase = "s"
	}
	if !f.begin(phase, s.group, tid(s.track, s.lane)) {
		return
	}
	f.text(`,"cat":"wait","name":"waits for","id":`).number(end.id).text(`,"ts":`).micros(at - origin)
	if !end.out {
		f.text(`,"bp":"e"`)
	}
	f.end()
}
