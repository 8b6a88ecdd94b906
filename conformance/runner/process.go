package runner

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is one start of a binary.
type process struct {
	path  string
	dir   string
	args  []string
	env   []string
	log   io.Writer     // all it prints, and the evidence if it hangs
	limit time.Duration // for the process
	each  time.Duration // for a sub-test
	tests []string
	begun func(test string) // called when a sub-test begins, or "" between two; may be nil
}

// outcome is how a process ended.
type outcome struct {
	*transcript
	bad      bool   // it did not end with status 0
	how      string // in words, if bad
	killed   bool   // by us, as it was over a limit
	code     int    // exit status, -1 if a signal ended it
	evidence string // if killed: what it was doing
	time     time.Duration
}

// run runs p to its end, or to its limit. The error says that it could not be started or that ctx was cancelled.
func (p *process) run(ctx context.Context) (*outcome, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, w, w
	// A group of its own, so that nothing it started outlives it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	start := time.Now()
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, err
	}
	lines, ended := make(chan string), make(chan error, 1)
	go read(r, p.log, lines)
	go func() {
		err := cmd.Wait()
		killGroup(cmd.Process.Pid) // what it left behind holds the pipe
		ended <- err
	}()
	o := &outcome{transcript: newTranscript(p.tests, start)}
	err = p.watch(ctx, cmd.Process.Pid, start, lines, ended, o)
	o.time = time.Since(start)
	o.code = cmd.ProcessState.ExitCode()
	if err != nil {
		return o, err
	}
	if o.killed {
		o.bad = true
		return o, nil
	}
	o.bad, o.how = !cmd.ProcessState.Success(), cmd.ProcessState.String()
	return o, nil
}

// watch follows the process until it has ended and all it printed is read.
func (p *process) watch(ctx context.Context, pid int, start time.Time, lines <-chan string, ended <-chan error, o *outcome) error {
	total := time.NewTimer(p.limit)
	defer total.Stop()
	each := time.NewTimer(p.each)
	defer each.Stop()
	kill := func(limit time.Duration) {
		if !o.killed {
			o.killed, o.how = true, fmt.Sprintf("still running after %v", limit.Round(100*time.Millisecond))
			o.evidence = evidence(pid, o.how, lines)
			io.WriteString(p.log, o.evidence)
			killGroup(pid)
		}
	}
	for lines != nil || ended != nil {
		select {
		case text, ok := <-lines:
			if !ok {
				lines = nil
			} else if !o.killed && o.line(text, time.Now()) {
				each.Reset(p.each)
				if p.begun != nil {
					p.begun(o.current)
				}
			}
		case <-ended:
			ended = nil
			total.Stop()
			each.Stop()
		case <-total.C:
			kill(p.limit)
		case <-each.C:
			kill(p.each)
		case <-ctx.Done():
			killGroup(pid)
			for lines != nil || ended != nil {
				select {
				case _, ok := <-lines:
					if !ok {
						lines = nil
					}
				case <-ended:
					ended = nil
				}
			}
			return ctx.Err()
		}
	}
	return nil
}

func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// read copies r to log, and its lines to lines, until its end.
func read(r io.Reader, log io.Writer, lines chan<- string) {
	defer close(lines)
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadString('\n')
		if text != "" {
			io.WriteString(log, text)
			lines <- strings.ToValidUTF8(strings.TrimRight(text, "\r\n"), "�")
		}
		if err != nil {
			return
		}
	}
}
