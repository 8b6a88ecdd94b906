package trace

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"aqueduct/filelimit"
)

// Log writes a line for each event of a level and an area.
type Log struct {
	level int
	area  string // "" for all
	to    io.Writer
	from  uint64 // time that is zero
}

// levels of a log, each with those before it.
var levels = []string{"error", "warning", "info", "debug"}

const (
	levelError = iota
	levelWarning
	levelInfo
	levelDebug
)

var areas = []string{"queue", "batch", "compiler", "callback"}

// NewLog returns a log for what AQUEDUCT_LOG says, level[,area], that writes to w.
func NewLog(text string, w io.Writer) (*Log, error) {
	level, area, _ := strings.Cut(text, ",")
	l := &Log{level: slices.Index(levels, level), area: area, to: w, from: Now()}
	if l.level < 0 {
		return nil, fmt.Errorf("level %q is not one of %s", level, strings.Join(levels, ", "))
	}
	if area != "" && !slices.Contains(areas, area) {
		return nil, fmt.Errorf("area %q is not one of %s", area, strings.Join(areas, ", "))
	}
	return l, nil
}

// OpenLog is NewLog for a file, which it appends to, or with no name for standard error.
func OpenLog(text, file string) (*Log, error) {
	if file == "" {
		return NewLog(text, os.Stderr)
	}
	f, err := os.OpenFile(processName(file), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return NewLog(text, f)
}

// line writes a line about something that ended at a time.
func (l *Log) line(level int, area string, at uint64, format string, args ...any) {
	if level <= l.level && (l.area == "" || l.area == area) {
		filelimit.Guard(func() error {
			_, err := fmt.Fprintf(l.to, "aqueduct: %10.6f %s %s: %s\n", float64(at-min(l.from, at))/1e9, levels[level], area, fmt.Sprintf(format, args...))
			return err
		})
	}
}

// event writes the line of e, if it has one. What is done often is for debug, what fails for error.
func (l *Log) event(e *Event) {
	switch e.Kind {
	case Command:
		level, result := levelDebug, "ended"
		if e.Status < 0 {
			level, result = levelError, fmt.Sprintf("failed with %d", e.Status)
		}
		if level > l.level {
			return
		}
		more := ""
		if e.Name != "" {
			more = fmt.Sprintf(" %s, global %v local %v", e.Name, e.Global, e.Local)
		} else if e.Bytes != 0 {
			more = fmt.Sprintf(", %d bytes", e.Bytes)
		}
		l.line(level, "queue", e.Completed, "queue %d command %d %s: %s%s; %v after it was enqueued, %v after it was submitted", e.Track, e.ID&(1<<40-1),
			result, e.Type, more, nanos(float64(e.Completed-min(e.Queued, e.Completed))), nanos(float64(e.Completed-min(max(e.Submitted, e.Queued), e.Completed))))
	case Batch:
		l.line(levelDebug, "batch", e.End, "ring %d batch %d of %d commands ended, cut by %s; %v in the ring", e.Track, e.Other, e.Count, e.Cut, nanos(float64(e.End-e.Start)))
	case Build:
		switch {
		case e.Status < 0:
			l.line(levelWarning, "compiler", e.End, "%s failed after %v", e.Name, nanos(float64(e.End-e.Start)))
		case e.Cached:
			l.line(levelInfo, "compiler", e.End, "%s: from the cache in %v", e.Name, nanos(float64(e.End-e.Start)))
		default:
			l.line(levelInfo, "compiler", e.End, "%s: compiled in %v", e.Name, nanos(float64(e.End-e.Start)))
		}
	case Callback:
		l.line(levelDebug, "callback", e.End, "of queue %d command %d, took %v", e.ID>>40, e.ID&(1<<40-1), nanos(float64(e.End-e.Start)))
	}
}

// nanos is a time for people.
func nanos(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
	return fmt.Sprintf("%.2f s", ns/1e9)
}
