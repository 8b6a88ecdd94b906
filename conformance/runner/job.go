package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// skipStatus is the exit status by which a binary that is one test says that it does not apply.
const skipStatus = 77

// work runs a job. A sub-test in which the process ends or hangs does not cost those after it: they run in another process, as
// long as the job's time lasts. report is called with each result, once. The error says that ctx was cancelled.
func (c *Config) work(ctx context.Context, j *job, begun func(test string), report func(Result)) error {
	tests := j.tests
	limit, each := c.scale(j.run.Limit), c.scale(j.run.Each)
	if each == 0 {
		each = limit
	}
	end := time.Now().Add(limit)
	for attempt := 1; len(tests) > 0; attempt++ {
		left := time.Until(end)
		if attempt > 1 && left <= 0 {
			for _, t := range tests {
				report(c.finish(j, j.result(t, NotRun, fmt.Sprintf("the time of the binary, %v, was over", limit))))
			}
			return nil
		}
		name := logName(j.title(), attempt)
		results, err := c.attempt(ctx, j, tests, name, left, each, begun)
		for _, r := range results {
			r.Log = name
			report(c.finish(j, r))
			tests = slices.DeleteFunc(slices.Clone(tests), func(t string) bool { return t == r.Test })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// attempt runs the binary once on tests and returns what is known thereafter: at least one result, unless ctx was cancelled.
func (c *Config) attempt(ctx context.Context, j *job, tests []string, logName string, limit, each time.Duration, begun func(string)) ([]Result, error) {
	log, err := os.Create(filepath.Join(c.Out, logName))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	own := strings.TrimSuffix(log.Name(), ".log") + ".json"
	os.Remove(own)
	args := slices.Clone([]string(j.run.Flags))
	if tests[0] != "" {
		args = append(args, tests...)
	}
	p := &process{path: j.path, dir: filepath.Dir(j.path), args: args, log: log, limit: limit, each: min(each, limit), tests: tests, begun: begun}
	p.env = append(c.environment(), "CL_CONFORMANCE_RESULTS_FILENAME="+own)
	fmt.Fprintf(log, "$ %s %s\n", j.entry.Binary, strings.Join(args, " "))
	o, err := p.run(ctx)
	if ctx.Err() != nil {
		return ended(j, tests, o), ctx.Err()
	}
	if err != nil {
		return []Result{j.result(tests[0], NotRun, err.Error())}, nil
	}
	if tests[0] == "" {
		return []Result{whole(j, o)}, nil
	}
	return merge(j, tests, o, readOwn(own)), nil
}

// ended are the results of the sub-tests that had ended when their process was.
func ended(j *job, tests []string, o *outcome) []Result {
	var results []Result
	for _, t := range tests {
		if seen := o.results[t]; seen != nil {
			r := j.result(t, seen.Status, seen.Why)
			r.Seconds, r.Tail = seen.Seconds, seen.Tail
			results = append(results, r)
		}
	}
	return results
}

// whole is the result of a binary that is one test: what its exit status says.
func whole(j *job, o *outcome) Result {
	r := j.result("", Pass, "")
	last := ""
	if len(o.lines) > 0 {
		last = o.lines[len(o.lines)-1]
	}
	switch {
	case o.killed:
		r.Status, r.Why = Timeout, o.how
	case o.code == skipStatus:
		r.Status, r.Why = Skip, last
	case o.code < 0:
		r.Status, r.Why = Crash, o.how
	case o.bad:
		r.Status, r.Why = Fail, o.how
	default:
		r.Why = last
	}
	if r.Status.Bad() {
		r.Tail, r.Evidence = o.lines, o.evidence
	}
	r.Seconds = o.time.Seconds()
	return r
}

// merge makes results of a process's outcome and of own, what the harness itself wrote, which it does at a normal end only.
func merge(j *job, tests []string, o *outcome, own map[string]Status) []Result {
	var results []Result
	if current := o.current; current != "" && own[current] == "" && (o.bad || o.killed) {
		status := Crash
		if o.killed {
			status = Timeout
		}
		r := o.end(status, o.how, time.Now())
		r.Evidence = o.evidence
	}
	fine := true
	for _, t := range tests {
		r := j.result(t, own[t], "")
		if seen := o.results[t]; seen != nil {
			r.Seconds, r.Why, r.Tail, r.Evidence = seen.Seconds, seen.Why, seen.Tail, seen.Evidence
			if r.Status == "" || seen.Status.Bad() {
				r.Status = seen.Status
			}
		}
		if r.Status == "" {
			continue
		}
		if r.Status != Skip && !r.Status.Bad() {
			r.Why = ""
		}
		if r.Status == Fail && r.Tail == nil {
			r.Tail = o.lines
		}
		fine = fine && !r.Status.Bad()
		results = append(results, r)
	}
	if len(results) == 0 {
		// Nothing is known of any: a process that ended before its first sub-test would do so again.
		for i, t := range tests {
			r := j.result(t, NotRun, "the binary said nothing about it")
			if o.bad {
				r.Why = o.how
			}
			if i == 0 {
				r.Tail, r.Evidence = o.lines, o.evidence
			}
			results = append(results, r)
		}
	} else if fine && o.bad {
		status := Fail
		if o.code < 0 {
			status = Crash
		}
		if o.killed {
			status = Timeout
		}
		r := j.result(exit, status, o.how)
		r.Tail, r.Evidence = o.lines, o.evidence
		results = append(results, r)
	} else if !o.bad && len(results) < len(tests) {
		for _, t := range tests {
			if !slices.ContainsFunc(results, func(r Result) bool { return r.Test == t }) {
				results = append(results, j.result(t, NotRun, "the binary said nothing about it"))
			}
		}
	}
	return results
}

// readOwn reads the results that the harness wrote, nil if there are none.
func readOwn(file string) map[string]Status {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var own struct{ Results map[string]Status }
	if json.Unmarshal(text, &own) != nil {
		return nil
	}
	for name, s := range own.Results {
		if s != Pass && s != Fail && s != Skip {
			own.Results[name] = Fail
		}
	}
	return own.Results
}

// finish adds what the manifest knows of a skip.
func (c *Config) finish(j *job, r Result) Result {
	if r.Status == Skip {
		r.Lacks = j.entry.Lacks(r.Test, c.Info.Device.Features)
	}
	return r
}

// environment of the binaries.
func (c *Config) environment() []string {
	env := append(os.Environ(), "OCL_ICD_VENDORS="+filepath.Join(c.Out, vendors), fmt.Sprintf("%s=%d", DumpSetting, DumpSignal))
	if c.Info.Index > 0 {
		i := itoa(c.Info.Index)
		env = append(env, "CL_DEVICE_TYPE=all", "CL_DEVICE_INDEX="+i, "CONFORMANCE_DEVICE="+i)
	}
	return append(env, c.Env...)
}

func (c *Config) scale(d time.Duration) time.Duration {
	if c.Slack == 0 {
		return d
	}
	return time.Duration(float64(d) * c.Slack)
}

// logName is the name of the log of an attempt at a job.
func logName(title string, attempt int) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, title)
	return fmt.Sprintf("%s.%d.log", strings.Trim(safe, "-"), attempt)
}
