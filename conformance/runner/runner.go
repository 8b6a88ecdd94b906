package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"aqueduct/conformance"
)

// Config says what to run, on what, and how.
type Config struct {
	Entries []conformance.Entry
	Dir     string // of the built binaries
	Info    Info   // with ICD, Mode, Index, Device and Host
	Env     []string
	Only    []string // patterns ENTRY or ENTRY/SUB-TEST; empty for all
	Jobs    int      // processes at once; 0 for as many as there are processors
	Slack   float64  // factor on all limits; 0 for 1
	Out     string   // directory of results and logs; made if it is not there
	Resume  bool     // go on with the run that Out is of; without it that run is moved to Out.previous
	Show    Progress
}

// Run runs what Config says. On cancellation it returns what is known so far, and the error.
func Run(ctx context.Context, c *Config) (*Report, error) {
	c.Info.Partly = len(c.Only) > 0
	if c.Info.Start.IsZero() {
		c.Info.Start = time.Now()
	}
	s, err := openStore(c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := c.register(); err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for i := range s.report.Results {
		done[s.report.Results[i].ID()] = true
	}
	jobs, settled, err := c.plan(done)
	if err != nil {
		return nil, err
	}
	total := len(s.report.Results) + len(settled)
	for _, j := range jobs {
		total += len(j.tests)
	}
	if total == 0 {
		return nil, errors.New("nothing to run: no entry of the manifest fits")
	}
	c.Show.Plan(total)
	for _, r := range s.report.Results {
		c.Show.Done(r, true)
	}
	var mu sync.Mutex // guards the store and its error
	record := func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		if e := s.add(r); err == nil {
			err = e
		}
		c.Show.Done(r, false)
	}
	for _, r := range settled {
		record(r)
	}
	start := time.Now()
	c.pool(ctx, jobs, record)
	s.report.Info.Time += time.Since(start)
	s.report.Info.Left = max(0, total-len(s.report.Results))
	c.Show.End()
	if err == nil {
		err = ctx.Err()
	}
	return s.report, errors.Join(err, s.sum())
}

// vendors is the directory in Out that registers the driver and no other: OCL_ICD_VENDORS may be a file for some loaders, and a
// directory for all.
const vendors = "vendors"

func (c *Config) register() error {
	text, err := os.ReadFile(c.Info.ICD)
	if err != nil {
		return err
	}
	dir := filepath.Join(c.Out, vendors)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, filepath.Base(c.Info.ICD)), text, 0o644)
}

// pool works on the jobs, several at once. Those to be alone come last, one after the other.
func (c *Config) pool(ctx context.Context, jobs []*job, record func(Result)) {
	var together, alone []*job
	for _, j := range jobs {
		if j.run.Alone {
			alone = append(alone, j)
		} else {
			together = append(together, j)
		}
	}
	// The longest first, so that no processor is without work at the end.
	slices.SortStableFunc(together, func(a, b *job) int { return int(b.run.Limit/time.Second) - int(a.run.Limit/time.Second) })
	for _, part := range []struct {
		jobs []*job
		n    int
	}{{together, c.Jobs}, {alone, 1}} {
		queue := make(chan *job)
		var wg sync.WaitGroup
		for range max(1, part.n) {
			wg.Go(func() {
				for j := range queue {
					c.Show.Begin(j.title(), "")
					// Its error is that of ctx, which Run returns.
					_ = c.work(ctx, j, func(test string) { c.Show.Begin(j.title(), test) }, record)
					c.Show.Finish(j.title())
				}
			})
		}
		for _, j := range part.jobs {
			if ctx.Err() == nil {
				queue <- j
			}
		}
		close(queue)
		wg.Wait()
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
