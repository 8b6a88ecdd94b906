// Package runner runs the manifest: it finds the binaries, runs several at once, each with its own deadline, learns the result
// of every sub-test, and writes down what it saw.
package runner

import (
	"fmt"
	"os"
	"strings"
	"time"

	"aqueduct/conformance"
)

// Status is how a sub-test ended.
type Status string

// The statuses a sub-test can have.
const (
	Pass    Status = "pass"
	Skip    Status = "skip"     // it says itself that it does not apply
	LeftOut Status = "left out" // the manifest says so
	Fail    Status = "fail"
	Crash   Status = "crash"   // its process ended in it
	Timeout Status = "timeout" // it was still running at its deadline
	NotRun  Status = "not run" // its process ended before it, or there is no such binary or sub-test
)

// Bad reports whether a sub-test that ended so counts against the driver, or was not seen at all.
func (s Status) Bad() bool { return s == Fail || s == Crash || s == Timeout || s == NotRun }

// exit is the name of what stands for a process whose sub-tests all ended well, but which did not.
const exit = "(end of the process)"

// Result is one sub-test of one run of an entry.
type Result struct {
	Area     string
	Entry    string
	Run      string `json:",omitempty"`
	Test     string `json:",omitempty"` // empty when the binary is one test
	Status   Status
	Seconds  float64  `json:",omitempty"`
	Why      string   `json:",omitempty"` // in words: the reason of a skip, how a process ended
	Lacks    []string `json:",omitempty"` // of what it needs, what the device does not have
	Tail     []string `json:",omitempty"` // last lines, if it is bad
	Evidence string   `json:",omitempty"` // what a process that hung was doing
	Log      string   `json:",omitempty"` // file in the directory of results
}

// ID names a sub-test through all runs of the manifest.
func (r *Result) ID() string {
	id := r.Title()
	if r.Test != "" {
		id += "/" + r.Test
	}
	return id
}

// Title names the run of an entry that a result is of.
func (r *Result) Title() string { return title(r.Entry, r.Run) }

func title(entry, run string) string {
	if run == "" {
		return entry
	}
	return entry + " [" + run + "]"
}

// Unexplained reports whether the sub-test skipped although the device has all that the manifest says it needs.
func (r *Result) Unexplained() bool { return r.Status == Skip && len(r.Lacks) == 0 }

// Info is what all results of a run have in common.
type Info struct {
	ICD    string
	Mode   string
	Index  int
	Partly bool // only some entries were asked for
	Left   int  // sub-tests not reached, if the run was interrupted
	Device conformance.Device
	Host   string // processor and number of cores
	Start  time.Time
	Time   time.Duration // of all sessions, if it was resumed
}

// Report is a run of the manifest.
type Report struct {
	Info    Info
	Results []Result
}

// OK reports whether nothing is bad, and nothing left to run.
func (r *Report) OK() bool { return r.Info.Left == 0 && r.Count().Bad() == 0 }

// Count counts the results by status.
func (r *Report) Count() Counts {
	c := Counts{}
	for i := range r.Results {
		c[r.Results[i].Status]++
	}
	return c
}

// Counts are numbers of sub-tests by status.
type Counts map[Status]int

// Total is how many there are.
func (c Counts) Total() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// Bad is how many of them are bad.
func (c Counts) Bad() int { return c[Fail] + c[Crash] + c[Timeout] + c[NotRun] }

var statuses = []Status{Pass, Fail, Crash, Timeout, NotRun, Skip, LeftOut}

// words of statuses after a number.
var words = map[Status]string{Pass: "passed", Fail: "failed", Crash: "crashed", Timeout: "timed out", NotRun: "not run", Skip: "skipped", LeftOut: "left out"}

func (c Counts) String() string {
	var parts []string
	for _, s := range statuses {
		if c[s] > 0 {
			parts = append(parts, itoa(c[s])+" "+words[s])
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// Host names the processor of this machine, and says how many are used.
func Host(processors int) string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for _, line := range strings.Split(string(text), "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return fmt.Sprintf("%s × %d", strings.TrimSpace(value), processors)
		}
	}
	return fmt.Sprintf("%d processors", processors)
}
