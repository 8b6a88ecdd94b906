package frontend

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// child is a clang that waits for its arguments. It reads arguments as a response file from descriptor 4, source from standard
// input, and writes bitcode to standard output and dependencies to descriptor 3.
type child struct {
	process            *os.Process
	copy               *moulded // whose process that is, nil if it has no other work
	stdin, args        *os.File
	bitcode, log, deps bytes.Buffer
	done               chan error // how it ended, once; the buffers are complete then
}

// errRefused is how a clang ends that finds errors in what it compiles.
var errRefused = errors.New("exit status 1")

// errKilled is how a clang ends that someone ended, whatever it was compiling.
var errKilled = errors.New("clang was killed, or memory ran out")

// command is clang's own part of its arguments: the others come from descriptor 4.
var command = []string{"clang", "-cc1", "@/proc/self/fd/4"}

// spawn has a copy of the mould compile, or starts a clang.
func spawn(clang string) (*child, error) {
	c := &child{done: make(chan error, 1)}
	var theirs, ours [5]*os.File
	closeAll := func(files []*os.File) {
		for _, f := range files {
			f.Close() // nil is no file
		}
	}
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(theirs[:])
			closeAll(ours[:])
			return nil, err
		}
		if theirs[i], ours[i] = r, w; 1 <= i && i <= 3 {
			theirs[i], ours[i] = w, r
		}
	}
	c.stdin, c.args = ours[0], ours[4]
	var ended func() error
	var err error
	if c.copy, err = useCopy(clang, theirs[:]); err == nil {
		c.process, ended = c.copy.process, c.copy.ended
	} else {
		c.process, ended, err = startClang(clang, theirs[:])
	}
	closeAll(theirs[:])
	if err != nil {
		closeAll(ours[:])
		return nil, err
	}
	go func() { c.done <- c.wait(ours[1:4], ended) }()
	return c, nil
}

// startClang starts a clang of its own. It dies with this process: that is bound to the life of the thread that started it, so a
// thread waits for it.
func startClang(clang string, files []*os.File) (p *os.Process, ended func() error, err error) {
	started, over := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		p, err = os.StartProcess(clang, command, &os.ProcAttr{Dir: "/", Files: files, Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}})
		started <- err
		if err == nil {
			over <- howEnded(p.Wait())
		}
	}()
	return p, func() error { return <-over }, <-started
}

// howEnded is how a process ended, nil if well.
func howEnded(state *os.ProcessState, err error) error {
	switch {
	case err != nil || state.Success():
		return err
	case state.ExitCode() == 1:
		return errRefused
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM) {
		return errKilled
	}
	return fmt.Errorf("it ended with %s", state)
}

// wait reads what the child writes until it has ended.
func (c *child) wait(outputs []*os.File, ended func() error) error {
	var wg sync.WaitGroup
	for i, to := range []*bytes.Buffer{&c.bitcode, &c.log, &c.deps} {
		wg.Go(func() {
			io.Copy(to, outputs[i])
			outputs[i].Close()
		})
	}
	err := ended()
	wg.Wait()
	return err
}

// run gives the child its arguments and its source, and waits for it.
func (c *child) run(args []string, source []byte, stop <-chan struct{}) error {
	go func() {
		io.WriteString(c.args, responseFile(args))
		c.args.Close()
	}()
	go func() {
		c.stdin.Write(source)
		c.stdin.Close()
	}()
	select {
	case err := <-c.done:
		if c.copy != nil {
			c.copy.keep()
		}
		return err
	case <-stop:
		c.process.Kill()
		err := <-c.done
		if c.copy != nil {
			c.copy.dismiss()
		}
		return err
	}
}

// responseFile quotes arguments as GNU's tools read them from a file: a backslash takes the next character literally.
func responseFile(args []string) string {
	var s strings.Builder
	for _, a := range args {
		for i := range len(a) {
			s.WriteByte('\\')
			s.WriteByte(a[i])
		}
		s.WriteByte('\n')
	}
	return s.String()
}
