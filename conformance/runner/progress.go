package runner

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Progress is told what happens, by several goroutines at once.
type Progress interface {
	Plan(total int)             // that many results will come
	Begin(title, test string)   // a run of an entry begins, or a sub-test in it does
	Done(r Result, before bool) // a result; before: of an earlier session
	Finish(title string)
	End()
}

// Plain writes a line for each run of an entry that has ended, and one for each bad result.
func Plain(w io.Writer) Progress { return &progress{w: w, runs: map[string]*running{}} }

// Bar paints a bar with what runs now below it, width columns wide, and above it a line for each bad result.
func Bar(w io.Writer, width int) Progress {
	p := &progress{w: w, width: width, runs: map[string]*running{}, stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.tick()
	return p
}

type progress struct {
	w             io.Writer
	width         int // 0 for plain lines
	stop, stopped chan struct{}

	mu    sync.Mutex // guards what follows, and w
	total int
	start time.Time
	all   Counts
	runs  map[string]*running // that run now
	lines int                 // painted below where the cursor is to return to
}

// running is a run of an entry that runs now.
type running struct {
	test   string
	start  time.Time
	counts Counts
}

func (p *progress) Plan(total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.start, p.all = total, time.Now(), Counts{}
}

func (p *progress) Begin(title, test string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runs[title] == nil {
		p.runs[title] = &running{start: time.Now(), counts: Counts{}}
	}
	p.runs[title].test = test
}

func (p *progress) Done(r Result, before bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[r.Status]++
	if run := p.runs[r.Title()]; run != nil {
		run.counts[r.Status]++
	}
	if !r.Status.Bad() || before {
		return
	}
	p.erase()
	why := r.Why
	if why == "" {
		why = lastWord(r.Tail)
	}
	fmt.Fprintf(p.w, "%s %-9s %s%s\n", p.colour(31, "✗"), words[r.Status], r.ID(), p.colour(2, cut("  "+why, 2+160)))
}

func (p *progress) Finish(title string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	run := p.runs[title]
	delete(p.runs, title)
	if run == nil || p.width > 0 || run.counts.Total() == 0 {
		return
	}
	mark := "✓"
	if run.counts.Bad() > 0 {
		mark = "✗"
	}
	fmt.Fprintf(p.w, "%s %4d/%d  %-40s %8.1f s  %v\n", mark, p.all.Total(), p.total, title, time.Since(run.start).Seconds(), run.counts)
}

func (p *progress) End() {
	if p.stop != nil {
		close(p.stop)
		<-p.stopped
		p.mu.Lock()
		defer p.mu.Unlock()
		p.erase()
	}
}

func (p *progress) tick() {
	defer close(p.stopped)
	t := time.NewTicker(100 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-t.C:
			p.mu.Lock()
			p.paint()
			p.mu.Unlock()
		}
	}
}

// paint draws the bar and what runs. Under p.mu.
func (p *progress) paint() {
	if p.total == 0 {
		return
	}
	var b strings.Builder
	done := p.all.Total()
	elapsed := time.Since(p.start).Round(time.Second)
	text := fmt.Sprintf(" %d/%d  %v  %v", done, p.total, p.all, elapsed)
	cells := max(10, min(40, p.width-len([]rune(text))-1))
	good := cells * (done - p.all.Bad()) / p.total
	bad := cells*done/p.total - good
	if p.all.Bad() > 0 && bad == 0 {
		bad = 1
		good = max(0, good-1)
	}
	b.WriteString(p.colour(32, strings.Repeat("█", good)) + p.colour(31, strings.Repeat("█", bad)))
	b.WriteString(p.colour(2, strings.Repeat("░", max(0, cells-good-bad))) + cut(text, p.width-cells) + "\n")
	lines := 1
	for _, title := range slices.Sorted(maps.Keys(p.runs)) {
		r := p.runs[title]
		line := fmt.Sprintf("  %5.0f s  %s", time.Since(r.start).Seconds(), title)
		if r.test != "" {
			line += " · " + r.test
		}
		b.WriteString(cut(line, p.width-1) + "\n")
		lines++
	}
	p.erase()
	io.WriteString(p.w, b.String())
	p.lines = lines
}

// erase takes away what paint drew. Under p.mu.
func (p *progress) erase() {
	if p.lines > 0 {
		fmt.Fprintf(p.w, "\x1b[%dA\x1b[J", p.lines)
		p.lines = 0
	}
}

func (p *progress) colour(code int, text string) string {
	if p.width == 0 || text == "" {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", code, text)
}

// cut is text cut to n columns.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:max(0, n-1)]) + "…"
	}
	return text
}

// lastWord is the last line that is not empty.
func lastWord(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
